//! What a computer says of itself.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mycelium::{json, knapsack::computer::Advertisement};

fuzz_target!(|text: &str| {
    let Ok(value) = json::parse(text) else { return };
    if let Err(error) = Advertisement::parse(&value) {
        assert!(!error.to_string().is_empty());
    }
});
