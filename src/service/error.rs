//! What is wrong with a request.

use std::fmt;

use crate::failure::{Failure, MESSAGE_BYTES, bounded};

/// Why a method doesn't take its request: where in it, and what to send instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestError {
    path: String,
    problem: String,
}

impl RequestError {
    /// What is at `path`, a JSON pointer, breaks a rule.
    #[must_use]
    pub fn new(path: &str, problem: impl Into<String>) -> Self {
        Self { path: path.to_owned(), problem: problem.into() }
    }
}

impl fmt::Display for RequestError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.path.as_str() {
            "" => formatter.write_str(&self.problem),
            path => write!(formatter, "at {}: {}", bounded(path, 256), self.problem),
        }
    }
}

impl std::error::Error for RequestError {}

impl From<RequestError> for Failure {
    fn from(error: RequestError) -> Self {
        Self::RequestInvalid { problem: bounded(&error.to_string(), MESSAGE_BYTES) }
    }
}
