//! One operation that is installed: it can be looked at and called, not edited.

use std::{fmt, panic::AssertUnwindSafe, rc::Rc};

use futures::{FutureExt, future::LocalBoxFuture};
use serde_json::Value;

use super::{Context, Fault, Labels};
use crate::schema::Schema;

/// From valid input to the author's work, ready to start.
pub(super) type Decoder = dyn Fn(Value) -> Result<Run, Fault>;

/// The author's work over decoded input.
pub(super) type Run = Box<dyn FnOnce(Context) -> LocalBoxFuture<'static, Result<Value, Fault>>>;

/// An installed operation.
///
/// It is called in two steps, for access has its say between them:
/// [`decode`](Self::decode), then the gates, then [`run`](Decoded::run).
#[derive(Clone)]
pub struct Callable {
    pub(super) description: String,
    pub(super) notes: Vec<String>,
    pub(super) instructions: Option<String>,
    pub(super) input: Schema,
    pub(super) output: Option<Schema>,
    pub(super) labels: Labels,
    pub(super) decoder: Rc<Decoder>,
}

impl Callable {
    /// What the operation does; may be empty.
    #[must_use]
    pub fn description(&self) -> &str {
        &self.description
    }

    /// What the capability behind it can and can't do.
    #[must_use]
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// How it is used well.
    #[must_use]
    pub fn instructions(&self) -> Option<&str> {
        self.instructions.as_deref()
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

    /// What it does to the world.
    #[must_use]
    pub fn labels(&self) -> Labels {
        self.labels
    }

    /// Checks and decodes `input`. Nothing of the operation's own work starts.
    ///
    /// # Errors
    ///
    /// [`Fault::Input`] when the schema doesn't take it, [`Fault::Host`] when the
    /// author's decoder breaks at what the schema took.
    pub fn decode(&self, input: Value) -> Result<Decoded, Fault> {
        self.input.validate(&input).map_err(|error| Fault::Input { problem: error.to_string() })?;
        let run = (self.decoder)(input)?;
        Ok(Decoded { run, output: self.output.clone() })
    }
}

impl fmt::Debug for Callable {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Callable")
            .field("description", &self.description)
            .field("labels", &self.labels)
            .field("input", &self.input)
            .field("output", &self.output)
            .finish_non_exhaustive()
    }
}

/// A call whose input is decoded and whose work hasn't started.
#[must_use = "the operation runs when this is run"]
pub struct Decoded {
    run: Run,
    output: Option<Schema>,
}

impl Decoded {
    /// Does the work. The answer is what the operation declares, unaltered.
    ///
    /// # Errors
    ///
    /// [`Fault::Operation`] in the author's words, [`Fault::Output`] for an answer
    /// other than declared, [`Fault::Host`] for a panic or a broken encoder.
    pub async fn run(self, context: Context) -> Result<Value, Fault> {
        let Self { run, output } = self;
        let work = async move { run(context).await };
        let answer = AssertUnwindSafe(work)
            .catch_unwind()
            .await
            .unwrap_or_else(|payload| Err(Fault::panic("the operation", &*payload)))?;
        if let Some(schema) = output {
            schema
                .validate(&answer)
                .map_err(|error| Fault::Output { problem: error.to_string() })?;
        }
        Ok(answer)
    }
}

impl fmt::Debug for Decoded {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Decoded").field("output", &self.output).finish_non_exhaustive()
    }
}
