//! A deployment's settings.
#![no_main]

use std::collections::BTreeMap;

use libfuzzer_sys::fuzz_target;
use mycelium::config::Settings;

fuzz_target!(|text: &str| {
    let variables: BTreeMap<&str, &str> =
        text.lines().filter_map(|line| line.split_once('=')).collect();
    let read = Settings::read(|key| variables.get(key).map(|value| (*value).to_owned()));
    if let Err(errors) = read {
        assert!(errors.iter().all(|error| !error.to_string().is_empty()));
    }
});
