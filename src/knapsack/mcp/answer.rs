//! The messages of one answer, until the one that answers.

use serde_json::{Map, Value};

use super::{mask::mask, missed::Missed, server::Masked, sse::Events};
use crate::{
    failure::bounded,
    limits::{MCP_ANSWER_BYTES, REPORT_BYTES},
    mcp::wire::{self, Id, Message, RpcError},
    operation::Report,
};

/// How many questions of a server's are answered during one request of ours.
const QUESTIONS: usize = 16;

/// Hears what a server says beside its answers.
pub(super) trait Ear {
    /// How far our request has come.
    fn progress(&self, report: Report);
    /// Its tools aren't what they were.
    fn tools_changed(&self);
}

/// Hears nothing.
pub(super) struct Deaf;

impl Ear for Deaf {
    fn progress(&self, _: Report) {}
    fn tools_changed(&self) {}
}

/// What has been read of the answer to one request.
pub(super) struct Reading<'a> {
    id: Id,
    ear: &'a dyn Ear,
    masked: &'a Masked,
    /// Whether it said that its tools changed: that is heard once.
    changed: bool,
    bytes: usize,
    questions: usize,
    pub(super) events: Events,
    /// What the server asks and nobody has answered.
    pub(super) asked: Vec<(Id, String)>,
    pub(super) outcome: Option<Result<Value, RpcError>>,
}

impl<'a> Reading<'a> {
    /// Of the answer to the request `id`; nothing that is heard shows what is `masked`.
    pub(super) fn new(id: Id, ear: &'a dyn Ear, masked: &'a Masked) -> Self {
        let (events, asked) = (Events::default(), Vec::new());
        Self {
            id,
            ear,
            masked,
            changed: false,
            bytes: 0,
            questions: 0,
            events,
            asked,
            outcome: None,
        }
    }

    /// Further bytes of an event stream.
    ///
    /// # Errors
    ///
    /// There are too many of them, or what they say is no message.
    pub(super) fn part(&mut self, part: &[u8]) -> Result<(), Missed> {
        self.bytes = self.bytes.saturating_add(part.len());
        if self.bytes > MCP_ANSWER_BYTES {
            return Err(Missed::TooLarge);
        }
        for event in self.events.take(part) {
            let is_message = event.kind.is_empty() || event.kind == "message";
            // One without data only says where the stream can be taken up again.
            if is_message && !event.data.is_empty() && self.outcome.is_none() {
                self.message(&event.data)?;
            }
        }
        if self.events.is_broken() && self.outcome.is_none() {
            return Err(Missed::unknown("the stream isn't UTF-8"));
        }
        Ok(())
    }

    /// One message.
    ///
    /// # Errors
    ///
    /// It is none.
    pub(super) fn message(&mut self, text: &str) -> Result<(), Missed> {
        let message = Message::read(text.strip_prefix('\u{feff}').unwrap_or(text));
        let message = message.map_err(|fault| {
            Missed::unknown(&format!("the answer isn't a message: {}", fault.message))
        })?;
        match message {
            Message::Response { id, outcome } if id == self.id => {
                self.outcome = Some(outcome.map_err(|error| rpc_error(&error)));
            }
            // The answer to a request that was given up.
            Message::Response { .. } => {}
            Message::Notification { method, params } => self.noticed(&method, &params),
            Message::Request { id, method, .. } => {
                self.questions = self.questions.saturating_add(1);
                if self.questions <= QUESTIONS {
                    self.asked.push((id, method));
                }
            }
        }
        Ok(())
    }

    fn noticed(&mut self, method: &str, params: &Map<String, Value>) {
        match method {
            "notifications/tools/list_changed" if !self.changed => {
                self.changed = true;
                self.ear.tools_changed();
            }
            "notifications/progress"
                if params.get("progressToken") == Some(&self.id.to_value()) =>
            {
                let message = params.get("message").and_then(Value::as_str).unwrap_or_default();
                let number = |key: &str| params.get(key).and_then(Value::as_f64).map(whole);
                let report = Report::new(&said(message, self.masked));
                self.ear.progress(match number("progress") {
                    Some(done) => report.counted(done, number("total")),
                    None => report,
                });
            }
            _ => {}
        }
    }
}

/// What a server says of its progress: a third party's text, quoted and without a credential.
fn said(message: &str, masked: &Masked) -> String {
    const MOST: usize = REPORT_BYTES - 64;
    if message.is_empty() {
        return String::new();
    }
    let quoted = format!("{:?}", mask(message, masked));
    if quoted.len() <= MOST {
        return format!("the server says {quoted}");
    }
    format!("the server says {}\"", bounded(&quoted, MOST))
}

/// A count as a whole number; what is below none is none.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the cast saturates, and a count is shown, not counted with"
)]
fn whole(number: f64) -> u64 {
    number.round() as u64
}

/// An error as far as it is one.
pub(super) fn rpc_error(error: &Value) -> RpcError {
    let code = error.get("code").and_then(Value::as_i64).and_then(|code| i32::try_from(code).ok());
    let message = error.get("message").and_then(Value::as_str).unwrap_or_default();
    RpcError::new(code.unwrap_or(wire::code::INTERNAL_ERROR), message)
}
