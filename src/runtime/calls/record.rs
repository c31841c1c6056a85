//! What calls an execution made, and how each went.

use std::{cell::RefCell, fmt, rc::Rc};

use crate::{
    failure::{AccessRefusal, Reason},
    limits::LOG_LINES,
    runtime::{Disclosure, Inputs, account::Counted},
    sandbox::{Limits, Line, Logs},
};

/// How a call went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallOutcome {
    /// It hadn't ended when the execution did.
    Unsettled,
    /// It gave its answer.
    Done,
    /// It wasn't allowed, and didn't run.
    Refused(Reason),
    /// It failed, with this code.
    Failed(&'static str),
}

/// In a word or a code.
impl fmt::Display for CallOutcome {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Unsettled => "unsettled, may have taken effect",
            Self::Done => "done",
            Self::Refused(reason) => reason.code(),
            Self::Failed(code) => code,
        })
    }
}

/// One call that a program made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The operation's path.
    pub path: String,
    /// How it went.
    pub outcome: CallOutcome,
}

/// The calls of one execution in the order of their ordinals, and every refusal.
#[derive(Clone, Default)]
pub(crate) struct Record {
    kept: Rc<RefCell<Kept>>,
}

#[derive(Default)]
struct Kept {
    calls: Vec<Call>,
    refusals: Vec<AccessRefusal>,
    evidence: Vec<String>,
    lines: Vec<String>,
    /// Bytes of inputs, and of outputs.
    carried: (usize, usize),
    /// What the calls were made with, where that is shown.
    inputs: Option<Inputs>,
    disclosure: Disclosure,
}

/// How many calls' evidence is kept: the first ones, for what follows is often the same.
const EVIDENCE_KEPT: usize = 10;

impl Record {
    /// A record that keeps of inputs as much as `disclosure` says.
    pub(crate) fn showing(disclosure: &Disclosure) -> Self {
        let (inputs, disclosure) = (disclosure.inputs(), disclosure.clone());
        Self { kept: Rc::new(RefCell::new(Kept { inputs, disclosure, ..Kept::default() })) }
    }

    /// Enters a call and gives its position, which is its ordinal: whoever holds the
    /// guest to its protocol lets no gap through.
    pub(super) fn enter(&self, path: &str) -> usize {
        let calls = &mut self.kept.borrow_mut().calls;
        calls.push(Call { path: path.to_owned(), outcome: CallOutcome::Unsettled });
        calls.len().saturating_sub(1)
    }

    /// Keeps a call's input, where inputs are shown.
    pub(super) fn show(&self, position: usize, path: &str, input: &str) {
        let Kept { inputs, disclosure, .. } = &mut *self.kept.borrow_mut();
        if let Some(inputs) = inputs {
            inputs.take(disclosure, position, path, input);
        }
    }

    /// The inputs so far, where they are shown.
    pub(crate) fn shown(&self) -> Option<Inputs> {
        self.kept.borrow().inputs.clone()
    }

    /// Counts the bytes of an input and of an output.
    pub(super) fn carry(&self, input: usize, output: usize) {
        let carried = &mut self.kept.borrow_mut().carried;
        carried.0 = carried.0.saturating_add(input);
        carried.1 = carried.1.saturating_add(output);
    }

    /// Lists a refusal.
    pub(super) fn list(&self, refusal: AccessRefusal) {
        self.kept.borrow_mut().refusals.push(refusal);
    }

    /// What the operator should know of a failed call, under its execution's reference.
    pub(super) fn note(&self, evidence: String) {
        let kept = &mut self.kept.borrow_mut().evidence;
        if kept.len() < EVIDENCE_KEPT {
            kept.push(evidence);
        }
    }

    /// What an operation says beside its answer.
    pub(super) fn log(&self, line: String) {
        let kept = &mut self.kept.borrow_mut().lines;
        if kept.len() < LOG_LINES {
            kept.push(line);
        }
    }

    /// Adds what operations said to what the program printed, within the same bounds.
    pub(crate) fn log_into(&self, logs: &mut Logs, limits: &Limits) {
        for text in &self.kept.borrow().lines {
            logs.push(Line { level: "info".to_owned(), text: text.clone() }, limits);
        }
    }

    pub(super) fn settle(&self, position: usize, outcome: CallOutcome) {
        if let Some(call) = self.kept.borrow_mut().calls.get_mut(position) {
            call.outcome = outcome;
        }
    }

    /// What the operator should know of the calls, if there is anything.
    pub(crate) fn evidence(&self) -> Option<String> {
        let kept = &self.kept.borrow().evidence;
        (!kept.is_empty()).then(|| kept.join("; "))
    }

    /// Bytes of the inputs, and of the outputs, so far.
    pub(crate) fn carried(&self) -> (usize, usize) {
        self.kept.borrow().carried
    }

    /// How the calls went, so far.
    pub(crate) fn counted(&self) -> Counted {
        let mut counted = Counted::default();
        self.kept.borrow().calls.iter().for_each(|call| counted.add(call.outcome));
        counted
    }

    /// Every call and refusal so far.
    pub(crate) fn read(&self) -> (Vec<Call>, Vec<AccessRefusal>) {
        let kept = self.kept.borrow();
        (kept.calls.clone(), kept.refusals.clone())
    }
}
