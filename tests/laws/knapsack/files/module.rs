//! The module of files.

use std::rc::Rc;

use mycelium::{
    knapsack::files::{
        ByteRange, Expected, FileFuture, Files, FilesPort, Found, Listing, MemoryFiles, Page, Part,
        Search,
    },
    limits::{FILE_BYTES, FILE_READ_BYTES},
    operation::{Access, Context, Replay},
};
use serde_json::json;

use super::{call, catalog, code};

fn memory(files: &[(&str, &[u8])]) -> (MemoryFiles, Rc<dyn FilesPort>) {
    let memory = MemoryFiles::new();
    for (path, content) in files {
        memory.put(path, content);
    }
    (memory.clone(), Rc::new(memory))
}

/// The same files without anything that applies patches.
struct Unpatched(MemoryFiles);

impl FilesPort for Unpatched {
    fn list(&self, listing: Listing, context: Context) -> FileFuture<Page> {
        self.0.list(listing, context)
    }

    fn read(&self, path: String, range: ByteRange, context: Context) -> FileFuture<Part> {
        self.0.read(path, range, context)
    }

    fn write(&self, path: String, content: Vec<u8>, context: Context) -> FileFuture<()> {
        self.0.write(path, content, context)
    }

    fn replace(
        &self,
        path: String,
        expected: Expected,
        content: Vec<u8>,
        context: Context,
    ) -> FileFuture<()> {
        self.0.replace(path, expected, content, context)
    }

    fn remove(&self, path: String, expected: Option<Vec<u8>>, context: Context) -> FileFuture<()> {
        self.0.remove(path, expected, context)
    }

    fn search(&self, search: Search, context: Context) -> FileFuture<Found> {
        self.0.search(search, context)
    }
}

#[test]
fn what_reads_is_labelled_so_and_all_else_writes() {
    let (_, port) = memory(&[]);
    let catalog = catalog(port);
    let labels: Vec<_> = catalog
        .entries()
        .iter()
        .map(|entry| (entry.operation_path(), entry.operation().labels()))
        .map(|(path, labels)| (path, labels.access, labels.replay))
        .collect();
    let expected = [
        ("apply_patch", Access::Write, Replay::Unsafe),
        ("edit", Access::Write, Replay::Unsafe),
        ("list", Access::Read, Replay::Safe),
        ("read", Access::Read, Replay::Safe),
        ("remove", Access::Write, Replay::Unsafe),
        ("replace", Access::Write, Replay::Unsafe),
        ("search", Access::Read, Replay::Safe),
        ("write", Access::Write, Replay::Unsafe),
    ];
    assert_eq!(labels, expected);
}

#[test]
fn patches_are_offered_only_by_a_port_that_applies_them() {
    let (memory, port) = memory(&[]);
    let unpatched: Rc<dyn FilesPort> = Rc::new(Unpatched(memory));
    assert!(catalog(Rc::clone(&unpatched)).find("files.apply_patch").is_none());
    assert!(catalog(Rc::clone(&unpatched)).find("files.edit").is_some());
    assert!(Files::new(unpatched).tools().unwrap().is_empty());
    let tools = Files::new(port).tools().unwrap();
    assert_eq!(tools.iter().map(|tool| tool.name()).collect::<Vec<_>>(), ["apply_patch"]);
}

#[test]
fn a_file_is_read_by_range_without_cutting_characters() {
    let (_, port) = memory(&[("f", "a€b".as_bytes())]);
    let whole = json!({"path": "f", "content": "a€b", "encoding": "text", "offset": 0, "bytes": 5, "total_bytes": 5, "version": "1"});
    assert_eq!(call(&port, "read", json!({"path": "f"})), Ok(whole));
    let first = call(&port, "read", json!({"path": "f", "length": 3})).unwrap();
    assert_eq!((&first["content"], &first["next_offset"]), (&json!("a"), &json!(1)));
    let rest = call(&port, "read", json!({"path": "f", "offset": 1})).unwrap();
    assert_eq!((&rest["content"], rest.get("next_offset")), (&json!("€b"), None));
    // A range that begins within a character, or is shorter than one, is bytes.
    let cut = call(&port, "read", json!({"path": "f", "offset": 2, "length": 2})).unwrap();
    assert_eq!((&cut["encoding"], &cut["bytes"]), (&json!("base64"), &json!(2)));
    let short = call(&port, "read", json!({"path": "f", "offset": 1, "length": 1})).unwrap();
    assert_eq!((&short["encoding"], &short["next_offset"]), (&json!("base64"), &json!(2)));
}

#[test]
fn every_byte_of_a_file_comes_with_some_range() {
    let content: Vec<u8> = (0..=255).chain("€€€".bytes()).chain(*b"\xff\x00end").collect();
    let (_, port) = memory(&[("f", &content)]);
    for length in 1..20 {
        let (mut all, mut offset) = (Vec::new(), 0);
        loop {
            let part =
                call(&port, "read", json!({"path": "f", "offset": offset, "length": length}))
                    .unwrap();
            let text = part["content"].as_str().unwrap();
            match part["encoding"].as_str().unwrap() {
                "text" => all.extend(text.bytes()),
                _ => all.extend(data_encoding::BASE64.decode(text.as_bytes()).unwrap()),
            }
            let Some(next) = part.get("next_offset") else { break };
            assert!(next.as_u64().unwrap() > offset, "it goes on");
            offset = next.as_u64().unwrap();
        }
        assert_eq!(all, content, "{length}");
    }
}

