//! What the methods say that both kinds of protocol have.

use serde_json::{Map, Value, json};

use super::super::{
    Caller, Listing,
    wire::{Id, Revision, RpcError, SERVER_INFO, SUPPORTED},
};
use crate::{operation::Trace, runtime::ToolCall};

/// Milliseconds for which a client may keep what it was told without sessions: none,
/// for grants may change at any time.
const TTL_MS: u64 = 0;

fn server_info() -> Value {
    json!({ "name": "mycelium", "title": "Mycelium", "version": env!("CARGO_PKG_VERSION") })
}

/// `initialize`.
pub(super) fn initialize(revision: Revision, instructions: Option<&str>) -> Value {
    let mut result = json!({
        "protocolVersion": revision.as_str(),
        "capabilities": { "tools": {} },
        "serverInfo": server_info(),
    });
    instruct(&mut result, instructions);
    result
}

/// `server/discover`.
pub(super) fn discover(instructions: Option<&str>) -> Value {
    let mut result = json!({
        "supportedVersions": SUPPORTED,
        "capabilities": { "tools": {} },
        "ttlMs": TTL_MS,
        "cacheScope": "private",
    });
    instruct(&mut result, instructions);
    result
}

fn instruct(result: &mut Value, instructions: Option<&str>) {
    if let (Some(instructions), Some(result)) = (instructions, result.as_object_mut()) {
        result.insert("instructions".to_owned(), Value::from(instructions));
    }
}

/// `tools/list` with sessions.
pub(super) fn list(listing: Listing) -> Value {
    json!({ "tools": listing.tools })
}

/// `tools/list` without.
pub(super) fn list_stateless(listing: Listing) -> Value {
    json!({ "tools": listing.tools, "ttlMs": TTL_MS, "cacheScope": "private" })
}

/// What every complete result of the revision without sessions tells in its `_meta`.
pub(super) fn complete() -> String {
    format!(r#""{SERVER_INFO}":{}"#, server_info())
}

/// A result of the revision without sessions.
pub(super) fn completed(mut result: Value) -> Value {
    if let Some(result) = result.as_object_mut() {
        result.insert("resultType".to_owned(), Value::from("complete"));
        result.insert("_meta".to_owned(), json!({ SERVER_INFO: server_info() }));
    }
    result
}

/// Refuses a place in a list that has but one page.
pub(super) fn one_page(params: &Map<String, Value>) -> Result<(), RpcError> {
    match params.get("cursor") {
        None | Some(Value::Null) => Ok(()),
        Some(_) => Err(RpcError::params("there is one page: leave cursor out")),
    }
}

/// What `initialize` asks for.
pub(super) fn asked_revision(params: &Map<String, Value>) -> Result<Revision, RpcError> {
    match params.get("protocolVersion") {
        Some(Value::String(version)) => Ok(Revision::offered(version)),
        _ => Err(RpcError::params("protocolVersion is a string")),
    }
}

/// The caller of a request: what the message itself says of a trace is closer than what the
/// connection does.
pub(super) fn traced(caller: &Caller, params: &Map<String, Value>) -> Caller {
    let said = params.get("_meta").and_then(|meta| meta.get(Trace::HEADER));
    let trace = said.and_then(Value::as_str).and_then(Trace::read).or(caller.trace);
    Caller { trace, ..caller.clone() }
}

/// The call that `tools/call` asks for.
pub(super) fn tool_call(id: &Id, params: &Map<String, Value>) -> Result<ToolCall, RpcError> {
    if params.get("task").is_some_and(|task| !task.is_null()) {
        return Err(RpcError::no_method("tools/call as a task"));
    }
    let Some(Value::String(name)) = params.get("name") else {
        return Err(RpcError::params("name is a string"));
    };
    let arguments = params.get("arguments").cloned();
    let arguments = arguments.unwrap_or_else(|| Value::Object(Map::new()));
    Ok(ToolCall { id: id.to_string(), name: name.clone(), arguments })
}
