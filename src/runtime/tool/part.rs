//! What comes out of an executed call.

use crate::runtime::Outcome;

/// A tool's result, as texts for the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolResult {
    /// The texts; the first is the answer or the failure, by itself.
    pub content: Vec<String>,
    /// Whether it is a failure.
    pub is_error: bool,
}

/// One part of an executed call. A call without progress gives exactly one, the last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// What the model is shown.
    pub result: ToolResult,
    /// The outcome behind it.
    pub outcome: Outcome,
}

impl From<Outcome> for Part {
    fn from(outcome: Outcome) -> Self {
        let result = ToolResult { content: outcome.texts(), is_error: outcome.is_failure() };
        Self { result, outcome }
    }
}
