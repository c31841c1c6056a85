//! What an execution came to, and how it is said to a model.

use std::{fmt::Write as _, rc::Rc};

use super::{Call, CallOutcome};
use crate::{
    failure::{Failure, MESSAGE_BYTES, Reference, bounded},
    sandbox::Logs,
};

/// How many calls are listed for the model.
const CALLS_LISTED: usize = 100;

/// What an execution came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The execution, fresh for every run.
    pub execution_id: Rc<str>,
    /// The answer as JSON text; none when the program returned nothing.
    pub answer: Result<Option<String>, Failure>,
    /// Under which the operator finds the failure, if it is one.
    pub reference: Option<Reference>,
    /// What the program printed.
    pub logs: Logs,
    /// Every call it made; a call's ordinal is its position.
    pub calls: Vec<Call>,
}

impl Outcome {
    /// Whether this is a failure.
    #[must_use]
    pub fn is_failure(&self) -> bool {
        self.answer.is_err()
    }

    /// The texts for the model: the answer or the failure first, by itself.
    #[must_use]
    pub fn texts(&self) -> Vec<String> {
        let mut texts = vec![self.answer_text()];
        if self.is_failure() && !self.calls.is_empty() {
            texts.push(self.calls_text());
        }
        if !self.logs.lines().is_empty() || self.logs.dropped() > 0 {
            texts.push(self.logs_text());
        }
        texts
    }

    fn answer_text(&self) -> String {
        match &self.answer {
            Ok(Some(answer)) => answer.clone(),
            Ok(None) => "The program ended and returned nothing: return the answer.".to_owned(),
            Err(failure) => {
                let message = bounded(&failure.to_string(), MESSAGE_BYTES);
                let reference =
                    self.reference.map_or_else(String::new, |r| format!(" (reference {r})"));
                format!("{}: {message}{reference}", failure.code())
            }
        }
    }

    /// A failed program's calls, so that none is repeated blindly.
    fn calls_text(&self) -> String {
        let mut text = String::from("Calls made before it failed:");
        for (ordinal, call) in self.calls.iter().enumerate().take(CALLS_LISTED) {
            let outcome = match call.outcome {
                CallOutcome::Unsettled => "unsettled, may have taken effect",
                CallOutcome::Done => "done",
                CallOutcome::Failed(code) => code,
            };
            // Writing to a string can't fail.
            let _ = write!(text, "\n{ordinal} {}: {outcome}", call.path);
        }
        let more = self.calls.len().saturating_sub(CALLS_LISTED);
        if more > 0 {
            let _ = write!(text, "\nand {more} more");
        }
        text
    }

    fn logs_text(&self) -> String {
        let mut text = String::from("Printed:");
        for line in self.logs.lines() {
            let _ = write!(text, "\n[{}] {}", line.level, line.text);
        }
        if self.logs.dropped() > 0 {
            let _ = write!(text, "\n{} lines more were over the limit", self.logs.dropped());
        }
        text
    }
}
