//! What each method answers.

use serde_json::{Map, Value, json};

use super::wire::{REVISION, code};
use crate::runtime::{ExecuteTool, Mycelium, Outcome};

/// A method's result, or the JSON-RPC error it fails with.
pub(super) type Answer = Result<Value, (i32, String)>;

/// `initialize`: whatever revision is asked for, this one is offered.
pub(super) fn initialize() -> Value {
    json!({
        "protocolVersion": REVISION,
        "capabilities": { "tools": {} },
        "serverInfo": {
            "name": "mycelium",
            "title": "Mycelium",
            "version": env!("CARGO_PKG_VERSION"),
        },
    })
}

/// `tools/list`: the one tool, on one page.
pub(super) fn list_tools(runtime: &Mycelium, params: &Map<String, Value>) -> Answer {
    if params.get("cursor").is_some_and(|cursor| !cursor.is_null()) {
        return Err((code::INVALID_PARAMS, "there is one page: leave cursor out".to_owned()));
    }
    let tool = json!({
        "name": ExecuteTool::NAME,
        "title": "Execute a program",
        "description": runtime.execute_tool().description(),
        "inputSchema": ExecuteTool::input_schema(),
        "annotations": {
            "readOnlyHint": false,
            "destructiveHint": true,
            "idempotentHint": false,
            "openWorldHint": true,
        },
    });
    Ok(json!({ "tools": [tool] }))
}

/// The program of a `tools/call`; `Err` in `Ok` is a tool result that says what to send.
pub(super) fn called_program(
    params: &Map<String, Value>,
) -> Result<Result<&str, Value>, (i32, String)> {
    match params.get("name") {
        Some(Value::String(name)) if name == ExecuteTool::NAME => {}
        Some(Value::String(name)) => {
            let name = crate::failure::bounded(name, 100);
            let message = format!("there is no tool {name:?}: the one tool is execute");
            return Err((code::INVALID_PARAMS, message));
        }
        _ => return Err((code::INVALID_PARAMS, "name is a string".to_owned())),
    }
    Ok(ExecuteTool::prepare(params.get("arguments"))
        .map_err(|error| tool_result(&[format!("input-invalid: {error}")], true)))
}

/// An outcome as a tool result.
pub(super) fn outcome_result(outcome: &Outcome) -> Value {
    tool_result(&outcome.texts(), outcome.is_failure())
}

fn tool_result(texts: &[String], is_error: bool) -> Value {
    let content: Vec<Value> =
        texts.iter().map(|text| json!({ "type": "text", "text": text })).collect();
    json!({ "content": content, "isError": is_error })
}
