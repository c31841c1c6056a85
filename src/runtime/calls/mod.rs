//! One execution's calls: from the guest's text to an operation and back.

mod perform;
mod record;

use std::rc::Rc;

use futures::FutureExt;

use super::access::{AccessCheck, Standing};
use crate::{
    failure::{Failure, Party},
    json,
    operation::{Cancellation, Catalog, ContextBuilder, Entry, Fault},
    sandbox::{Bindings, CallFuture},
};

pub(crate) use perform::{Unanswered, perform};
pub(crate) use record::Record;
pub use record::{Call, CallOutcome};

/// The bindings of one execution, with a record of every call in its order.
pub(super) struct Calls {
    pub(super) catalog: Rc<Catalog>,
    /// What was granted when the lease was taken: it hides, and decides nothing.
    pub(super) standing: Standing,
    pub(super) access: AccessCheck,
    pub(super) facts: ContextBuilder,
    pub(super) cancellation: Cancellation,
    pub(super) frame_bytes: usize,
    pub(super) record: Record,
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
        let call = OneCall {
            position: self.record.enter(entry.path()),
            entry,
            access: self.access.clone(),
            record: self.record.clone(),
            cancellation: self.cancellation.clone(),
            frame_bytes: self.frame_bytes,
        };
        let context = self.facts.clone().operation_ordinal(ordinal).build();
        let input = input.to_owned();
        Some(async move { call.run(context, &input).await }.boxed_local())
    }

    fn refuse(&self, index: usize, failure: &Failure) {
        if let Some(entry) = self.catalog.get(index) {
            let position = self.record.enter(entry.path());
            self.record.fail(position, failure);
        }
    }
}

struct OneCall {
    position: usize,
    entry: Entry,
    access: AccessCheck,
    record: Record,
    cancellation: Cancellation,
    frame_bytes: usize,
}

impl OneCall {
    async fn run(
        &self,
        context: crate::operation::Context,
        input: &str,
    ) -> Result<String, Failure> {
        let read =
            || json::parse(input).map_err(|error| Fault::Input { problem: error.to_string() });
        let answer = perform(&self.entry, context, &self.access, read).await;
        let answer = match answer {
            Ok(output) => self.encode(&output),
            Err(Unanswered::Refused(refusal)) => return Ok(self.refused(refusal)),
            Err(Unanswered::Failed(failure)) => Err(failure),
        };
        match &answer {
            Ok(_) => self.record.settle(self.position, CallOutcome::Done),
            Err(failure) => self.record.fail(self.position, failure),
        }
        answer
    }

    /// A refusal is the call's ordinary answer, and stands in the record too.
    fn refused(&self, refusal: crate::failure::AccessRefusal) -> String {
        let answer = refusal.to_json();
        if refusal.reason().ends_execution() {
            self.cancellation.cancel(Failure::Cancelled { by: Party::Host });
        }
        self.record.refuse(self.position, refusal);
        answer
    }

    fn encode(&self, output: &serde_json::Value) -> Result<String, Failure> {
        let text = output.to_string();
        if text.len() <= self.frame_bytes {
            return Ok(text);
        }
        let problem = format!("it has {} bytes, the limit is {}", text.len(), self.frame_bytes);
        let fault = Fault::Output { problem };
        Err(perform::failure(&self.entry, fault, &*self.access.ports.console))
    }
}
