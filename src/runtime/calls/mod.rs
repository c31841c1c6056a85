//! One execution's calls: from the guest's text to an operation and back.

mod perform;
mod record;

use std::rc::Rc;

use futures::{
    FutureExt,
    future::{Either, pending, select},
    pin_mut,
};

use super::{
    access::{AccessCheck, Standing},
    lease::Discovery,
    progress::Teller,
};
use crate::{
    failure::{Failure, MESSAGE_BYTES, Party, bounded},
    forage::{ForageError, Helper},
    json,
    operation::{Callable, Cancellation, Catalog, Context, ContextBuilder, Entry, Given, Signal},
    sandbox::{Bindings, CallFuture, Limits},
};

pub(crate) use perform::{Unanswered, perform};
pub(crate) use record::Record;
pub use record::{Call, CallOutcome};

/// The bindings of one execution, with a record of every call in its order.
pub(super) struct Calls {
    pub(super) catalog: Rc<Catalog>,
    /// What was granted when the lease was taken: it hides, and decides nothing.
    pub(super) standing: Standing,
    pub(super) discovery: Discovery,
    pub(super) access: AccessCheck,
    pub(super) facts: ContextBuilder,
    /// The execution's.
    pub(super) cancellation: Cancellation,
    /// That of the calls alone: it comes with the execution's, or when the program fails.
    pub(super) abandoned: Cancellation,
    pub(super) limits: Limits,
    pub(super) record: Record,
    pub(super) teller: Teller,
}

impl Bindings for Calls {
    fn paths(&self) -> Vec<String> {
        self.catalog.entries().iter().map(|entry| entry.path().to_owned()).collect()
    }

    fn hidden(&self) -> Vec<usize> {
        let entries = self.catalog.entries().iter().enumerate();
        entries
            .filter(|(_, entry)| self.standing.hides(entry.module()))
            .map(|(index, _)| index)
            .collect()
    }

    fn call(&self, ordinal: u64, index: usize, input: &str) -> Option<CallFuture> {
        let entry = self.catalog.get(index)?.clone();
        self.record.carry(input.len(), 0);
        let position = self.record.enter(entry.path());
        self.record.show(position, entry.path(), input);
        let (record, path) = (self.record.clone(), Rc::clone(entry.shared_path()));
        let reporter = self.teller.reporter(ordinal, Rc::clone(&path));
        let reporter = reporter.logging(move |line| record.log(format!("{path}: {line}")));
        let call = OneCall {
            ordinal,
            position,
            entry,
            teller: self.teller.clone(),
            access: self.access.clone(),
            record: self.record.clone(),
            cancellation: self.cancellation.clone(),
            abandoned: self.abandoned.clone(),
            limits: self.limits.clone(),
        };
        let signal = self.abandoned.signal();
        let facts = self.facts.clone().operation_ordinal(ordinal);
        let context = facts.cancellation(signal).reporter(reporter).build();
        let input = input.to_owned();
        Some(async move { call.run(context, &input).await }.boxed_local())
    }

    fn forages(&self) -> bool {
        true
    }

    fn forage(&self, helper: &str, input: &str) -> Option<Result<String, Failure>> {
        let helper = Helper::named(helper)?;
        let refused = |error: ForageError| error.failure(helper.callee());
        let input = json::parse_input(input, self.limits.frame_bytes)
            .map_err(|error| ForageError::Input { problem: error.to_string() });
        let answer = input.and_then(|input| self.discovery.answer(helper, &input));
        Some(answer.map(|answer| answer.to_string()).map_err(refused))
    }

    fn refuse(&self, index: usize, failure: &Failure) {
        if let Some(entry) = self.catalog.get(index) {
            let position = self.record.enter(entry.path());
            self.record.settle(position, CallOutcome::Failed(failure.code()));
        }
    }

    fn abandon(&self) {
        self.abandoned.cancel(Failure::Cancelled { by: Party::Host });
    }
}

struct OneCall {
    ordinal: u64,
    position: usize,
    entry: Entry,
    teller: Teller,
    access: AccessCheck,
    record: Record,
    cancellation: Cancellation,
    abandoned: Cancellation,
    limits: Limits,
}

impl OneCall {
    async fn run(&self, context: Context, input: &str) -> Result<String, Failure> {
        if let Some(cause) = self.abandoned.cause() {
            // It comes too late, and so never begins.
            self.settle(CallOutcome::Failed(cause.code()));
            return Err(cause);
        }
        let signal = context.cancellation().clone();
        let (answer, given_up) = (self.answer(context, input), self.given_up(&signal));
        pin_mut!(answer, given_up);
        match select(answer, given_up).await {
            Either::Left((answer, _)) => answer,
            Either::Right((cause, _)) => Err(cause),
        }
    }

    /// Resolves when the call is to be dropped: once nobody waits for it, unless its
    /// operation watches the signal. That one ends by itself; when only its program
    /// has ended, within the grace.
    async fn given_up(&self, signal: &Signal) -> Failure {
        let cause = self.abandoned.cancelled().await;
        if !signal.is_watched() {
            return cause;
        }
        if self.cancellation.cause().is_some() {
            return pending().await;
        }
        self.access.ports.timer.sleep(self.limits.grace_ms).await;
        cause
    }

    async fn answer(&self, context: Context, input: &str) -> Result<String, Failure> {
        let decode = |operation: &Callable| operation.decode_text(input, self.limits.frame_bytes);
        let give = |answer: Given| answer.text(self.limits.frame_bytes);
        let answer = perform(&self.entry, context.clone(), &self.access, decode, give).await;
        let answer = match answer {
            Ok(output) => Ok(output),
            Err(Unanswered::Refused(refusal)) => return Ok(self.refused(refusal)),
            Err(Unanswered::Failed(failure, evidence)) => {
                Err(self.failed(&context, failure, evidence))
            }
        };
        match &answer {
            Ok(output) => {
                self.record.carry(0, output.len());
                self.settle(CallOutcome::Done);
            }
            Err(failure) => self.settle(CallOutcome::Failed(failure.code())),
        }
        answer
    }

    fn settle(&self, outcome: CallOutcome) {
        self.record.settle(self.position, outcome);
        self.teller.called(self.ordinal, self.entry.shared_path(), outcome);
    }

    /// The evidence is told at once, for the program may let the failure pass; and again
    /// under the reference, if it doesn't.
    fn failed(&self, context: &Context, failure: Failure, evidence: Option<String>) -> Failure {
        if let Some(evidence) = evidence {
            let execution = context.execution_id().unwrap_or_default();
            let evidence = format!("call {}: {evidence}", self.position);
            let line = format!("execution {execution}, {evidence}");
            self.access.ports.console.warn(&bounded(&line, MESSAGE_BYTES));
            self.record.note(evidence);
        }
        failure
    }

    /// A refusal is the call's ordinary answer, and stands in the record too.
    fn refused(&self, refusal: crate::failure::AccessRefusal) -> String {
        let answer = refusal.to_json();
        if refusal.reason().ends_execution() {
            self.cancellation.cancel(Failure::Cancelled { by: Party::Host });
        }
        self.settle(CallOutcome::Refused(refusal.reason()));
        self.record.list(refusal);
        answer
    }
}
