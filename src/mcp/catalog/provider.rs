//! The contract of a host's catalog.

use std::rc::Rc;

use futures::future::LocalBoxFuture;
use serde_json::Value;

use super::{CallResult, McpExecutionContext, McpTool};
use crate::{
    failure::Failure,
    mcp::{Principal, wire::RpcError},
    runtime::{
        Source, ToolCall,
        access::{Grants, Moment, SessionGrants, Unreadable},
    },
};

/// What a principal may use at one moment.
#[derive(Clone, Default)]
pub struct Authority {
    /// What the model is told beside the tools.
    pub instructions: Option<String>,
    /// Where modules come from; the host's own when absent.
    pub sources: Option<Vec<Rc<dyn Source>>>,
    /// What is granted: a module that isn't named has nothing. When absent, the host's
    /// own policy says it all.
    pub grants: Option<Rc<Grants>>,
    /// Where the grants are read anew at each call of a program, if they may change while it
    /// runs; it counts only where there are `grants`.
    pub live: Option<Rc<dyn SessionGrants>>,
}

/// Why a session isn't open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotOpen {
    /// As many work as may.
    Full,
    /// The catalog can't say; for the operator.
    Unavailable(String),
}

/// Where a principal's sessions live, and what they may use now.
///
/// The server compares the principal of a session with the caller's by itself.
pub trait McpCatalogProvider {
    /// Opens a session named `id`, reserving one of `bound` places of the principal's
    /// at once.
    fn open(
        &self,
        principal: &Principal,
        id: &str,
        bound: usize,
    ) -> LocalBoxFuture<'static, Result<Rc<dyn McpSession>, NotOpen>>;

    /// The session named `id`, when it is open and the principal's; it has a place
    /// again if it had lost its.
    fn resume(
        &self,
        principal: &Principal,
        id: &str,
    ) -> LocalBoxFuture<'static, Result<Option<Rc<dyn McpSession>>, NotOpen>>;

    /// What the principal may use at this moment, read anew.
    fn refresh(
        &self,
        principal: &Principal,
        moment: Moment,
    ) -> LocalBoxFuture<'static, Result<Rc<Authority>, Unreadable>>;

    /// Ends the session named `id`.
    fn end(&self, principal: &Principal, id: &str) -> LocalBoxFuture<'static, ()>;

    /// What serves one request of the revision without sessions.
    fn visit(&self, principal: &Principal) -> Rc<dyn McpSession>;
}

/// What `tools/list` says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Listing {
    /// The tools, each as the protocol has it.
    pub tools: Vec<Value>,
}

/// One principal's session with a catalog.
pub trait McpSession {
    /// Its name.
    fn id(&self) -> &str;

    /// Whose it is.
    fn principal(&self) -> &Principal;

    /// Tools that speak the protocol themselves.
    fn tools(&self) -> Vec<Rc<dyn McpTool>>;

    /// The tools there are, under `authority`.
    fn list(&self, authority: Rc<Authority>) -> LocalBoxFuture<'static, Result<Listing, Failure>>;

    /// Whether calling this tool may have to ask somebody, of a client that can show a
    /// form or can't.
    fn asks(
        &self,
        tool: &str,
        form: bool,
        authority: Rc<Authority>,
    ) -> LocalBoxFuture<'static, Result<bool, Failure>>;

    /// Calls a tool. What runs, runs under `context.access`; nothing of the context is
    /// of use once the call has ended.
    fn call(
        &self,
        call: ToolCall,
        context: McpExecutionContext,
    ) -> LocalBoxFuture<'static, Result<CallResult, RpcError>>;
}
