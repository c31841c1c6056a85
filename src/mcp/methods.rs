//! What each method answers.

use serde_json::{Map, Value, json};

use super::wire::{Id, REVISION, code, coded};
use crate::{
    failure::Failure,
    runtime::{ExecuteTool, Part, ToolCall},
};

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
pub(super) fn list_tools(tool: &ExecuteTool, params: &Map<String, Value>) -> Answer {
    if params.get("cursor").is_some_and(|cursor| !cursor.is_null()) {
        return Err((code::INVALID_PARAMS, "there is one page: leave cursor out".to_owned()));
    }
    let tool = json!({
        "name": ExecuteTool::NAME,
        "title": "Execute a program",
        "description": tool.description(),
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

/// The call that a `tools/call` asks for.
pub(super) fn tool_call(id: &Id, params: &Map<String, Value>) -> Result<ToolCall, (i32, String)> {
    match params.get("name") {
        Some(Value::String(name)) if name == ExecuteTool::NAME => Ok(ToolCall {
            id: id.to_string(),
            name: name.clone(),
            arguments: params.get("arguments").cloned().unwrap_or(Value::Null),
        }),
        Some(Value::String(name)) => {
            let name = crate::failure::bounded(name, 100);
            let message = format!("there is no tool {name:?}: the one tool is execute");
            Err((code::INVALID_PARAMS, message))
        }
        _ => Err((code::INVALID_PARAMS, "name is a string".to_owned())),
    }
}

/// The last part of an executed call as a tool result, with how many isolates it took.
pub(super) fn part_result(part: &Part) -> Value {
    let mut result = tool_result(&part.result.content, part.result.is_error);
    if let Some(members) = result.as_object_mut() {
        members.insert("_meta".to_owned(), json!({ "isolates": part.outcome.isolates }));
    }
    result
}

/// A call that didn't come to be executed, as a tool result.
pub(super) fn refusal_result(code: &str, message: &str) -> Value {
    tool_result(&[format!("{code}: {message}")], true)
}

/// A failure before any tool was asked, as an error of the protocol.
pub(super) fn unavailable(failure: &Failure) -> (i32, String) {
    (code::INTERNAL_ERROR, coded(failure))
}

fn tool_result(texts: &[String], is_error: bool) -> Value {
    let content: Vec<Value> =
        texts.iter().map(|text| json!({ "type": "text", "text": text })).collect();
    json!({ "content": content, "isError": is_error })
}
