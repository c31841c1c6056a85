//! An account of one execution: facts about it, and nothing of what it said or did unless
//! the owner asks.
//!
//! Owns what is counted and how long each phase took. Doesn't own where accounts go.

use std::{
    cell::Cell,
    panic::{AssertUnwindSafe, catch_unwind},
    rc::Rc,
};

use serde::Serialize;

use super::{CallOutcome, Disclosure, Excerpt, Inputs, Outcome, access::HumanTime, calls::Record};
use crate::{
    failure::{Failure, Party},
    forage,
    operation::Trace,
    port::{Clock, Console, Ports},
};

/// Hexadecimal digits of the stamp that tell one catalog from another in a log.
const STAMP_DIGITS: usize = 16;

/// Sees each execution begin and end; what it does changes nothing.
///
/// Every execution that begins ends, also one whose caller went away.
pub trait ExecutionObserver {
    /// An execution has been asked for.
    fn began(&self);

    /// It has ended.
    fn ended(&self, account: &Account);
}

/// One ended execution. No value, no text that a program printed and no name of a caller's
/// is in it; code and inputs only as far as the host's [`Disclosure`] says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Account {
    /// The execution.
    pub execution_id: String,
    /// The trace that it is a span of.
    pub trace_id: String,
    /// Its own span.
    pub span_id: String,
    /// The span that asked for it, in another's trace.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent_span_id: Option<String>,
    /// What kind of actor it was for: the part of the owner key before its colon.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub principal_kind: Option<String>,
    /// Which operations there were: the beginning of their catalog's stamp.
    pub revision: String,
    /// `ok`, or the failure's code.
    pub outcome: &'static str,
    /// Under which the evidence of a failure is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// After a cancellation or the deadline: whether its work is known to have stopped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub acknowledged: Option<bool>,
    /// How many isolates were loaded for it.
    pub isolates: u32,
    /// Where its time went.
    pub durations: Durations,
    /// What it called.
    pub calls: Counted,
    /// How much went where.
    pub bytes: Bytes,
    /// The program's text, where it is shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<Excerpt>,
    /// What it called with, where that is shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inputs: Option<Inputs>,
}

/// Milliseconds of each phase, by the host's clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Durations {
    /// Reading and checking the program.
    pub intake_ms: u64,
    /// Waiting for its turn.
    pub queued_ms: u64,
    /// Running, people's time included.
    pub running_ms: u64,
    /// Waiting for people.
    pub asking_ms: u64,
    /// From the first to the last.
    pub total_ms: u64,
}

/// How its calls went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Counted {
    /// All of them.
    pub made: u64,
    /// Those that weren't allowed.
    pub refused: u64,
    /// Those that failed.
    pub failed: u64,
    /// Those whose end nobody knows.
    pub unsettled: u64,
}

/// Bytes of what went in and out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Bytes {
    /// The program's text.
    pub code: usize,
    /// The inputs of its calls.
    pub inputs: usize,
    /// The outputs of its calls.
    pub outputs: usize,
    /// Its answer.
    pub answer: usize,
    /// What it printed, as far as it was kept.
    pub logs: usize,
}

/// When an execution came from one phase to the next.
#[derive(Debug, Default)]
pub(super) struct Phases {
    began_ms: u64,
    read_ms: Cell<Option<u64>>,
    admitted_ms: Cell<Option<u64>>,
}

impl Phases {
    /// Its program was read.
    pub(super) fn read(&self, clock: &dyn Clock) {
        self.read_ms.set(Some(clock.now_ms()));
    }

    /// Its turn has come.
    pub(super) fn admitted(&self, clock: &dyn Clock) {
        self.admitted_ms.set(Some(clock.now_ms()));
    }

    fn durations(&self, now_ms: u64, asking_ms: u64) -> Durations {
        let read_ms = self.read_ms.get().unwrap_or(now_ms);
        let admitted_ms = self.admitted_ms.get().unwrap_or(now_ms);
        Durations {
            intake_ms: read_ms.saturating_sub(self.began_ms),
            queued_ms: admitted_ms.saturating_sub(read_ms),
            running_ms: now_ms.saturating_sub(admitted_ms),
            asking_ms,
            total_ms: now_ms.saturating_sub(self.began_ms),
        }
    }
}

/// What an account is kept of.
pub(super) struct Subject<'a> {
    pub(super) execution_id: &'a Rc<str>,
    pub(super) principal: Option<&'a str>,
    /// Whose trace it is part of.
    pub(super) within: Option<Trace>,
    pub(super) trace: Trace,
    pub(super) catalog: &'a forage::Catalog,
    pub(super) code: &'a str,
    pub(super) disclosure: &'a Disclosure,
}

