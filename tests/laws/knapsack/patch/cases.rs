//! Patches from public threads about patches that did not apply.

use mycelium::knapsack::patch::PatchError;
use serde_json::{Value, json};

use super::{Files, after};
use crate::knapsack::corpus::cases;

fn files(value: &Value) -> Files {
    serde_json::from_value(value.clone()).unwrap()
}

/// The error's facts by the names that the cases have for them.
fn detail(error: &PatchError) -> Value {
    match error {
        PatchError::ContextNotFound { file, file_line, expected, actual, .. } => json!({
            "file": file, "file_line": file_line, "expected": expected, "actual": actual,
        }),
        PatchError::AmbiguousContext { file, matches, .. } => {
            json!({"file": file, "matches": matches})
        }
        PatchError::FileExists { file }
        | PatchError::FileMissing { file }
        | PatchError::PathRefused { file, .. } => json!({ "file": file }),
        _ => json!({}),
    }
}

fn wrong(case: &Value) -> Option<String> {
    let outcome = after(&files(&case["files_before"]), case["patch"].as_str().unwrap());
    let expect = &case["expect"];
    let right = match (&outcome, expect.get("files_after")) {
        (Ok(after), Some(expected)) => *after == files(expected),
        (Err(error), None) => {
            let kind = error.kind().replace('-', "_");
            expect["error"] == kind
                && expect.get("detail").is_none_or(|expected| *expected == detail(error))
        }
        _ => false,
    };
    (!right).then(|| format!("{}: {outcome:?}", case["name"]))
}

#[test]
fn every_patch_of_the_corpus_is_applied_or_refused_right() {
    let Some(cases) = cases("patch") else { return };
    let wrong: Vec<_> = cases.iter().filter_map(wrong).collect();
    eprintln!("corpus patch: {} cases, {} wrong, 0 skipped", cases.len(), wrong.len());
    assert!(cases.len() >= 16, "the corpus is whole");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
