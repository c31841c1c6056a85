//! Cases that lie beside the checkout.

use std::{fs, path::PathBuf};

use serde_json::Value;

/// The cases of a corpus; none when it isn't there.
///
/// # Panics
///
/// It isn't there in continuous integration.
pub(crate) fn cases(name: &str) -> Option<Vec<Value>> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../shared/corpora")
        .join(name)
        .join("cases.json");
    let Ok(text) = fs::read_to_string(&path) else {
        assert!(std::env::var_os("CI").is_none(), "the corpus {} is missing", path.display());
        eprintln!("\n!!! corpus {name}: MISSING, nothing was tested: {}\n", path.display());
        return None;
    };
    let document: Value = serde_json::from_str(&text).unwrap();
    Some(document["cases"].as_array().unwrap().clone())
}
