//! What a caller is answered: JSON texts, each with `ok` first.

use serde_json::{Map, Value, json};

use crate::{
    failure::{AccessRefusal, Failure, MESSAGE_BYTES, Ran, Reference, bounded},
    limits::{SERVICE_LISTED, SERVICE_REPLY_BYTES},
    runtime::{Call, CallOutcome, Outcome},
    sandbox::{Line, Logs},
};

/// The reply that a failure is.
#[must_use]
pub fn failed(failure: &Failure, reference: Option<Reference>) -> String {
    Value::Object(failure_fields(failure, reference)).to_string()
}

/// The reply when nobody is left to make one.
#[must_use]
pub fn lost() -> String {
    failed(&Failure::ExecutionLost {}, None)
}

/// The reply with a value.
pub(super) fn value(value: &Value) -> String {
    within(json!({"ok": true, "value": value}).to_string())
}

/// The reply that a refusal is.
pub(super) fn refused(refusal: &AccessRefusal) -> String {
    let reply = json!({
        "ok": false,
        "code": "access-refused",
        "message": refusal.message(),
        "retryable": false,
        "ran": "nothing",
        "refusal": refusal,
    });
    reply.to_string()
}

/// The reply that tells of an execution; `reason` is why its caller ended it.
pub(super) fn outcome(outcome: &Outcome, reason: Option<&str>) -> String {
    let fields = facts(outcome, reason);
    let mut whole = fields.clone();
    whole.insert("logs".to_owned(), logs(&outcome.logs));
    whole.insert("texts".to_owned(), Value::from(outcome.texts()));
    let rest = Value::Object(whole).to_string();
    let reply = match &outcome.answer {
        // It is JSON already, and isn't read only to be written again.
        Ok(Some(answer)) => {
            let rest = rest.strip_prefix('{').unwrap_or_default();
            format!("{{\"value\":{answer},{rest}")
        }
        _ => rest,
    };
    if reply.len() <= SERVICE_REPLY_BYTES { reply } else { shortened(outcome, fields, reply.len()) }
}

/// The reply without what made it too large: what was done is still told.
fn shortened(outcome: &Outcome, mut fields: Map<String, Value>, bytes: usize) -> String {
    if outcome.answer.is_ok() {
        let failure = Failure::ReplyTooLarge { bytes, limit: SERVICE_REPLY_BYTES };
        fields.extend(failure_fields(&failure, None));
    }
    let dropped = outcome.logs.dropped();
    let printed = u64::try_from(outcome.logs.lines().len()).unwrap_or(u64::MAX);
    let dropped = json!(dropped).as_u64().unwrap_or(u64::MAX).saturating_add(printed);
    fields.insert("logs".to_owned(), json!({"lines": [], "dropped": dropped}));
    fields.insert("texts".to_owned(), json!([]));
    within(Value::Object(fields).to_string())
}

/// What is told of every execution, apart from its value and what it printed.
fn facts(outcome: &Outcome, reason: Option<&str>) -> Map<String, Value> {
    let mut fields = match &outcome.answer {
        Ok(_) => Map::from_iter([("ok".to_owned(), Value::Bool(true))]),
        Err(failure) => failure_fields(failure, outcome.reference),
    };
    let cancelled = matches!(outcome.answer, Err(Failure::Cancelled { .. }));
    if let (true, Some(reason)) = (cancelled, reason) {
        fields.insert("reason".to_owned(), Value::from(bounded(reason, MESSAGE_BYTES)));
    }
    if let Some(acknowledged) = outcome.acknowledged {
        fields.insert("acknowledged".to_owned(), Value::Bool(acknowledged));
    }
    fields.insert("executionId".to_owned(), Value::from(&*outcome.execution_id));
    fields.insert("isolates".to_owned(), Value::from(outcome.isolates));
    fields.insert("calls".to_owned(), calls(&outcome.calls));
    fields.insert("refusals".to_owned(), refusals(&outcome.refusals));
    fields
}

fn failure_fields(failure: &Failure, reference: Option<Reference>) -> Map<String, Value> {
    let ran = match failure.ran() {
        Ran::Nothing => "nothing",
        Ran::Perhaps => "perhaps",
    };
    let mut fields = Map::from_iter([
        ("ok".to_owned(), Value::Bool(false)),
        ("code".to_owned(), Value::from(failure.code())),
        ("message".to_owned(), Value::from(bounded(&failure.to_string(), MESSAGE_BYTES))),
        ("retryable".to_owned(), Value::Bool(failure.retryable())),
        ("ran".to_owned(), Value::from(ran)),
    ]);
    if let Some(reference) = reference {
        fields.insert("reference".to_owned(), Value::from(reference.to_string()));
    }
    fields
}

fn logs(logs: &Logs) -> Value {
    let line = |line: &Line| json!({"level": line.level, "text": line.text});
    json!({
        "lines": logs.lines().iter().map(line).collect::<Vec<_>>(),
        "dropped": logs.dropped(),
    })
}

fn calls(calls: &[Call]) -> Value {
    let told = |(ordinal, call): (usize, &Call)| {
        let (outcome, code) = match call.outcome {
            CallOutcome::Unsettled => ("unsettled", None),
            CallOutcome::Done => ("done", None),
            CallOutcome::Refused(reason) => ("refused", Some(reason.code())),
            CallOutcome::Failed(code) => ("failed", Some(code)),
        };
        match code {
            None => json!({"ordinal": ordinal, "path": call.path, "outcome": outcome}),
            Some(code) => {
                json!({"ordinal": ordinal, "path": call.path, "outcome": outcome, "code": code})
            }
        }
    };
    listed(calls.iter().enumerate().map(told), calls.len())
}

fn refusals(refusals: &[AccessRefusal]) -> Value {
    listed(refusals.iter().map(|refusal| json!(refusal)), refusals.len())
}

/// The first of them, and how many there are besides.
fn listed(all: impl Iterator<Item = Value>, count: usize) -> Value {
    let omitted = count.saturating_sub(SERVICE_LISTED);
    json!({"listed": all.take(SERVICE_LISTED).collect::<Vec<_>>(), "omitted": omitted})
}

/// What the platform would not carry is answered with that, and not with an exception.
fn within(reply: String) -> String {
    if reply.len() <= SERVICE_REPLY_BYTES {
        return reply;
    }
    failed(&Failure::ReplyTooLarge { bytes: reply.len(), limit: SERVICE_REPLY_BYTES }, None)
}
