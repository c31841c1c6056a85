//! A frame from a guest, which is hostile.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mycelium::sandbox::wire::FromGuest;
use serde_json::Value;

fuzz_target!(|text: &str| {
    let Ok(frame) = FromGuest::read(text) else { return };
    let (FromGuest::Call { input, .. } | FromGuest::Forage { input, .. } | FromGuest::Done(input)) =
        frame
    else {
        return;
    };
    // What is passed on as JSON text is JSON, and part of the frame.
    if let Some(input) = input {
        assert!(text.contains(input));
        serde_json::from_str::<&serde_json::value::RawValue>(input).expect("a value in a frame");
        let _ = serde_json::from_str::<Value>(input);
    }
});
