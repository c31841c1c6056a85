//! A deployment's configuration: the file, and variables that stand over its keys.
#![no_main]

use std::collections::BTreeMap;

use libfuzzer_sys::fuzz_target;
use mycelium::config::{Given, Settings};

/// What stands between the file and the variables.
const FENCE: &str = "\n\u{1}\n";

fuzz_target!(|text: &str| {
    let (toml, lines) = text.split_once(FENCE).unwrap_or((text, ""));
    let variables: BTreeMap<&str, &str> =
        lines.lines().filter_map(|line| line.split_once('=')).collect();
    let variable = |key: &str| variables.get(key).map(|value| (*value).to_owned());
    let given =
        Given { toml, variable: &variable, tables: Some(&["petstore"]), modules: Some(&["demo"]) };
    if let Err(errors) = Settings::decode(&given) {
        assert!(!errors.is_empty());
        assert!(errors.iter().all(|error| !error.to_string().is_empty()));
    }
});
