//! From a model's call to a program that is about to run.

use std::{cell::Cell, fmt, rc::Rc};

use futures::{FutureExt, stream::LocalBoxStream};
use serde_json::{Value, json};

use super::{Part, describe::describe, part::parts};
use crate::{
    failure::Failure,
    operation::Cancellation,
    runtime::{lease::LeaseState, progress::Steps},
};

/// Why a call isn't one of this tool's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArgumentError(&'static str);

impl fmt::Display for ArgumentError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: call execute with {{\"code\": \"return …\"}}", self.0)
    }
}

impl std::error::Error for ArgumentError {}

/// A model's call of a tool.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolCall {
    /// The call's id, which operations are told.
    pub id: String,
    /// The tool's name.
    pub name: String,
    /// The arguments as they came.
    pub arguments: Value,
}

/// The `execute` tool over one lease.
#[derive(Clone)]
pub struct ExecuteTool {
    lease: Rc<LeaseState>,
}

impl ExecuteTool {
    /// The tool's name.
    pub const NAME: &'static str = "execute";

    pub(in crate::runtime) fn new(lease: Rc<LeaseState>) -> Self {
        Self { lease }
    }

    /// What the model is told. It names only what it can call.
    #[must_use]
    pub fn description(&self) -> String {
        let budget = self.lease.runtime().engine.limits.description_bytes;
        describe(self.lease.catalog(), self.lease.standing(), budget)
    }

    /// A closed object with the program's text.
    #[must_use]
    pub fn input_schema() -> Value {
        json!({
            "type": "object",
            "properties": {
                "code": { "type": "string", "description": "The body of an async function." },
            },
            "required": ["code"],
            "additionalProperties": false,
        })
    }

    /// Checks a call. Nothing has happened yet when it is given back.
    ///
    /// # Errors
    ///
    /// An [`ArgumentError`] that says what to send.
    pub fn prepare(&self, call: &ToolCall) -> Result<Prepared, ArgumentError> {
        if call.name != Self::NAME {
            return Err(ArgumentError("the tool's name is execute"));
        }
        let code = code(&call.arguments)?;
        Ok(Prepared {
            lease: Rc::clone(&self.lease),
            tool_call_id: call.id.as_str().into(),
            code: code.into(),
            executed: Cell::new(false),
            telling_calls: false,
        })
    }
}

fn code(arguments: &Value) -> Result<&str, ArgumentError> {
    let Value::Object(arguments) = arguments else {
        return Err(ArgumentError("the arguments are an object"));
    };
    if arguments.keys().any(|key| key != "code") {
        return Err(ArgumentError("there is no argument but code"));
    }
    match arguments.get("code") {
        Some(Value::String(code)) => Ok(code),
        Some(_) => Err(ArgumentError("code is a string")),
        None => Err(ArgumentError("code is missing")),
    }
}

/// A checked call, to be executed once.
pub struct Prepared {
    lease: Rc<LeaseState>,
    tool_call_id: Rc<str>,
    code: Rc<str>,
    executed: Cell<bool>,
    telling_calls: bool,
}

impl Prepared {
    /// Makes a part of progress of each call that ends, too: for a caller who has asked to
    /// be told how far it has come.
    #[must_use]
    pub fn telling_calls(mut self) -> Self {
        self.telling_calls = true;
        self
    }

    /// Runs the program; the last part is its result. Parts before it are there only when
    /// it has to wait for its turn, or when an operation reports.
    ///
    /// Dropping the stream cancels the execution as its caller. Executing a second
    /// time runs nothing and gives `already-executed`.
    pub fn execute(&self, cancellation: Cancellation) -> LocalBoxStream<'static, Part> {
        let lease = Rc::clone(&self.lease);
        let (code, id) = (Rc::clone(&self.code), Rc::clone(&self.tool_call_id));
        let again = self.executed.replace(true);
        let steps = Steps::new(Rc::clone(&lease.runtime().engine.ports.handoff));
        let teller = steps.teller(self.telling_calls);
        let outcome = async move {
            if again {
                return lease.runtime().engine.refuse(Failure::AlreadyExecuted {});
            }
            lease.execute(&code, Some(id), cancellation, teller).await
        };
        parts(outcome.boxed_local(), steps)
    }
}
