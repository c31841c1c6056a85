//! One execution's calls: from the guest's text to an operation and back.

use std::{cell::RefCell, panic::AssertUnwindSafe, rc::Rc};

use futures::FutureExt;

use crate::{
    failure::{Failure, MESSAGE_BYTES, bounded},
    json,
    operation::{Catalog, Context, Entry, Operation},
    port::Console,
    sandbox::{Bindings, CallFuture},
    schema::{SchemaError, Subject},
};

/// How a call went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallOutcome {
    /// It hadn't ended when the execution did.
    Unsettled,
    /// It gave its answer.
    Done,
    /// It failed, with this code.
    Failed(&'static str),
}

/// One call that a program made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The operation's path.
    pub path: String,
    /// How it went.
    pub outcome: CallOutcome,
}

/// The bindings of one execution, with a record of every call in its order.
pub(super) struct Calls {
    catalog: Rc<Catalog>,
    execution_id: Rc<str>,
    frame_bytes: usize,
    console: Rc<dyn Console>,
    record: Rc<RefCell<Vec<Call>>>,
}

impl Calls {
    pub(super) fn new(
        catalog: Rc<Catalog>,
        execution_id: Rc<str>,
        frame_bytes: usize,
        console: Rc<dyn Console>,
    ) -> Self {
        Self { catalog, execution_id, frame_bytes, console, record: Rc::default() }
    }

    /// The calls so far; a call's ordinal is its position.
    pub(super) fn record(&self) -> Vec<Call> {
        self.record.borrow().clone()
    }

    /// The session holds ordinals to 0, 1, 2, …, so the next one is the length.
    fn admit(&self, path: &str, outcome: CallOutcome) -> usize {
        let mut record = self.record.borrow_mut();
        record.push(Call { path: path.to_owned(), outcome });
        record.len().saturating_sub(1)
    }
}

impl Bindings for Calls {
    fn paths(&self) -> Vec<String> {
        self.catalog.entries().iter().map(|entry| entry.path().to_owned()).collect()
    }

    fn call(&self, ordinal: u64, index: usize, input: &str) -> Option<CallFuture> {
        let entry = self.catalog.get(index)?.clone();
        let position = self.admit(entry.path(), CallOutcome::Unsettled);
        let record = Rc::clone(&self.record);
        let context = Context::within(Rc::clone(&self.execution_id), ordinal);
        let console = Rc::clone(&self.console);
        let frame_bytes = self.frame_bytes;
        let input = input.to_owned();
        let call = async move {
            let result = perform(&entry, &input, context, frame_bytes, &*console).await;
            let outcome = match &result {
                Ok(_) => CallOutcome::Done,
                Err(failure) => CallOutcome::Failed(failure.code()),
            };
            if let Some(call) = record.borrow_mut().get_mut(position) {
                call.outcome = outcome;
            }
            result
        };
        Some(call.boxed_local())
    }

    fn refuse(&self, index: usize, failure: &Failure) {
        if let Some(entry) = self.catalog.get(index) {
            self.admit(entry.path(), CallOutcome::Failed(failure.code()));
        }
    }
}

/// Decode, run, encode.
async fn perform(
    entry: &Entry,
    input: &str,
    context: Context,
    frame_bytes: usize,
    console: &dyn Console,
) -> Result<String, Failure> {
    let invalid = |problem: String| Failure::InputInvalid {
        operation: entry.path().to_owned(),
        problem: bounded(&problem, MESSAGE_BYTES),
    };
    let input =
        json::parse_input(input, frame_bytes).map_err(|error| invalid(error.to_string()))?;
    let operation = entry.operation();
    let fault =
        |error| schema_fault(&error, entry, console).unwrap_or_else(|| invalid(error.to_string()));
    operation.input_schema().validate(&input).map_err(fault)?;
    let output = run(entry, operation, input, context, console).await?;
    encode(entry, operation, &output, frame_bytes, console)
}

/// Runs the author's code. A panic in it is a fault of the host's, and fails this call alone.
async fn run(
    entry: &Entry,
    operation: &Operation,
    input: serde_json::Value,
    context: Context,
    console: &dyn Console,
) -> Result<serde_json::Value, Failure> {
    let started = async { operation.start(input, context).await };
    match AssertUnwindSafe(started).catch_unwind().await {
        Ok(Ok(output)) => Ok(output),
        Ok(Err(error)) => Err(Failure::CapabilityFailed {
            operation: entry.path().to_owned(),
            problem: bounded(&error.to_string(), MESSAGE_BYTES),
        }),
        Err(_panic) => {
            console.warn(&format!("the operation {} panicked", entry.path()));
            Err(Failure::Unknown {})
        }
    }
}

/// The failure of a call whose schema can't be used: the host's fault, no value mends it.
fn schema_fault(error: &SchemaError, entry: &Entry, console: &dyn Console) -> Option<Failure> {
    (error.subject() == Subject::Schema).then(|| {
        console.warn(&format!("the operation {}: {error}", entry.path()));
        Failure::Unknown {}
    })
}

fn encode(
    entry: &Entry,
    operation: &Operation,
    output: &serde_json::Value,
    frame_bytes: usize,
    console: &dyn Console,
) -> Result<String, Failure> {
    let invalid = |problem: String| Failure::OutputInvalid {
        operation: entry.path().to_owned(),
        problem: bounded(&problem, MESSAGE_BYTES),
    };
    if let Some(schema) = operation.output_schema() {
        let fault = |error| {
            schema_fault(&error, entry, console).unwrap_or_else(|| invalid(error.to_string()))
        };
        schema.validate(output).map_err(fault)?;
    }
    json::encode_output(output, frame_bytes).map_err(|error| invalid(error.to_string()))
}
