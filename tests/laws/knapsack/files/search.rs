//! Searching files.

use std::rc::Rc;

use mycelium::{
    knapsack::files::{FilesPort, MemoryFiles, StoredFiles},
    limits::{FILE_BYTES, IGNORE_BYTES},
};
use serde_json::{Value, json};

use super::{bucket::Bucket, call, code};

fn ports(files: &[(&str, &str)]) -> [Rc<dyn FilesPort>; 2] {
    let (memory, bucket) = (MemoryFiles::new(), Bucket::default());
    for (path, text) in files {
        memory.put(path, text.as_bytes());
        bucket.set(&format!("root/{path}"), text.as_bytes());
    }
    [Rc::new(memory), Rc::new(StoredFiles::new(Rc::new(bucket), "root"))]
}

fn paths(found: &Value) -> Vec<&str> {
    let matches = found["matches"].as_array().unwrap();
    matches.iter().map(|found| found["path"].as_str().unwrap()).collect()
}

#[test]
fn a_match_says_file_line_and_column() {
    for port in ports(&[("b/x.txt", "no\r\nsee: Needle\r\n"), ("a.txt", "é needle needle")]) {
        let found = call(&port, "search", json!({"query": "needle", "ignore_case": true})).unwrap();
        let expected = json!([
            {"path": "a.txt", "line": 1, "column": 3, "text": "é needle needle"},
            {"path": "b/x.txt", "line": 2, "column": 6, "text": "see: Needle"},
        ]);
        assert_eq!(found["matches"], expected);
        assert_eq!((&found["searched"], found.get("stopped")), (&json!(2), None));
        let exact = call(&port, "search", json!({"query": "needle"})).unwrap();
        assert_eq!(paths(&exact), ["a.txt"]);
    }
}

#[test]
fn what_ignore_files_hide_is_counted_and_read_by_its_exact_path() {
    let files = [
        (".gitignore", "out/\n*.log\n"),
        ("a/.gitignore", "!keep.log\n"),
        ("a/keep.log", "x"),
        ("a/other.log", "x"),
        ("out/x.txt", "x"),
        (".git/config", "x"),
        ("src/x.txt", "x"),
    ];
    for port in ports(&files) {
        let found = call(&port, "search", json!({"query": "x"})).unwrap();
        assert_eq!(paths(&found), ["a/keep.log", "src/x.txt"]);
        assert_eq!(found["hidden"], json!(3));
        for path in ["out/x.txt", "a/other.log", ".git/config"] {
            assert_eq!(call(&port, "read", json!({"path": path})).unwrap()["content"], "x");
        }
        // Below the root the ignore files above still count.
        let below = call(&port, "search", json!({"query": "x", "path": "a"})).unwrap();
        assert_eq!(paths(&below), ["a/keep.log"]);
        let one = call(&port, "search", json!({"query": "x", "path": "src/x.txt"})).unwrap();
        assert_eq!(paths(&one), ["src/x.txt"]);
        for hidden in ["out", ".git", "a/other.log"] {
            let failed = call(&port, "search", json!({"query": "x", "path": hidden})).unwrap_err();
            assert!(failed.to_string().contains("hidden from searches"), "{hidden}: {failed}");
        }
        assert_eq!(code(&port, "search", json!({"query": "x", "path": "none"})), "file-missing");
    }
}

#[test]
fn what_is_left_out_is_counted() {
    let large = "x".repeat(FILE_BYTES + 1);
    for port in ports(&[("binary", "x\0"), ("large", &large), ("text", "x")]) {
        let found = call(&port, "search", json!({"query": "x"})).unwrap();
        assert_eq!(paths(&found), ["text"]);
        assert_eq!((&found["not_text"], &found["too_large"]), (&json!(1), &json!(1)));
    }
}

#[test]
fn a_search_that_stops_says_so() {
    let text = "x\n".repeat(10);
    for port in ports(&[("a", &text), ("b", "x")]) {
        let found = call(&port, "search", json!({"query": "x", "limit": 10})).unwrap();
        assert_eq!(paths(&found).len(), 10);
        assert!(found["stopped"].as_str().unwrap().contains("more than 10 matches"), "{found}");
        let whole = call(&port, "search", json!({"query": "x", "limit": 11})).unwrap();
        assert_eq!(whole.get("stopped"), None);
    }
}

#[test]
fn too_many_files_are_searched_in_part() {
    let memory = MemoryFiles::new();
    for at in 0..501 {
        memory.put(&format!("f{at:04}"), b"x");
    }
    let port: Rc<dyn FilesPort> = Rc::new(memory);
    let found = call(&port, "search", json!({"query": "y"})).unwrap();
    assert_eq!(found["searched"], json!(500));
    assert!(found["stopped"].as_str().unwrap().contains("f0500 follows"), "{found}");
}

#[test]
fn an_ignore_file_over_its_bound_fails_the_search_and_hides_nothing_silently() {
    let rules = "#".repeat(IGNORE_BYTES + 1);
    for port in ports(&[(".gitignore", &rules), ("a", "x")]) {
        let failed = call(&port, "search", json!({"query": "x"})).unwrap_err();
        assert!(failed.to_string().contains("an ignore file has at most"), "{failed}");
    }
}

#[test]
fn matches_are_in_the_order_of_their_paths_however_files_are_read() {
    let files: Vec<_> = (0..40).map(|at| (format!("f{at:02}"), "x".repeat(at + 1))).collect();
    let files: Vec<_> = files.iter().rev().map(|(path, text)| (&**path, &**text)).collect();
    for port in ports(&files) {
        let found = call(&port, "search", json!({"query": "x"})).unwrap();
        assert!(paths(&found).is_sorted() && paths(&found).len() == 40);
    }
}

#[test]
fn a_query_is_within_one_line() {
    for port in ports(&[("a", "x")]) {
        assert_eq!(code(&port, "search", json!({"query": "a\nb"})), "capability-failed");
    }
}
