//! The official test suite of JSON Schema, draft 2020-12.

use std::{fs, path::PathBuf};

use mycelium::schema::{Schema, Subject};
use serde_json::Value;

/// Where a corpus lies, beside the checkout; none when it isn't there.
///
/// # Panics
///
/// It isn't there in continuous integration.
pub(crate) fn corpus(name: &str) -> Option<PathBuf> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/corpora").join(name);
    if path.is_dir() {
        return Some(path);
    }
    assert!(std::env::var_os("CI").is_none(), "the corpus {} is missing", path.display());
    eprintln!("\n!!! corpus {name}: MISSING, nothing was tested: {}\n", path.display());
    None
}

/// Every file of a folder, in order, as JSON.
pub(crate) fn documents(folder: &PathBuf) -> Vec<(String, Value)> {
    let mut paths: Vec<_> =
        fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    paths.sort();
    let read = |path: PathBuf| {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        (name, serde_json::from_slice(&fs::read(path).unwrap()).unwrap())
    };
    paths.into_iter().map(read).collect()
}

#[derive(Default)]
struct Tally {
    run: usize,
    passed: usize,
    refused: usize,
    wrong: Vec<String>,
}

/// Whether the group can't be decided without a document from elsewhere.
fn needs_a_remote(schema: &Value) -> bool {
    let mut text = schema.to_string();
    // The meta-schema itself is a remote document too: the library carries it, we refuse it.
    let own = r#""$schema":"https://json-schema.org/draft/2020-12/schema""#;
    text = text.replace(own, "");
    text.contains("http://localhost:1234/") || text.contains("json-schema.org/draft/2020-12/schema")
}

fn check(group: &Value, place: &str, tally: &mut Tally) {
    let tests = group["tests"].as_array().unwrap();
    let schema = match Schema::new(group["schema"].clone()) {
        Ok(schema) => schema,
        Err(error) => return refused(group, place, &error.to_string(), tests.len(), tally),
    };
    for test in tests {
        tally.run += 1;
        let place = format!("{place} / {}", test["description"]);
        match (schema.validate(&test["data"]), test["valid"].as_bool().unwrap()) {
            (Ok(()), true) => tally.passed += 1,
            (Err(error), false) if error.subject() == Subject::Value => tally.passed += 1,
            (answer, valid) => tally.wrong.push(format!("{place}: valid {valid}, got {answer:?}")),
        }
    }
}

fn refused(group: &Value, place: &str, error: &str, tests: usize, tally: &mut Tally) {
    tally.run += tests;
    let outside = error.contains("outside the document") || error.contains("is neither");
    if outside && needs_a_remote(&group["schema"]) {
        tally.passed += tests;
        tally.refused += tests;
    } else {
        tally.wrong.push(format!("{place}: refused: {error}"));
    }
}

#[test]
fn the_official_suite_passes_and_what_needs_the_network_is_refused() {
    let Some(folder) = corpus("json-schema") else { return };
    let mut tally = Tally::default();
    for (name, groups) in documents(&folder.join("tests/draft2020-12")) {
        for group in groups.as_array().unwrap() {
            check(group, &format!("{name} / {}", group["description"]), &mut tally);
        }
    }
    let Tally { run, passed, refused, wrong } = tally;
    println!("corpus json-schema: run {run} passed {passed} skipped 0");
    println!("of these {refused} need a document from elsewhere, and were refused");
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert_eq!(run, 1_299);
}
