//! Answers as text.

use serde_json::{Value, json};

use super::{Id, code};
use crate::failure::Failure;

/// The error for a request that failed in the host, whichever request it was.
#[must_use]
pub fn host_failure(host: &Failure) -> String {
    failure(None, code::INTERNAL_ERROR, &coded(host))
}

/// A failure as one text: its code, then its message.
#[must_use]
pub fn coded(failure: &Failure) -> String {
    format!("{}: {failure}", failure.code())
}

/// The answer to request `id`.
#[must_use]
pub fn success(id: &Id, result: Value) -> String {
    json!({"jsonrpc": "2.0", "id": id.to_value(), "result": result}).to_string()
}

/// The error for request `id`; without one when the id couldn't be read.
#[must_use]
pub fn failure(id: Option<&Id>, code: i32, message: &str) -> String {
    let mut reply = json!({"jsonrpc": "2.0", "error": {"code": code, "message": message}});
    if let (Some(id), Some(reply)) = (id, reply.as_object_mut()) {
        reply.insert("id".to_owned(), id.to_value());
    }
    reply.to_string()
}
