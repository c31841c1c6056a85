//! What is known of one pen.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::super::{Action, ExecutionError, Lang, Manifest, PenId, PersistHint, State, Status};
use crate::{
    failure::Failure,
    json,
    limits::PEN_ATTEMPTS,
    pen::{AuditRef, Execution, WriteOutput},
};

/// What stays of a pen whatever becomes of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The pen.
    pub pen_id: PenId,
    /// Under which every entry of it stands in the audit.
    pub syslog_id: String,
    /// SHA-256 of the intent.
    pub intent_hash: String,
    /// SHA-256 of the program, once there is one.
    pub code_hash: Option<String>,
    /// The language asked for.
    pub lang: Lang,
    /// What the caller would like to become of it.
    pub hint: PersistHint,
    /// Where it is.
    pub state: State,
    /// How its program went.
    pub summary: Option<Summary>,
    /// What is suggested, once it has run.
    pub suggestion: Option<Action>,
    /// What it tried that is forbidden.
    pub attempts: Vec<String>,
    /// Why it was reviewed as it was.
    pub reason: Option<String>,
    /// The numbers of its entries in the audit.
    pub trail: Vec<u64>,
}

/// How a pen's program went, without what it printed and returned.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary {
    /// How it ended.
    pub status: Status,
    /// Milliseconds that it ran.
    pub duration_ms: u64,
    /// What went wrong.
    pub error: Option<ExecutionError>,
}

/// What a pen holds until it is erased or lies in objects.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Contents {
    /// The program.
    pub code: String,
    /// What it printed with log, info and debug.
    pub stdout: String,
    /// What it printed with warn and error.
    pub stderr: String,
    /// What it returned, as JSON text; empty for nothing.
    pub result: String,
    /// What is said of it, once it is to be shared.
    pub manifest: Option<Manifest>,
}

/// A pen as a book gives it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pen {
    /// What stays of it.
    pub record: Record,
    /// What it holds, where the order was about that.
    pub contents: Option<Contents>,
}

impl Record {
    /// Adds attempts, and makes them what the execution failed of.
    pub(super) fn forbid(&mut self, attempts: Vec<String>) {
        for attempt in attempts {
            if self.attempts.len() < PEN_ATTEMPTS && !self.attempts.contains(&attempt) {
                self.attempts.push(attempt);
            }
        }
        if let (Some(summary), false) = (&mut self.summary, self.attempts.is_empty()) {
            let attempts = self.attempts.join(", ");
            summary.error = Some((&Failure::PenForbidden { attempts }).into());
            if summary.status == Status::Success {
                summary.status = Status::Error;
            }
        }
    }

    /// Notes that nobody is left who could say how it went.
    pub(super) fn lose(&mut self) {
        let error = Some((&Failure::ExecutionLost {}).into());
        self.summary = Some(Summary { status: Status::Error, duration_ms: 0, error });
        self.suggestion = Some(Action::Erase);
        self.forbid(Vec::new());
    }
}

impl Pen {
    /// What `pen.write` gives of it; none before it has run, or when its contents are gone.
    ///
    /// # Errors
    ///
    /// What it returned can't be read any more; the text names the problem.
    pub fn output(&self) -> Result<Option<WriteOutput>, String> {
        let Self { record, contents } = self;
        let (Some(contents), Some(summary), Some(code_hash)) =
            (contents, &record.summary, &record.code_hash)
        else {
            return Ok(None);
        };
        let result = result(&contents.result)?;
        Ok(Some(WriteOutput {
            pen_id: record.pen_id.clone(),
            code: contents.code.clone(),
            lang: record.lang,
            execution: Execution {
                status: summary.status,
                stdout: contents.stdout.clone(),
                stderr: contents.stderr.clone(),
                result,
                duration_ms: summary.duration_ms,
                error: summary.error.clone(),
            },
            suggestion: record.suggestion.unwrap_or(Action::Erase),
            audit: AuditRef {
                syslog_id: record.syslog_id.clone(),
                intent_hash: record.intent_hash.clone(),
                code_hash: code_hash.clone(),
            },
        }))
    }
}

/// What a program returned, from its row; nothing is null.
fn result(text: &str) -> Result<Value, String> {
    if text.is_empty() {
        return Ok(Value::Null);
    }
    json::parse(text).map_err(|error| format!("the result that is kept can't be read: {error}"))
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::{json, result};

    #[test]
    fn a_result_that_cannot_be_read_is_an_error_and_not_null() {
        assert_eq!(result(""), Ok(Value::Null));
        assert_eq!(result("null"), Ok(Value::Null));
        let nested = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
        assert!(result(&nested(json::DEPTH)).is_ok_and(|value| value.is_array()));
        for unreadable in ["{", "nul", "1 2", &nested(json::DEPTH + 1)] {
            assert!(result(unreadable).unwrap_err().contains("can't be read"), "{unreadable}");
        }
    }
}
