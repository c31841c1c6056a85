//! What this server sends, as text.

use serde_json::{Value, json};

use super::{Id, RpcError, code};
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
    error(id, &RpcError::new(code, message))
}

/// The error for request `id`; without one when the id couldn't be read.
#[must_use]
pub fn error(id: Option<&Id>, error: &RpcError) -> String {
    let mut reply = json!({"jsonrpc": "2.0", "error": error.to_value()});
    if let (Some(id), Some(reply)) = (id, reply.as_object_mut()) {
        reply.insert("id".to_owned(), id.to_value());
    }
    reply.to_string()
}

/// A notification.
#[must_use]
pub fn notification(method: &str, params: Value) -> String {
    json!({"jsonrpc": "2.0", "method": method, "params": params}).to_string()
}

/// A request of ours.
#[must_use]
pub fn request(id: &Id, method: &str, params: Value) -> String {
    json!({"jsonrpc": "2.0", "id": id.to_value(), "method": method, "params": params}).to_string()
}
