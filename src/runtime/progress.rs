//! How far an execution has come, told while it runs.
//!
//! Owns what is told and the bounded queue between who tells and who reads. Doesn't
//! own how a client is shown it.

use std::{
    cell::RefCell,
    collections::VecDeque,
    fmt,
    rc::{Rc, Weak},
};

use super::CallOutcome;
use crate::{
    limits::PROGRESS_PARTS,
    operation::{Report, Reporter},
    port::{Give, Handoff},
};

/// One step of an execution.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Step {
    /// As many programs run as may: it waits for its turn. Told once.
    Queued {
        /// How many wait before it.
        ahead: usize,
    },
    /// It had to wait, and now it is its turn.
    Admitted {
        /// For how many milliseconds it waited.
        waited_ms: u64,
    },
    /// An operation says how far it has come.
    Report {
        /// The call's ordinal.
        ordinal: u64,
        /// The operation's path.
        path: Rc<str>,
        /// What it says.
        report: Report,
    },
    /// A call has ended; only for those who [ask](super::Prepared::telling_calls).
    Called {
        /// The call's ordinal.
        ordinal: u64,
        /// The operation's path.
        path: Rc<str>,
        /// How it went.
        outcome: CallOutcome,
    },
}

/// A step as its reader gets it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The step.
    pub step: Step,
    /// How many steps before it were dropped, because more than [`PROGRESS_PARTS`] waited
    /// to be read.
    pub skipped: u64,
}

impl fmt::Display for Step {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Queued { ahead } => write!(formatter, "waiting for a turn, {ahead} ahead"),
            Self::Admitted { waited_ms } => write!(formatter, "running, after {waited_ms} ms"),
            Self::Report { path, report, .. } => write!(formatter, "{path}: {report}"),
            Self::Called { path, outcome, .. } => write!(formatter, "{path}: {outcome}"),
        }
    }
}

/// As a client is shown it.
impl fmt::Display for Progress {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.step.fmt(formatter)
    }
}

/// The reading side; with it goes everything that nobody has read.
pub(super) struct Steps {
    queue: Rc<RefCell<Queue>>,
    handoff: Rc<dyn Handoff>,
}

/// The telling side. Clones tell the same reader; without one they tell nobody.
#[derive(Clone, Default)]
pub(crate) struct Teller {
    queue: Weak<RefCell<Queue>>,
    calls: bool,
}

#[derive(Default)]
struct Queue {
    steps: VecDeque<Step>,
    skipped: u64,
    closed: bool,
    sleeper: Option<Give>,
}

impl Steps {
    pub(super) fn new(handoff: Rc<dyn Handoff>) -> Self {
        Self { queue: Rc::default(), handoff }
    }

    /// Who tells it; of `calls` too, if that is asked for.
    pub(super) fn teller(&self, calls: bool) -> Teller {
        Teller { queue: Rc::downgrade(&self.queue), calls }
    }

    /// The next one that has been told.
    pub(super) fn take(&self) -> Option<Progress> {
        let queue = &mut self.queue.borrow_mut();
        let step = queue.steps.pop_front()?;
        Some(Progress { step, skipped: std::mem::take(&mut queue.skipped) })
    }

    /// Takes no more: what has been told can still be read.
    pub(super) fn close(&self) {
        self.queue.borrow_mut().closed = true;
    }

    /// Resolves when something has been told since it was called.
    pub(super) fn told(&self) -> impl Future<Output = ()> + Unpin + use<> {
        let (give, given) = self.handoff.pair();
        // The one it replaces wakes when dropped: outside the borrow.
        let replaced = self.queue.borrow_mut().sleeper.replace(give);
        drop(replaced);
        given
    }
}

impl Teller {
    pub(crate) fn tell(&self, step: Step) {
        let Some(queue) = self.queue.upgrade() else { return };
        // Waking runs foreign code: the borrow ends first.
        let sleeper = queue.borrow_mut().push(step);
        drop(sleeper);
    }

    /// Tells of a call that has ended, where that is asked for.
    pub(super) fn called(&self, ordinal: u64, path: &Rc<str>, outcome: CallOutcome) {
        if self.calls {
            self.tell(Step::Called { ordinal, path: Rc::clone(path), outcome });
        }
    }

    /// The reporter of one call.
    pub(super) fn reporter(&self, ordinal: u64, path: Rc<str>) -> Reporter {
        let teller = self.clone();
        Reporter::new(move |report| {
            teller.tell(Step::Report { ordinal, path: Rc::clone(&path), report });
        })
    }
}

impl Queue {
    fn push(&mut self, step: Step) -> Option<Give> {
        if self.closed {
            return None;
        }
        if self.steps.len() >= PROGRESS_PARTS {
            self.steps.pop_front();
            self.skipped = self.skipped.saturating_add(1);
        }
        self.steps.push_back(step);
        self.sleeper.take()
    }
}
