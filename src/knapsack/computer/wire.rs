//! What is sent to a computer and what comes back, as JSON.
//!
//! `{"operation", "input", "context": {"executionId", "toolCallId", "operationOrdinal",
//! "deadlineMs"}}`, where a fact of the context that nobody has is left out; and
//! `{"value"}` or `{"error": {"message"}}`.

use serde_json::{Map, Value, json};

use super::ComputerError;
use crate::operation::Context;

/// What a call sends.
#[must_use]
pub fn call_body(operation: &str, input: &Value, context: &Context) -> Value {
    let facts = [
        ("executionId", context.execution_id().map(Value::from)),
        ("toolCallId", context.tool_call_id().map(Value::from)),
        ("operationOrdinal", context.operation_ordinal().map(Value::from)),
        ("deadlineMs", context.deadline_ms().map(Value::from)),
    ];
    let facts = facts.into_iter().filter_map(|(name, fact)| Some((name.to_owned(), fact?)));
    json!({"operation": operation, "input": input, "context": facts.collect::<Map<_, _>>()})
}

/// What came back: the value, or the computer's own failure.
///
/// # Errors
///
/// [`ComputerError::Failed`] in its words; [`ComputerError::Unknown`] for what is neither.
pub fn answer(body: Value) -> Result<Value, ComputerError> {
    let Value::Object(mut body) = body else { return Err(senseless()) };
    let alone = body.len() == 1;
    if let Some(value) = body.remove("value").filter(|_| alone) {
        return Ok(value);
    }
    let message = body.get("error").and_then(|error| error.get("message")?.as_str());
    match message.filter(|_| alone) {
        Some(message) => Err(ComputerError::Failed { message: message.to_owned() }),
        None => Err(senseless()),
    }
}

fn senseless() -> ComputerError {
    ComputerError::unknown("the answer is neither a value nor an error")
}
