//! Frames the host sends.

use serde::Serialize;
use serde_json::Value;

use super::VERSION;
use crate::{failure::Failure, sandbox::Limits};

#[derive(Serialize)]
struct Run<'a> {
    operations: &'a [String],
    #[serde(skip_serializing_if = "<[usize]>::is_empty")]
    hidden: &'a [usize],
    limits: GuestLimits,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    forage: bool,
}

/// The bounds that the guest keeps too, so that an excess stops where it begins.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct GuestLimits {
    calls: u64,
    frame_bytes: usize,
    flight_bytes: usize,
    result_bytes: usize,
    log_bytes: usize,
    log_lines: usize,
}

/// The frame that starts the program.
#[must_use]
pub fn run(operations: &[String], hidden: &[usize], forage: bool, limits: &Limits) -> String {
    let limits = GuestLimits {
        calls: limits.calls,
        frame_bytes: limits.frame_bytes,
        flight_bytes: limits.flight_bytes,
        result_bytes: limits.result_bytes,
        log_bytes: limits.log_bytes,
        log_lines: limits.log_lines,
    };
    frame(&("run", VERSION, Run { operations, hidden, limits, forage }))
}

/// The frame with a call's output, which is JSON text already.
#[must_use]
pub fn value(ordinal: u64, output: &str) -> String {
    format!(r#"["value",{ordinal},{output}]"#)
}

/// The frame with the answer to a question of discovery, which is JSON text already.
#[must_use]
pub fn answer(id: u64, answer: &str) -> String {
    format!(r#"["value","f{id}",{answer}]"#)
}

/// The frame with the failure of such a question.
#[must_use]
pub fn unanswered(id: u64, failure: &Failure) -> String {
    refused(&format!("f{id}"), failure)
}

#[derive(Serialize)]
struct Error<'a> {
    code: &'a str,
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<&'a Value>,
}

/// The frame with a call's failure: code, message and an answer that isn't what was declared,
/// and nothing of the host's.
#[must_use]
pub fn error(ordinal: u64, failure: &Failure) -> String {
    refused(&ordinal, failure)
}

fn refused(id: &impl Serialize, failure: &Failure) -> String {
    let message = crate::failure::bounded(&failure.to_string(), crate::failure::MESSAGE_BYTES);
    frame(&("error", id, Error { code: failure.code(), message, value: failure.raw() }))
}

/// These types have only string keys and finite numbers, so encoding can't fail.
fn frame(frame: &impl Serialize) -> String {
    serde_json::to_string(frame).unwrap_or_default()
}
