//! Patches.

mod cases;
mod diff;
mod formats;
mod places;
mod random;

use std::collections::BTreeMap;

use mycelium::knapsack::patch::{Held, Patch, PatchError, Patched};

/// Files by path.
pub(super) type Files = BTreeMap<String, String>;

pub(super) fn files<const N: usize>(files: [(&str, &str); N]) -> Files {
    files.into_iter().map(|(path, text)| (path.to_owned(), text.to_owned())).collect()
}

pub(super) fn patched(before: &Files, patch: &str) -> Result<Patched, PatchError> {
    let held = before.iter().map(|(path, text)| (path.clone(), Held::Text(text.clone()))).collect();
    Patch::parse(patch)?.apply(&held)
}

/// The files after the patch, by doing its steps as they come.
pub(super) fn after(before: &Files, patch: &str) -> Result<Files, PatchError> {
    let mut files = before.clone();
    for step in patched(before, patch)?.steps {
        match step.content() {
            Some(content) => files.insert(step.path().to_owned(), content.to_owned()),
            None => files.remove(step.path()),
        };
    }
    Ok(files)
}

/// What one file holds after the patch.
pub(super) fn one(before: &str, patch: &str) -> Result<String, PatchError> {
    Ok(after(&files([("f", before)]), patch)?.remove("f").unwrap())
}

/// An envelope that updates the file `f`.
pub(super) fn update(hunks: &str) -> String {
    format!("*** Begin Patch\n*** Update File: f\n{hunks}*** End Patch\n")
}
