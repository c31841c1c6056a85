//! Patches over a port: all files, or none, or what was done.

use std::rc::Rc;

use futures::executor::block_on;
use mycelium::{
    Failure, Mycelium,
    knapsack::files::{Files, FilesPort, MemoryFiles, StoredFiles},
    operation::{Cancellation, Context},
    runtime::Answer,
    testing::{Host, direct_sandbox},
};
use serde_json::{Value, json};

use super::{bucket::Bucket, call, catalog};

const PATCH: &str = "*** Begin Patch\n*** Update File: a\n@@\n-1\n+2\n*** Update File: b\n@@\n-1\n+2\n*** Add File: c\n+new\n*** Delete File: d\n*** End Patch\n";

fn bucket() -> (Bucket, Rc<dyn FilesPort>) {
    let bucket = Bucket::default();
    for key in ["a", "b", "d"] {
        bucket.set(key, b"1\n");
    }
    (bucket.clone(), Rc::new(StoredFiles::new(Rc::new(bucket), "")))
}

fn patch(port: &Rc<dyn FilesPort>, patch: &str) -> Result<Value, Failure> {
    call(port, "apply_patch", json!({ "patch": patch }))
}

fn texts(bucket: &Bucket) -> [Option<String>; 4] {
    ["a", "b", "c", "d"].map(|key| bucket.text(key))
}

fn some(text: &str) -> Option<String> {
    Some(text.to_owned())
}

#[test]
fn a_patch_changes_all_its_files_and_tells_each() {
    let (bucket, port) = bucket();
    let report = patch(&port, PATCH).unwrap();
    let change = |path: &str, change: &str| json!({"path": path, "change": change, "hunks": 0});
    let updated =
        |path: &str| json!({"path": path, "change": "updated", "hunks": 1, "matched": "exact"});
    let files = json!([updated("a"), updated("b"), change("c", "added"), change("d", "removed")]);
    assert_eq!(report, json!({ "files": files }));
    assert_eq!(texts(&bucket), [some("2\n"), some("2\n"), some("new\n"), None]);
}

#[test]
fn a_patch_that_does_not_fit_writes_nothing() {
    for (wrong, code) in [
        (PATCH.replace("b\n@@\n-1", "b\n@@\n-9"), "context-not-found"),
        (PATCH.replace("Add File: c", "Add File: a"), "file-exists"),
        (PATCH.replace("Delete File: d", "Delete File: e"), "file-missing"),
        (PATCH.replace("Delete File: d", "Delete File: ../d"), "path-refused"),
        (PATCH.replace("*** End Patch\n", ""), "patch-parse"),
        ("x".repeat(1_048_577), "patch-too-large"),
    ] {
        let (bucket, port) = bucket();
        assert_eq!(patch(&port, &wrong).unwrap_err().code(), code);
        assert_eq!(texts(&bucket), [some("1\n"), some("1\n"), None, some("1\n")]);
    }
    let (bucket, port) = bucket();
    bucket.set("a", b"1\n1\n");
    let failure = patch(&port, PATCH).unwrap_err();
    let Failure::AmbiguousContext { file, hunk, lines } = failure else { panic!("{failure}") };
    assert_eq!((&*file, hunk, &*lines), ("a", 1, "1, 2"));
}

#[test]
fn a_failure_says_where_it_differs_and_what_the_file_holds() {
    let (_, port) = bucket();
    let failure = patch(&port, &PATCH.replace("b\n@@\n-1", "b\n@@\n-9")).unwrap_err();
    let says = "b, hunk 1: the patch has \"9\" where line 1 of the file reads \"1\"; nothing was changed: read the file and make the hunk of what it holds";
    assert_eq!(failure.to_string(), says);
}

#[test]
fn a_store_that_fails_midway_makes_a_partial_write_that_names_every_file() {
    // The bucket was written three times; the patch writes c, a, b and removes d.
    for (put, written, file, untried) in [(5, "c", "a", "b, d"), (6, "c, a", "b", "d")] {
        let (bucket, port) = bucket();
        bucket.failing_put.set(Some((put, false)));
        let failure = patch(&port, PATCH).unwrap_err();
        let expected = Failure::PartialWrite {
            written: written.to_owned(),
            file: file.to_owned(),
            problem: "no answer came, so it may be written".to_owned(),
            untried: untried.to_owned(),
        };
        assert_eq!(failure, expected);
        assert!(!failure.to_string().contains("canary"), "evidence is the operator's");
        assert_eq!(bucket.text("d"), some("1\n"), "removals come last");
    }
}

