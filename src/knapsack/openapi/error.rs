//! Why a connection can't be opened.

use std::fmt;

/// What the owner has to change before the connection works.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConnectError {
    problem: String,
}

impl ConnectError {
    pub(super) fn new(problem: impl Into<String>) -> Self {
        Self { problem: problem.into() }
    }
}

impl fmt::Display for ConnectError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.problem)
    }
}

impl std::error::Error for ConnectError {}
