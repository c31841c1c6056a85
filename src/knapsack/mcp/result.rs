//! What a tool's result becomes for a program.

use serde_json::{Map, Value, json};

use super::Tool;
use crate::{
    json::encode_output,
    limits::FRAME_BYTES,
    operation::OperationError,
    schema::{Schema, Subject},
};

/// Room in a frame for what stands beside a value.
const ENVELOPE: usize = 16 * 1_024;

/// The most blocks that are announced one by one.
const ANNOUNCED: usize = 20;

/// What a program gets, and what it is told beside it.
pub(super) struct Given {
    pub(super) value: Value,
    /// What the value can't hold.
    pub(super) beside: Option<String>,
}

/// What a program gets of a result of `tool`.
///
/// # Errors
///
/// The result is none, or its `structuredContent` isn't what the tool declares.
pub(super) fn given(result: Value, tool: &Tool) -> Result<Given, OperationError> {
    let Value::Object(mut result) = result else {
        return Err(OperationError::output_of("it is no result of a tool", result));
    };
    if result.get("resultType").and_then(Value::as_str) == Some("input_required") {
        return Err(OperationError::new(
            "the server wants to be told more by a person first, which can't be done here, so it \
             did not finish: do without this tool",
        ));
    }
    let is_error = result.get("isError").and_then(Value::as_bool).unwrap_or(false);
    let structured = result.remove("structuredContent").filter(|value| !value.is_null());
    let content = result.remove("content");
    match (structured, is_error) {
        (Some(value), false) => {
            checked(&value, tool)?;
            let beside = beside(content.as_ref(), &value);
            Ok(Given { value, beside })
        }
        (structured, is_error) => enveloped(content, structured, is_error),
    }
}

fn checked(value: &Value, tool: &Tool) -> Result<(), OperationError> {
    let Some(schema) = &tool.output else { return Ok(()) };
    match schema.validate(value) {
        // A pattern that no engine takes refuses nothing: the server keeps its own rules.
        Err(error) if error.subject() == Subject::Value => Err(invalid(&error.to_string(), value)),
        _ => Ok(()),
    }
}

/// The failure, with the value where a program can be handed it.
fn invalid(problem: &str, value: &Value) -> OperationError {
    match encode_output(value, FRAME_BYTES.saturating_sub(ENVELOPE)) {
        Ok(_) => OperationError::output_of(problem, value.clone()),
        Err(error) => {
            OperationError::output(format!("{problem}; it can't be handed over as it is: {error}"))
        }
    }
}

fn enveloped(
    content: Option<Value>,
    structured: Option<Value>,
    is_error: bool,
) -> Result<Given, OperationError> {
    let content = match content {
        None => Value::Array(Vec::new()),
        Some(content) if is_blocks(&content) => content,
        Some(other) => {
            return Err(invalid("at /content: it isn't a list of blocks", &other));
        }
    };
    let mut value = Map::new();
    value.insert("isError".to_owned(), is_error.into());
    value.insert("content".to_owned(), content);
    if let Some(structured) = structured {
        value.insert("structuredContent".to_owned(), structured);
    }
    Ok(Given { value: Value::Object(value), beside: None })
}

fn is_blocks(content: &Value) -> bool {
    content.as_array().is_some_and(|blocks| blocks.iter().all(Value::is_object))
}

/// What stands beside a structured value and isn't its own text.
fn beside(content: Option<&Value>, value: &Value) -> Option<String> {
    let blocks = content.and_then(Value::as_array)?;
    let others: Vec<_> = blocks.iter().filter(|block| !mirrors(block, value)).collect();
    let mut said: Vec<_> = others.iter().take(ANNOUNCED).map(|block| block_said(block)).collect();
    let more = others.len().saturating_sub(ANNOUNCED);
    if more > 0 {
        said.push(format!("{more} more"));
    }
    (!said.is_empty()).then(|| {
        let said = said.join(", ");
        format!("beside its structuredContent the server gave what isn't shown: {said}")
    })
}

/// Whether a block is the value as text, also where the server wraps it as `result`.
fn mirrors(block: &Value, value: &Value) -> bool {
    let Some(text) = block.get("text").and_then(Value::as_str) else { return false };
    let read = serde_json::from_str::<Value>(text).ok();
    let wrapped = value.as_object().filter(|object| object.len() == 1);
    let wrapped = wrapped.and_then(|object| object.get("result"));
    read.as_ref().is_some_and(|read| read == value || Some(read) == wrapped)
        || wrapped.and_then(Value::as_str) == Some(text)
}

fn block_said(block: &Value) -> String {
    let kind = block.get("type").and_then(Value::as_str).unwrap_or("a block");
    let media = block.get("mimeType").and_then(Value::as_str);
    let bytes = ["text", "data"].iter().find_map(|key| block.get(*key)?.as_str().map(str::len));
    let bytes = bytes.unwrap_or_else(|| block.to_string().len());
    let media = media.map_or_else(String::new, |media| format!(" {media:?}"));
    format!("{kind:?}{media} ({bytes} bytes)")
}

/// What a call gives, where that can be said: what the tool declares, or the envelope.
pub(super) fn declared(tool: &Tool) -> Option<Schema> {
    let Value::Object(mut own) = tool.output.as_ref()?.document().clone() else { return None };
    if !own.values().all(is_movable) {
        return None;
    }
    let mut root = Map::new();
    for key in ["$schema", "$defs", "definitions"] {
        if let Some(value) = own.remove(key) {
            root.insert(key.to_owned(), value);
        }
    }
    if own.contains_key("$ref") && own.get("$ref").is_some_and(|value| !is_definition(value)) {
        return None;
    }
    let envelope = json!({
        "type": "object",
        "properties": {
            "isError": {"type": "boolean"},
            "content": {"type": "array", "items": {"type": "object"}},
        },
        "required": ["isError", "content"],
    });
    root.insert("anyOf".to_owned(), json!([own, envelope]));
    Schema::new(Value::Object(root)).ok()
}

/// Whether all references in a part of a schema, bounded in depth, are to its definitions: they
/// mean the same when the schema stands within another.
fn is_movable(part: &Value) -> bool {
    match part {
        Value::Array(items) => items.iter().all(is_movable),
        Value::Object(keywords) => keywords.iter().all(|(key, value)| match key.as_str() {
            "$ref" => !value.is_string() || is_definition(value),
            "$id" | "$anchor" | "$dynamicRef" | "$dynamicAnchor" | "$recursiveRef" => {
                !value.is_string()
            }
            _ => is_movable(value),
        }),
        _ => true,
    }
}

fn is_definition(reference: &Value) -> bool {
    let definitions = ["#/$defs/", "#/definitions/"];
    reference.as_str().is_some_and(|to| definitions.iter().any(|under| to.starts_with(under)))
}
