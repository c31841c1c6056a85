//! How a pen comes to its end.
//!
//! ```text
//! draft → executing → completed
//!                       ├─→ erased
//!                       ├─→ kept
//!                       └─→ shared → reviewed
//!                                      ├─→ accepted
//!                                      ├─→ rejected
//!                                      └─→ observation
//! ```
//!
//! Objects lie outside the row that has the state. So what is decided is noted first
//! ([`State::Completed`] with a decision, [`State::Reviewed`]), then the objects are written,
//! and only then the state moves: after a restart between any two of these the same call goes
//! on where it was, and no other one is taken.
//!
//! Spec: 002, §3 and §5.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What becomes of a completed pen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Action {
    /// Its program and results are destroyed; the audit stays.
    Erase,
    /// It is kept for its persona.
    Keep,
    /// It goes to the registry's inbox, to be reviewed.
    Share,
}

/// What a review comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// It is copied into the shared library.
    Accept,
    /// It isn't taken; its author is told why.
    Reject,
    /// It is left where it is, to be watched.
    Observe,
}

/// Where a pen is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "name", rename_all = "kebab-case")]
pub enum State {
    /// It has an id; its program hasn't been started, and if that failed it never will be.
    Draft,
    /// Its program runs, until this moment in milliseconds since 1970 at the latest.
    Executing {
        /// When whoever ran it is gone, if nothing was heard.
        until_ms: u64,
    },
    /// Its program has ended.
    Completed {
        /// What was decided, while that is being done.
        decided: Option<Action>,
    },
    /// Destroyed.
    Erased,
    /// Kept for its persona.
    Kept,
    /// In the registry's inbox.
    Shared,
    /// Reviewed, while the verdict is being carried out.
    Reviewed {
        /// The verdict.
        verdict: Verdict,
    },
    /// In the shared library.
    Accepted,
    /// Not taken.
    Rejected,
    /// Left to be watched.
    Observation,
}

/// What happens to a pen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Its program is started.
    Start {
        /// When it is over at the latest, in milliseconds since 1970.
        until_ms: u64,
    },
    /// Its program has ended.
    End,
    /// It is looked at, at this moment: what should have ended long ago has ended unseen.
    Look {
        /// In milliseconds since 1970.
        now_ms: u64,
    },
    /// It is decided what becomes of it.
    Decide(Action),
    /// That has been done.
    Settle(Action),
    /// It is reviewed.
    Review(Verdict),
    /// The verdict has been carried out.
    Conclude(Verdict),
}

/// A step that a pen can't take from where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Illegal {
    /// Where it is.
    pub state: State,
    /// What was asked.
    pub step: Step,
}

impl State {
    /// Where `step` leads from here. There is an answer for every state and step.
    ///
    /// # Errors
    ///
    /// The specification has no such way.
    ///
    /// ```
    /// use mycelium::pen::{Action, State, Step};
    ///
    /// let completed = State::Completed { decided: None };
    /// let decided = completed.after(Step::Decide(Action::Keep)).unwrap();
    /// assert_eq!(decided.after(Step::Settle(Action::Keep)), Ok(State::Kept));
    /// assert!(decided.after(Step::Decide(Action::Erase)).is_err());
    /// assert!(State::Erased.after(Step::Decide(Action::Keep)).is_err());
    /// ```
    pub fn after(self, step: Step) -> Result<Self, Illegal> {
        let next = match (self, step) {
            (Self::Draft, Step::Start { until_ms }) => Self::Executing { until_ms },
            (Self::Executing { .. }, Step::End) => Self::Completed { decided: None },
            (Self::Executing { until_ms }, Step::Look { now_ms }) if until_ms < now_ms => {
                Self::Completed { decided: None }
            }
            (same, Step::Look { .. }) => same,
            (Self::Completed { decided }, Step::Decide(action))
                if decided.is_none_or(|decided| decided == action) =>
            {
                Self::Completed { decided: Some(action) }
            }
            (Self::Completed { decided: Some(decided) }, Step::Settle(action))
                if decided == action =>
            {
                action.done()
            }
            (Self::Shared, Step::Review(verdict)) => Self::Reviewed { verdict },
            (Self::Reviewed { verdict: given }, Step::Review(verdict)) if given == verdict => self,
            (Self::Reviewed { verdict: given }, Step::Conclude(verdict)) if given == verdict => {
                Self::concluded(verdict)
            }
            (state, step) => return Err(Illegal { state, step }),
        };
        Ok(next)
    }

    fn concluded(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Accept => Self::Accepted,
            Verdict::Reject => Self::Rejected,
            Verdict::Observe => Self::Observation,
        }
    }

    /// Its name in the specification.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Draft => "draft",
            Self::Executing { .. } => "executing",
            Self::Completed { .. } => "completed",
            Self::Erased => "erased",
            Self::Kept => "kept",
            Self::Shared => "shared",
            Self::Reviewed { .. } => "reviewed",
            Self::Accepted => "accepted",
            Self::Rejected => "rejected",
            Self::Observation => "observation",
        }
    }
}

impl Action {
    /// Where a pen is when it has been done.
    pub(super) fn done(self) -> State {
        match self {
            Self::Erase => State::Erased,
            Self::Keep => State::Kept,
            Self::Share => State::Shared,
        }
    }

    /// Its name in the specification.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Erase => "erase",
            Self::Keep => "keep",
            Self::Share => "share",
        }
    }
}

impl Verdict {
    /// The word for it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Accept => "accept",
            Self::Reject => "reject",
            Self::Observe => "observe",
        }
    }
}

impl Illegal {
    fn begun(self) -> Option<String> {
        match self.state {
            State::Completed { decided: Some(action) } => Some(format!(
                "to {} it was decided before and is not done yet: call pen.decide with that again",
                action.name()
            )),
            State::Reviewed { verdict } => Some(format!(
                "to {} it was decided before and is not done yet: call pen.review with that again",
                verdict.name()
            )),
            _ => None,
        }
    }

    fn needs(self) -> &'static str {
        match self.step {
            Step::Start { .. } => "a program is started once, of a draft: write another pen",
            Step::End | Step::Look { .. } => "a program ends once: read the pen with pen.status",
            Step::Decide(_) | Step::Settle(_) => {
                "only a completed pen is decided on, and once: read it with pen.status"
            }
            Step::Review(_) | Step::Conclude(_) => {
                "only a shared pen is reviewed, and once: read it with pen.status"
            }
        }
    }
}

impl fmt::Display for Illegal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let why = self.begun().unwrap_or_else(|| self.needs().to_owned());
        write!(formatter, "the pen is {}; {why}", self.state.name())
    }
}

impl std::error::Error for Illegal {}
