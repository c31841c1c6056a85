//! What a caller gets.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Lang;
use crate::{
    failure::{Failure, MESSAGE_BYTES, bounded},
    pen::{Action, PenId},
};

/// Output of `pen.write`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WriteOutput {
    /// The pen.
    pub pen_id: PenId,
    /// The program that was written, as it ran.
    pub code: String,
    /// Its language.
    pub lang: Lang,
    /// How it went.
    pub execution: Execution,
    /// What the writer would do with it.
    pub suggestion: Action,
    /// Where it stands in the audit.
    pub audit: AuditRef,
}

/// How a pen's program went.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Execution {
    /// How it ended.
    pub status: Status,
    /// What it printed with log, info and debug.
    pub stdout: String,
    /// What it printed with warn and error.
    pub stderr: String,
    /// What it returned; null when it returned nothing.
    pub result: Value,
    /// Milliseconds that it ran, without the writer and the wait for a turn.
    pub duration_ms: u64,
    /// What went wrong, if anything did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<ExecutionError>,
}

/// How a pen's program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// It returned.
    Success,
    /// It failed, or did what it may not.
    Error,
    /// Its time was over.
    Timeout,
}

impl Status {
    /// Its name in the specification.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Success => "success",
            Self::Error => "error",
            Self::Timeout => "timeout",
        }
    }
}

/// What went wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExecutionError {
    /// The code of the failure.
    pub code: String,
    /// What happened, and what to do.
    pub message: String,
}

impl From<&Failure> for ExecutionError {
    fn from(failure: &Failure) -> Self {
        let message = bounded(&failure.to_string(), MESSAGE_BYTES);
        Self { code: failure.code().to_owned(), message }
    }
}

/// Where a pen stands in the audit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AuditRef {
    /// Under which every entry of it stands, whatever becomes of it.
    pub syslog_id: String,
    /// SHA-256 of the intent's bytes, 64 hexadecimal digits.
    pub intent_hash: String,
    /// SHA-256 of the program's bytes, 64 hexadecimal digits.
    pub code_hash: String,
}

/// Output of `pen.decide` and of `pen.review`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct DecideOutput {
    /// The pen.
    pub pen_id: PenId,
    /// Where it is now.
    pub state: String,
    /// The keys of the objects that were written for it.
    pub objects: Vec<String>,
    /// Under which every entry of it stands in the audit.
    pub syslog_id: String,
}

/// Output of `pen.status`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct StatusOutput {
    /// The pen.
    pub pen_id: PenId,
    /// Where it is.
    pub state: String,
    /// What the writer would do with it, once it has run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suggestion: Option<Action>,
    /// How its program ended, once it has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<Status>,
    /// Why it failed or was rejected.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<ExecutionError>,
    /// Under which every entry of it stands in the audit.
    pub syslog_id: String,
}
