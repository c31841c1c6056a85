//! The client of a call, as far as a call may reach it.

use std::rc::Rc;

use futures::future::LocalBoxFuture;
use serde_json::{Map, Value};

use super::CallResult;
use crate::mcp::wire::RpcError;

/// Something that a client is asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// Names it among the questions of a call.
    pub key: String,
    /// The method: `elicitation/create`, for one.
    pub method: &'static str,
    /// With what.
    pub params: Value,
}

/// What came of asking.
#[derive(Clone, Debug, PartialEq)]
pub enum Asked {
    /// The client's result.
    Answered(Value),
    /// The client couldn't.
    Failed(Value),
    /// There is no way to ask, or none any more.
    Unreachable,
}

/// The client of one call.
pub trait Peer {
    /// Says how far the call has come, when the client wants to know.
    fn progress(&self, progress: f64, total: Option<f64>, message: Option<&str>);

    /// Asks the client, and waits as long as it takes. Dropping the future withdraws
    /// the question.
    fn ask(&self, question: Question) -> LocalBoxFuture<'static, Asked>;

    /// What the client says it can do.
    fn capabilities(&self) -> Map<String, Value>;

    /// Ends the connection that the client waits on; it comes back for the answer,
    /// where its revision can.
    fn cut(&self);
}

/// A tool that speaks the protocol itself, beside `execute`.
pub trait McpTool {
    /// The tool as `tools/list` has it, its name in it.
    fn listed(&self) -> Value;

    /// The capabilities that a client must have declared.
    fn requires(&self) -> Map<String, Value> {
        Map::new()
    }

    /// Whether it may ask.
    fn asks(&self) -> bool {
        false
    }

    /// Calls it.
    fn call(
        &self,
        arguments: Value,
        peer: Rc<dyn Peer>,
    ) -> LocalBoxFuture<'static, Result<CallResult, RpcError>>;
}
