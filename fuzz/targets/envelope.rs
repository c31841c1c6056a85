//! A JSON-RPC message, as anyone can send it.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mycelium::mcp::wire::{Id, Message};
use serde_json::Value;

fuzz_target!(|text: &str| {
    let twice = Message::read(text);
    assert_eq!(twice, Message::read(text), "the same text is the same message");
    if let Ok(Message::Request { id, .. } | Message::Response { id, .. }) = twice {
        let given = serde_json::from_str::<Value>(text).expect("what was read is JSON");
        // An id goes back as it came, or the client doesn't know its answer.
        assert_eq!(Some(&id.to_value()), given.get("id"));
        assert_eq!(Id::read(&id.to_value()), Some(id));
    }
});
