//! One operation: what it takes, what it gives, what it does.

use std::{fmt, future::Future, rc::Rc};

use futures::future::LocalBoxFuture;
use serde_json::Value;

use super::Context;
use crate::schema::Schema;

/// Why an operation failed, in its author's words; the model is shown them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OperationError {
    message: String,
}

impl OperationError {
    /// A failure with a message for the model: say what to do next, and nothing secret.
    #[must_use]
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into() }
    }
}

impl fmt::Display for OperationError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for OperationError {}

type Run = dyn Fn(Value, Context) -> LocalBoxFuture<'static, Result<Value, OperationError>>;

/// A typed operation.
///
/// ```
/// use mycelium::{operation::Operation, schema::Schema};
/// use serde_json::json;
///
/// let ping = Operation::new(Schema::new(json!({"type": "object"}))?, |_, _| async {
///     Ok(json!({"value": "pong"}))
/// })
/// .describe("Answers pong.");
/// assert_eq!(ping.description(), "Answers pong.");
/// # Ok::<(), mycelium::schema::SchemaError>(())
/// ```
#[derive(Clone)]
pub struct Operation {
    description: String,
    input: Schema,
    output: Option<Schema>,
    run: Rc<Run>,
}

impl Operation {
    /// An operation that takes what `input` describes; `run` gets only valid input.
    pub fn new<R, F>(input: Schema, run: R) -> Self
    where
        R: Fn(Value, Context) -> F + 'static,
        F: Future<Output = Result<Value, OperationError>> + 'static,
    {
        let run: Rc<Run> = Rc::new(move |input, context| Box::pin(run(input, context)));
        Self { description: String::new(), input, output: None, run }
    }

    /// Says what the operation does, for the model.
    #[must_use]
    pub fn describe(mut self, description: impl Into<String>) -> Self {
        self.description = description.into();
        self
    }

    /// Declares the answer, which is then validated and never altered.
    #[must_use]
    pub fn output(mut self, output: Schema) -> Self {
        self.output = Some(output);
        self
    }

    /// What the operation does.
    #[must_use]
    pub fn description(&self) -> &str {
        &self.description
    }

    /// What it takes.
    #[must_use]
    pub fn input_schema(&self) -> &Schema {
        &self.input
    }

    /// What it gives, if it says.
    #[must_use]
    pub fn output_schema(&self) -> Option<&Schema> {
        self.output.as_ref()
    }

    /// Starts the operation's own work on valid input.
    pub(crate) fn start(
        &self,
        input: Value,
        context: Context,
    ) -> LocalBoxFuture<'static, Result<Value, OperationError>> {
        (self.run)(input, context)
    }
}

impl fmt::Debug for Operation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Operation")
            .field("description", &self.description)
            .field("input", &self.input)
            .field("output", &self.output)
            .finish_non_exhaustive()
    }
}
