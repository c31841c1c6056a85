//! One tool call, from authority to result, in both kinds of protocol.

use std::{panic::AssertUnwindSafe, rc::Rc};

use futures::FutureExt;
use serde_json::{Map, Value};

use super::{
    super::{
        Authority, CallResult, Caller, McpExecutionContext, McpSession, Peer,
        catalog::{Access, access},
        wire::{RpcError, code, coded},
    },
    ServerParts,
};
use crate::{
    failure::Failure,
    operation::Cancellation,
    runtime::{
        ToolCall,
        access::{Moment, Unreadable},
    },
};

/// A call that is about to be made.
pub(super) struct Calling {
    pub(super) parts: ServerParts,
    pub(super) session: Rc<dyn McpSession>,
    pub(super) caller: Caller,
    /// What the caller may use, when it was read for this call already.
    pub(super) authority: Option<Rc<Authority>>,
    /// Whether a person can be asked; nothing when nobody knows.
    pub(super) asks: Option<bool>,
    pub(super) cancellation: Cancellation,
    pub(super) peer: Rc<dyn Peer>,
}

impl Calling {
    /// Makes it. A panic in it is a failure of this call and of nothing else.
    pub(super) async fn make(self, call: ToolCall) -> Result<CallResult, RpcError> {
        let console = Rc::clone(&self.parts.ports.console);
        let made = AssertUnwindSafe(async move { self.made(call).await }).catch_unwind().await;
        made.unwrap_or_else(|_panic| {
            console.warn("a tool call panicked");
            Ok(CallResult::failure(coded(&Failure::Unknown {})))
        })
    }

    async fn made(self, call: ToolCall) -> Result<CallResult, RpcError> {
        let provider = Rc::clone(&self.parts.catalog);
        let principal = &self.caller.principal;
        // The session's own word counts, whatever the catalog gave for whom.
        if !self.session.principal().is(principal) {
            return Err(RpcError::new(code::INVALID_REQUEST, "there is no such session"));
        }
        let authority = match self.authority {
            Some(authority) => authority,
            None => {
                let read = provider.refresh(principal, Moment::Call).await;
                read.map_err(|error| unreadable(&error, &self.parts))?
            }
        };
        let trace = self.caller.trace;
        let (access, live) = access(Access {
            provider,
            authenticate: Rc::clone(&self.parts.authenticate),
            caller: self.caller,
            authority: Rc::clone(&authority),
            asks: self.asks,
            peer: Rc::clone(&self.peer),
        });
        let context = McpExecutionContext {
            access,
            authority,
            trace,
            cancellation: self.cancellation,
            peer: self.peer,
        };
        let result = self.session.call(call, context).await;
        drop(live);
        result
    }
}

/// What the catalog can't say is for the operator; the client hears that it can't.
pub(super) fn unreadable(error: &Unreadable, parts: &ServerParts) -> RpcError {
    parts.ports.console.warn(&error.to_string());
    let message = "what you may use can't be read: try again later";
    RpcError::new(code::INTERNAL_ERROR, message)
}

/// The capabilities that a tool needs and a client hasn't declared.
pub(super) fn missing(
    session: &dyn McpSession,
    name: &str,
    declared: &Map<String, Value>,
) -> Option<Value> {
    let tools = session.tools();
    let tool = tools.iter().find(|tool| tool.listed().get("name") == Some(&Value::from(name)))?;
    let mut needed = tool.requires();
    needed.retain(|capability, _| !declared.contains_key(capability));
    (!needed.is_empty()).then_some(Value::Object(needed))
}

/// A call's answer as text.
pub(super) fn answer(
    id: &crate::mcp::wire::Id,
    result: Result<CallResult, RpcError>,
    complete: Option<&str>,
) -> String {
    match result {
        Ok(result) => {
            let (id, result) = (id.to_value(), result.write(complete));
            format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#)
        }
        Err(error) => crate::mcp::wire::error(Some(id), &error),
    }
}
