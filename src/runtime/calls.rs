//! One execution's calls: from the guest's text to an operation and back.

use std::{cell::RefCell, rc::Rc};

use futures::FutureExt;

use crate::{
    failure::{Failure, MESSAGE_BYTES, bounded},
    json,
    operation::{Catalog, Context, ContextBuilder, Entry, Fault, GateRefusal},
    port::Console,
    sandbox::{Bindings, CallFuture},
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
    facts: ContextBuilder,
    frame_bytes: usize,
    console: Rc<dyn Console>,
    record: Rc<RefCell<Vec<Call>>>,
}

impl Calls {
    pub(super) fn new(
        catalog: Rc<Catalog>,
        facts: ContextBuilder,
        frame_bytes: usize,
        console: Rc<dyn Console>,
    ) -> Self {
        Self { catalog, facts, frame_bytes, console, record: Rc::default() }
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
        let context = self.facts.clone().operation_ordinal(ordinal).build();
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

/// Decode, ask the gates, run, encode.
async fn perform(
    entry: &Entry,
    input: &str,
    context: Context,
    frame_bytes: usize,
    console: &dyn Console,
) -> Result<String, Failure> {
    let failed = |fault: Fault| {
        let (failure, evidence) = fault.failure(entry.path());
        if let Some(evidence) = evidence {
            console.warn(&evidence);
        }
        failure
    };
    let invalid = |problem: String| failed(Fault::Input { problem });
    let input = json::parse(input).map_err(|error| invalid(error.to_string()))?;
    let decoded = entry.operation().decode(input).map_err(failed)?;
    entry.pass_gates(&context).await.map_err(|refusal| refused(entry, refusal, console))?;
    let output = decoded.run(context).await.map_err(failed)?;
    encode(&output, frame_bytes).map_err(failed)
}

fn refused(entry: &Entry, refusal: GateRefusal, console: &dyn Console) -> Failure {
    let problem = match refusal {
        GateRefusal::Refused { message } => bounded(&message, MESSAGE_BYTES),
        GateRefusal::Failed { evidence } => {
            console.warn(&format!("operation {}: {evidence}", entry.path()));
            "its gate can't tell whether it may run, and so it did not".to_owned()
        }
    };
    Failure::CapabilityFailed { operation: entry.path().to_owned(), problem }
}

fn encode(output: &serde_json::Value, frame_bytes: usize) -> Result<String, Fault> {
    let text = output.to_string();
    if text.len() > frame_bytes {
        let problem = format!("it has {} bytes, the limit is {frame_bytes}", text.len());
        return Err(Fault::Output { problem });
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use std::{cell::RefCell, rc::Rc};

    use futures::executor::block_on;
    use serde_json::json;

    use super::Calls;
    use crate::{
        failure::Failure,
        operation::{Catalog, Context, GateCall, GateRefusal, Module, Operation},
        port::Console,
        sandbox::Bindings,
    };

    #[derive(Clone, Default)]
    struct Lines(Rc<RefCell<Vec<String>>>);

    impl Console for Lines {
        fn warn(&self, line: &str) {
            self.0.borrow_mut().push(line.to_owned());
        }
    }

    /// Calls `m.run`, which takes an object, and tells who was asked what on the way.
    fn call(input: &str, refusal: Option<GateRefusal>) -> (Result<String, Failure>, Lines) {
        let seen = Lines::default();
        let (ran, asked) = (seen.clone(), seen.clone());
        let run = Operation::new(json!({"type": "object"}), move |_, context| {
            ran.warn(&format!("ran as {:?}", context.operation_ordinal()));
            async { Ok(json!("done")) }
        });
        let module = Module::new("m", "m").operation("run", run).gate(move |call: GateCall| {
            asked.warn(&format!("asked for {}", call.operation));
            std::future::ready(refusal.clone().map_or(Ok(()), Err))
        });
        let catalog = Rc::new(Catalog::new([module]).unwrap());
        let calls = Calls::new(catalog, Context::builder(), 1_024, Rc::new(seen.clone()));
        (block_on(calls.call(5, 0, input).unwrap()), seen)
    }

    #[test]
    fn input_is_decoded_then_the_gate_asked_then_the_operation_run() {
        let (answer, seen) = call("[]", None);
        assert_eq!(answer.unwrap_err().code(), "input-invalid");
        assert!(seen.0.borrow().is_empty());
        let (answer, seen) = call("{}", None);
        assert_eq!(answer.as_deref(), Ok("\"done\""));
        assert_eq!(*seen.0.borrow(), ["asked for run", "ran as Some(5)"]);
    }

    #[test]
    fn an_operation_behind_a_shut_gate_does_not_run() {
        let (answer, seen) = call("{}", Some(GateRefusal::refused("ask the owner")));
        assert!(answer.unwrap_err().to_string().contains("ask the owner"));
        assert_eq!(*seen.0.borrow(), ["asked for run"]);
        let (answer, seen) = call("{}", Some(GateRefusal::failed(&"canary")));
        assert!(!answer.unwrap_err().to_string().contains("canary"));
        assert_eq!(*seen.0.borrow(), ["asked for run", "operation m.run: canary"]);
    }
}