/// An execution whose account isn't closed. Dropped, it was left by its caller, and that is
/// its account.
pub(super) struct Open {
    observer: Rc<dyn ExecutionObserver>,
    clock: Rc<dyn Clock>,
    console: Rc<dyn Console>,
    record: Record,
    phases: Rc<Phases>,
    human_time: HumanTime,
    account: Option<Account>,
}

impl Open {
    pub(super) fn begin(
        observer: &Rc<dyn ExecutionObserver>,
        ports: &Ports,
        of: &Subject<'_>,
        record: &Record,
        human_time: &HumanTime,
    ) -> Self {
        let open = Self {
            observer: Rc::clone(observer),
            clock: Rc::clone(&ports.clock),
            console: Rc::clone(&ports.console),
            record: record.clone(),
            phases: Rc::new(Phases { began_ms: ports.clock.now_ms(), ..Phases::default() }),
            human_time: human_time.clone(),
            account: Some(begun(of)),
        };
        open.tell(|observer| observer.began());
        open
    }

    pub(super) fn phases(&self) -> Rc<Phases> {
        Rc::clone(&self.phases)
    }

    /// Closes the account with what the execution came to.
    pub(super) fn close(mut self, outcome: &Outcome) {
        let Some(mut account) = self.account.take() else { return };
        account.outcome = outcome.answer.as_ref().err().map_or("ok", Failure::code);
        account.reference = outcome.reference.map(|reference| reference.to_string());
        account.acknowledged = outcome.acknowledged;
        account.isolates = outcome.isolates;
        account.bytes.answer = answer_bytes(outcome);
        account.bytes.logs = outcome.logs.bytes();
        self.told(account);
    }

    fn told(&self, mut account: Account) {
        account.durations = self.phases.durations(self.clock.now_ms(), self.human_time.waited_ms());
        account.calls = self.record.counted();
        account.inputs = self.record.shown();
        (account.bytes.inputs, account.bytes.outputs) = self.record.carried();
        self.tell(|observer| observer.ended(&account));
    }

    fn tell(&self, what: impl FnOnce(&dyn ExecutionObserver)) {
        if catch_unwind(AssertUnwindSafe(|| what(&*self.observer))).is_err() {
            self.console.warn("the observer of executions panicked: the execution stands");
        }
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        if let Some(account) = self.account.take() {
            self.told(account);
        }
    }
}

/// The account of one that nothing is known of yet, as if its caller left now.
fn begun(of: &Subject<'_>) -> Account {
    let stamp = of.catalog.stamp().to_string();
    Account {
        execution_id: of.execution_id.to_string(),
        trace_id: of.trace.id(),
        span_id: of.trace.span(),
        parent_span_id: of.within.map(|trace| trace.span()),
        principal_kind: of.principal.and_then(kind).map(str::to_owned),
        revision: stamp.chars().take(STAMP_DIGITS).collect(),
        outcome: Failure::Cancelled { by: Party::Caller }.code(),
        reference: None,
        acknowledged: None,
        isolates: 0,
        durations: Durations::default(),
        calls: Counted::default(),
        bytes: Bytes { code: of.code.len(), ..Bytes::default() },
        code: of.disclosure.code(of.code),
        inputs: None,
    }
}

/// The kind in an owner key. A key of another make tells none: it may be a name.
fn kind(principal: &str) -> Option<&str> {
    let (kind, _) = principal.split_once(':')?;
    let plain = kind.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
    (plain && (1..=16).contains(&kind.len())).then_some(kind)
}

fn answer_bytes(outcome: &Outcome) -> usize {
    outcome.answer.as_ref().ok().and_then(Option::as_ref).map_or(0, String::len)
}

impl Counted {
    pub(super) fn add(&mut self, outcome: CallOutcome) {
        let of = match outcome {
            CallOutcome::Done => None,
            CallOutcome::Refused(_) => Some(&mut self.refused),
            CallOutcome::Failed(_) => Some(&mut self.failed),
            CallOutcome::Unsettled => Some(&mut self.unsettled),
        };
        if let Some(of) = of {
            *of = of.saturating_add(1);
        }
        self.made = self.made.saturating_add(1);
    }
}

#[cfg(test)]
mod tests {
    use super::kind;

    #[test]
    fn a_principal_is_told_by_its_kind_alone() {
        assert_eq!(kind("team-key:7"), Some("team-key"));
        for other in ["ada", "ada@example.com", "Ada:7", ":7", "a-very-long-name-of-one:7"] {
            assert_eq!(kind(other), None, "{other}");
        }
    }
}
