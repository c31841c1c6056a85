//! How a host is doing: what it counted, and what it is connected to.
//!
//! Owns the counters and what they are shown as. Doesn't own how a status is asked for.

use std::{cell::RefCell, collections::BTreeMap, rc::Rc};

use futures::{FutureExt, future::LocalBoxFuture};
use serde::Serialize;

use super::{
    Account, Evidence, ExecutionObserver, FailureObserver, UnenforcedLimit, access::RefusalObserver,
};
use crate::{failure::AccessRefusal, port::Console};

/// How a host is doing, as its status says it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Status {
    /// What answers.
    pub name: &'static str,
    /// Its version.
    pub version: &'static str,
    /// Which deployment of it, where the platform tells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deployment: Option<String>,
    /// What it is connected to, in the order of its configuration.
    pub connections: Vec<ConnectionStatus>,
    /// The limits that this host doesn't enforce, by their names in configuration.
    pub unenforced_limits: Vec<&'static str>,
    /// What the isolate that answers has counted. Another one has counted otherwise, and a
    /// new one begins at nothing.
    pub isolate: Counts,
}

/// One connection of a host.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ConnectionStatus {
    /// What code says.
    pub name: String,
    /// What it is: `openapi`, `mcp`, `files` and so on.
    #[serde(rename = "type")]
    pub kind: String,
    /// How many operations it offers, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub operations: Option<usize>,
    /// Why it offers nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

/// What was counted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Counts {
    /// Executions that have begun and not ended.
    pub running: u64,
    /// Executions that have ended.
    pub ended: u64,
    /// Those of them that gave an answer.
    pub succeeded: u64,
    /// How often each failure ended an execution, by its code.
    pub failures: BTreeMap<&'static str, u64>,
    /// How often a call was refused, by the reason.
    pub refusals: BTreeMap<&'static str, u64>,
    /// Calls that programs made.
    pub calls: u64,
}

/// What the executions of a host are counted in. Clones count together.
#[derive(Clone, Debug, Default)]
pub struct Counters {
    counts: Rc<RefCell<Counts>>,
}

impl Counters {
    /// What has been counted so far.
    #[must_use]
    pub fn read(&self) -> Counts {
        self.counts.borrow().clone()
    }
}

impl Status {
    /// The status of a host that has counted this and is connected to nothing.
    #[must_use]
    pub fn new(counters: &Counters, unenforced: &[UnenforcedLimit]) -> Self {
        let named = UnenforcedLimit::NAMES.into_iter();
        let unenforced = named.filter(|(_, limit)| unenforced.contains(limit));
        Self {
            name: "mycelium",
            version: env!("CARGO_PKG_VERSION"),
            deployment: None,
            connections: Vec::new(),
            unenforced_limits: unenforced.map(|(name, _)| name).collect(),
            isolate: counters.read(),
        }
    }

    /// As JSON text.
    #[must_use]
    pub fn to_json(&self) -> String {
        json(self)
    }
}

/// Counts what a runtime does, and writes one line of JSON for each execution and refusal.
///
/// It is all three observers of a runtime: of executions, of failures, of refusals.
#[derive(Clone)]
pub struct Bookkeeper {
    counters: Counters,
    console: Rc<dyn Console>,
}

impl Bookkeeper {
    /// Counts in `counters`, and writes to `console`.
    #[must_use]
    pub fn new(counters: Counters, console: Rc<dyn Console>) -> Self {
        Self { counters, console }
    }

    fn count(&self, change: impl FnOnce(&mut Counts)) {
        change(&mut self.counters.counts.borrow_mut());
    }
}

/// One line of the log.
#[derive(Serialize)]
struct Line<'a, T> {
    event: &'a str,
    #[serde(flatten)]
    facts: &'a T,
}

/// A refusal as the log has it: the model's own words for it are left out.
#[derive(Serialize)]
struct Refused<'a> {
    module: &'a str,
    operation: &'a str,
    reason: &'a str,
}

fn json(value: &impl Serialize) -> String {
    // Text, numbers and lists of them: nothing here can't be said in JSON.
    serde_json::to_string(value).unwrap_or_default()
}

fn more(count: &mut u64, by: u64) {
    *count = count.saturating_add(by);
}

impl ExecutionObserver for Bookkeeper {
    fn began(&self) {
        self.count(|counts| more(&mut counts.running, 1));
    }

    fn ended(&self, account: &Account) {
        self.count(|counts| {
            counts.running = counts.running.saturating_sub(1);
            more(&mut counts.ended, 1);
            more(&mut counts.succeeded, u64::from(account.outcome == "ok"));
            more(&mut counts.calls, account.calls.made);
        });
        self.console.note(&json(&Line { event: "execution", facts: account }));
    }
}

/// The runtime itself writes the line of a failure; it is counted here.
impl FailureObserver for Bookkeeper {
    fn failed(&self, evidence: Evidence) -> LocalBoxFuture<'static, ()> {
        let code = evidence.failure.code();
        self.count(|counts| more(counts.failures.entry(code).or_default(), 1));
        async {}.boxed_local()
    }
}

impl RefusalObserver for Bookkeeper {
    fn refused(&self, refusal: AccessRefusal) -> LocalBoxFuture<'static, ()> {
        let reason = refusal.reason().code();
        self.count(|counts| more(counts.refusals.entry(reason).or_default(), 1));
        let facts = Refused { module: refusal.module(), operation: refusal.operation(), reason };
        self.console.note(&json(&Line { event: "refusal", facts: &facts }));
        async {}.boxed_local()
    }
}