#[test]
fn a_first_write_without_an_answer_may_be_done_and_is_said_so() {
    let (bucket, port) = bucket();
    bucket.failing_put.set(Some((4, true)));
    let failure = patch(&port, PATCH).unwrap_err();
    assert_eq!(failure.code(), "partial-write");
    assert!(failure.to_string().contains("Written: none. Failed: c"), "{failure}");
    bucket.failing_put.set(Some((5, true)));
    let failure = patch(&port, "*** Begin Patch\n*** Add File: z\n+x\n*** End Patch").unwrap_err();
    assert_eq!(failure.code(), "outcome-unknown");
}

#[test]
fn a_file_that_changes_between_reading_and_writing_is_left() {
    let (bucket, port) = bucket();
    let other = bucket.clone();
    *bucket.meanwhile.borrow_mut() = Some((5, Box::new(move || other.set("a", b"theirs"))));
    let failure = patch(&port, PATCH).unwrap_err();
    let Failure::PartialWrite { written, file, problem, .. } = failure else { panic!("{failure}") };
    assert_eq!((&*written, &*file, &*problem), ("c", "a", "it holds something else by now"));
    assert_eq!(bucket.text("a"), some("theirs"));
    // At the first write nothing is done yet: that is a plain conflict.
    let (bucket, port) = self::bucket();
    let other = bucket.clone();
    *bucket.meanwhile.borrow_mut() = Some((4, Box::new(move || other.set("c", b"theirs"))));
    assert_eq!(patch(&port, PATCH).unwrap_err().code(), "file-exists");
}

#[test]
fn a_cancelled_patch_stops_between_files_and_tells_what_it_has_written() {
    let (bucket, port) = bucket();
    let host = Host::new();
    let cancellation = Cancellation::new(host.ports().handoff);
    let cancel = cancellation.clone();
    *bucket.meanwhile.borrow_mut() =
        Some((5, Box::new(move || cancel.cancel(Failure::Unknown {}))));
    let context = Context::builder().cancellation(cancellation.signal()).build();
    let catalog = catalog(port);
    let operation = catalog.find("files.apply_patch").unwrap().operation();
    let ran = block_on(operation.decode(json!({"patch": PATCH})).unwrap().run(context));
    let (failure, _) = ran.unwrap_err().failure("files.apply_patch");
    let Failure::PartialWrite { written, file, problem, untried } = failure else { panic!() };
    let told = (&*written, &*file, &*problem, &*untried);
    assert_eq!(told, ("c, a", "b", "the call was cancelled before it", "d"));
}

#[test]
fn the_tool_takes_gives_and_does_what_the_operation_does() {
    let memory = MemoryFiles::new();
    memory.put("a", b"1\n");
    let files = Files::new(Rc::new(memory.clone()));
    let host = Host::new();
    let sandbox = direct_sandbox(|_, _| async { Ok(json!(null)) });
    let mut options = host.options(vec![files.module("test-files", "files")], sandbox);
    options.tools = files.tools().unwrap();
    let runtime = Mycelium::open(options).unwrap();
    let done = host.run(async move {
        let lease = runtime.acquire(None).await.unwrap();
        let tool = lease.tools().remove(0);
        let operation = lease.catalog().find("files.apply_patch").unwrap().operation().clone();
        let same = [
            (tool.operation().input_schema(), operation.input_schema()),
            (tool.operation().output_schema().unwrap(), operation.output_schema().unwrap()),
        ];
        for (one, other) in same {
            assert_eq!(one.digest(), other.digest());
        }
        assert_eq!(tool.operation().labels(), operation.labels());
        let patch =
            json!({"patch": "*** Begin Patch\n*** Update File: a\n@@\n-1\n+2\n*** End Patch"});
        let answer = tool.call(patch.clone(), Context::builder().build()).await.unwrap();
        assert!(matches!(answer, Answer::Value(_)));
        let again = tool.call(patch, Context::builder().build()).await.unwrap_err();
        assert_eq!(again.code(), "context-not-found");
        lease.release().await;
    });
    assert!(done.is_some());
    assert_eq!(memory.contents()["a"], b"2\n");
}
