//! The module that a fresh deployment answers with.

use serde_json::json;

use crate::{
    operation::{Module, Operation},
    schema::Schema,
};

/// The module `demo` with its one operation `ping`, which answers `{"value":"pong"}`.
///
/// ```
/// assert_eq!(mycelium::demo().name(), "demo");
/// ```
#[must_use]
pub fn demo() -> Module {
    let input = Schema::new(json!({"type": "object", "additionalProperties": false}));
    let output = Schema::new(json!({
        "type": "object",
        "properties": {"value": {"type": "string"}},
        "required": ["value"],
        "additionalProperties": false,
    }));
    let ping = Operation::new(input, |_, _| async { Ok(json!({"value": "pong"})) })
        .describe("Answers {\"value\":\"pong\"}.")
        .output(output);
    Module::new("example-demo", "demo").operation("ping", ping)
}
