//! The port to whatever writes programs.
//!
//! Owns what a writer is asked and how its answer is read. A writer is untrusted: its answer is
//! text, which the intake reads like any program a model sent, and its suggestion is one of
//! three words or none.
//!
//! Spec: 002, §2 `code` and `suggestion`, §6 `MPP-E003`.

mod answer;
mod offline;
mod openai;
mod prompt;
mod reply;
mod suggestion;

use std::fmt;

use futures::future::LocalBoxFuture;

pub(super) use answer::read_program;
pub use offline::OfflineWriter;
pub use openai::{EndpointError, OpenAiWriter};
pub use prompt::{About, Asked, Message, Role};
pub(super) use prompt::{Brief, code, opinion};
pub use reply::read_reply;
pub(super) use suggestion::read_suggestion;

/// Writes programs and says what it thinks of them.
pub trait Writer {
    /// What it answers, whole. It is dropped when its time is over.
    fn answer(&self, asked: Asked) -> LocalBoxFuture<'static, Result<String, WriterError>>;
}

/// Why a writer gave no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WriterError {
    problem: String,
    evidence: Option<String>,
}

impl WriterError {
    /// A problem in words for the caller: nothing secret, and nothing that the writer said.
    #[must_use]
    pub fn new(problem: impl Into<String>) -> Self {
        Self { problem: problem.into(), evidence: None }
    }

    /// The same, with what the operator alone is told.
    #[must_use]
    pub fn with_evidence(mut self, evidence: impl Into<String>) -> Self {
        self.evidence = Some(evidence.into());
        self
    }

    /// What the operator alone is told.
    #[must_use]
    pub fn evidence(&self) -> Option<&str> {
        self.evidence.as_deref()
    }
}

impl fmt::Display for WriterError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.problem)
    }
}

impl std::error::Error for WriterError {}
