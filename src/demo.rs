//! The module that a fresh deployment answers with.

use serde_json::json;

use crate::{
    operation::{Module, Operation},
    schema::{Schema, SchemaError},
};

/// The module `demo` with its one operation `ping`, which answers `{"value":"pong"}`.
///
/// # Errors
///
/// None: its schemas are right.
///
/// ```
/// assert_eq!(mycelium::demo()?.name(), "demo");
/// # Ok::<(), mycelium::schema::SchemaError>(())
/// ```
pub fn demo() -> Result<Module, SchemaError> {
    let input = Schema::new(json!({"type": "object", "additionalProperties": false}))?;
    let output = Schema::new(json!({
        "type": "object",
        "properties": {"value": {"type": "string"}},
        "required": ["value"],
        "additionalProperties": false,
    }))?;
    let ping = Operation::new(input, |_, _| async { Ok(json!({"value": "pong"})) })
        .describe("Answers {\"value\":\"pong\"}.")
        .output(output);
    Ok(Module::new("example-demo", "demo").operation("ping", ping))
}