#[test]
fn what_is_not_text_is_marked_and_written_back_as_it_is() {
    let (memory, port) = memory(&[("f", b"\x00\xff")]);
    let read = call(&port, "read", json!({"path": "f"})).unwrap();
    assert_eq!((&read["content"], &read["encoding"]), (&json!("AP8="), &json!("base64")));
    let write = json!({"path": "g", "content": "AP8=", "encoding": "base64"});
    assert_eq!(call(&port, "write", write), Ok(json!({"path": "g", "bytes": 2})));
    assert_eq!(memory.contents()["g"], b"\x00\xff");
    let wrong = json!({"path": "g", "content": "A", "encoding": "base64"});
    assert_eq!(code(&port, "write", wrong), "capability-failed");
    assert_eq!(memory.contents()["g"], b"\x00\xff");
}

#[test]
fn a_path_is_checked_by_its_form_before_the_port_sees_it() {
    let (_, port) = memory(&[("f", b"x")]);
    for path in ["../f", "/f", "a/../f", "a\\f", "", "a//b", "f\0"] {
        for (operation, input) in [
            ("read", json!({"path": path})),
            ("write", json!({"path": path, "content": ""})),
            ("replace", json!({"path": path, "expected": "", "content": ""})),
            ("edit", json!({"path": path, "old": "x", "new": ""})),
            ("remove", json!({"path": path})),
        ] {
            assert_eq!(code(&port, operation, input), "path-refused", "{operation} {path:?}");
        }
    }
    assert_eq!(code(&port, "list", json!({"path": "../x"})), "path-refused");
    assert_eq!(code(&port, "search", json!({"path": "..", "query": "x"})), "path-refused");
    for root in ["", ".", "/"] {
        assert!(call(&port, "list", json!({"path": root})).is_ok(), "{root:?} is the root");
    }
}

#[test]
fn inputs_are_bounded_and_strict() {
    let (_, port) = memory(&[("f", b"x")]);
    for (operation, input) in [
        ("read", json!({"path": "f", "length": 0})),
        ("read", json!({"path": "f", "length": FILE_READ_BYTES + 1})),
        ("read", json!({"path": "f", "offset": -1})),
        ("read", json!({"path": "f", "lenght": 1})),
        ("list", json!({"limit": 1_001})),
        ("search", json!({"query": ""})),
        ("search", json!({"query": "x", "limit": 501})),
        ("write", json!({"path": "f", "content": "", "encoding": "hex"})),
        ("edit", json!({"path": "f", "old": "", "new": "y"})),
        ("apply_patch", json!({"patch": "", "dry_run": true})),
    ] {
        assert_eq!(code(&port, operation, input.clone()), "input-invalid", "{operation} {input}");
    }
    let large = "x".repeat(FILE_BYTES + 1);
    assert_eq!(code(&port, "write", json!({"path": "f", "content": large})), "file-too-large");
}

#[test]
fn an_edit_replaces_a_text_that_occurs_once() {
    let (memory, port) = memory(&[("f", b"one two one\r\n"), ("b", b"\xff")]);
    let edit = |old: &str, new: &str| json!({"path": "f", "old": old, "new": new});
    assert_eq!(call(&port, "edit", edit("two", "2")), Ok(json!({"path": "f", "bytes": 11})));
    assert_eq!(memory.contents()["f"], b"one 2 one\r\n");
    for old in ["one", "three"] {
        assert_eq!(code(&port, "edit", edit(old, "x")), "capability-failed", "{old}");
    }
    assert_eq!(code(&port, "edit", json!({"path": "b", "old": "x", "new": ""})), "file-not-text");
    assert_eq!(memory.contents()["f"], b"one 2 one\r\n");
    // Overlapping occurrences are two.
    memory.put("f", b"aaa");
    assert_eq!(code(&port, "edit", edit("aa", "b")), "capability-failed");
}

#[test]
fn a_failure_says_what_there_is_and_leaves_it() {
    let (memory, port) = memory(&[("f", b"x")]);
    for (operation, input, expected) in [
        ("read", json!({"path": "g"}), "file-missing"),
        ("remove", json!({"path": "g"}), "file-missing"),
        ("list", json!({"path": "g"}), "file-missing"),
        ("write", json!({"path": "f", "content": "", "only_new": true}), "file-exists"),
        ("replace", json!({"path": "f", "expected": "y", "content": ""}), "file-conflict"),
        ("replace", json!({"path": "g", "expected": "", "content": ""}), "file-missing"),
    ] {
        assert_eq!(code(&port, operation, input), expected, "{operation}");
    }
    assert_eq!(memory.contents().len(), 1);
    assert_eq!(call(&port, "remove", json!({"path": "f"})), Ok(json!({"path": "f"})));
    assert!(memory.contents().is_empty());
}
