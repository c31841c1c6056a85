//! What an execution came to, and how it is said to a model.

use std::{fmt::Write as _, rc::Rc};

use super::Call;
use crate::{
    failure::{AccessRefusal, Failure, MESSAGE_BYTES, Reference, bounded},
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
    /// After a cancellation or the deadline: whether the sandbox said that it has
    /// stopped. Where it didn't, the work may still go on.
    pub acknowledged: Option<bool>,
    /// Under which the operator finds the failure, if it is one.
    pub reference: Option<Reference>,
    /// What the program printed.
    pub logs: Logs,
    /// How many isolates were loaded for it.
    pub isolates: u32,
    /// Every call it made; a call's ordinal is its position.
    pub calls: Vec<Call>,
    /// Every call that wasn't allowed, so that none reads as success.
    pub refusals: Vec<AccessRefusal>,
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
        if !self.refusals.is_empty() {
            texts.push(self.refusals_text());
        }
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
                let stopped = match self.acknowledged {
                    Some(false) => {
                        " Its work may still be going on: nobody has confirmed that it stopped."
                    }
                    _ => "",
                };
                format!("{}: {message}{reference}{stopped}", failure.code())
            }
        }
    }

    fn refusals_text(&self) -> String {
        let mut text = String::from("Calls that were not allowed and did not run:");
        for refusal in self.refusals.iter().take(CALLS_LISTED) {
            let (operation, module) = (refusal.operation(), refusal.module());
            let reason = refusal.reason().code();
            // Writing to a string can't fail.
            let _ = write!(text, "\n{operation} of {module}: {reason}. {}", refusal.message());
        }
        text
    }

    /// A failed program's calls, so that none is repeated blindly.
    fn calls_text(&self) -> String {
        let mut text = String::from("Calls made before it failed:");
        for (ordinal, call) in self.calls.iter().enumerate().take(CALLS_LISTED) {
            // Writing to a string can't fail.
            let _ = write!(text, "\n{ordinal} {}: {}", call.path, call.outcome);
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
