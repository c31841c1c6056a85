//! What an author says an operation does: facts that no host edits.
//!
//! Owns the labels and how they are written. Doesn't own what follows from them:
//! that is the [`runtime`](crate::runtime)'s access check.
//!
//! Spec: 000 and 003, "Access labels and grants".

use serde_json::{Map, Value};

/// Whether an operation only observes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Access {
    /// It observes.
    Read,
    /// It changes something; an operation that doesn't say is one of these.
    #[default]
    Write,
}

/// Whether doing an operation twice is the same as doing it once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Replay {
    /// It is the same.
    Safe,
    /// It may not be; an operation that doesn't say is one of these.
    #[default]
    Unsafe,
}

/// The labels of one operation: write, unconfirmed and unsafe to replay unless it says so.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Labels {
    /// What it does.
    pub access: Access,
    /// Whether a person is asked before each call.
    pub confirm: bool,
    /// Whether it may be repeated.
    pub replay: Replay,
}

impl Labels {
    /// The labels that `value` says, strictly.
    ///
    /// # Errors
    ///
    /// The rule that `value` breaks: anything but an object of `access` (`"read"`
    /// or `"write"`), `confirm` (a boolean) and `replay` (`"safe"` or `"unsafe"`).
    pub fn parse(value: &Value) -> Result<Self, &'static str> {
        let Value::Object(said) = value else {
            return Err("labels are an object with access, confirm and replay");
        };
        if said.keys().any(|key| !["access", "confirm", "replay"].contains(&key.as_str())) {
            return Err("labels are access, confirm and replay, and no others");
        }
        Ok(Self { access: access(said)?, confirm: confirm(said)?, replay: replay(said)? })
    }
}

fn access(said: &Map<String, Value>) -> Result<Access, &'static str> {
    match said.get("access").map(Value::as_str) {
        None => Ok(Access::default()),
        Some(Some("read")) => Ok(Access::Read),
        Some(Some("write")) => Ok(Access::Write),
        Some(_) => Err("access is \"read\" or \"write\""),
    }
}

fn confirm(said: &Map<String, Value>) -> Result<bool, &'static str> {
    match said.get("confirm") {
        None => Ok(false),
        Some(Value::Bool(confirm)) => Ok(*confirm),
        Some(_) => Err("confirm is true or false"),
    }
}

fn replay(said: &Map<String, Value>) -> Result<Replay, &'static str> {
    match said.get("replay").map(Value::as_str) {
        None => Ok(Replay::default()),
        Some(Some("safe")) => Ok(Replay::Safe),
        Some(Some("unsafe")) => Ok(Replay::Unsafe),
        Some(_) => Err("replay is \"safe\" or \"unsafe\""),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Access, Labels, Replay};

    #[test]
    fn an_operation_that_says_nothing_is_write_unconfirmed_and_unsafe() {
        let labels = Labels { access: Access::Write, confirm: false, replay: Replay::Unsafe };
        assert_eq!(Labels::default(), labels);
        assert_eq!(Labels::parse(&json!({})), Ok(labels));
    }

    #[test]
    fn labels_say_what_is_written() {
        let said = json!({"access": "read", "confirm": true, "replay": "safe"});
        let labels = Labels { access: Access::Read, confirm: true, replay: Replay::Safe };
        assert_eq!(Labels::parse(&said), Ok(labels));
    }

    #[test]
    fn anything_but_the_exact_words_is_refused() {
        let cases = [
            (json!({"access": "Write"}), "access is"),
            (json!({"access": null}), "access is"),
            (json!({"confirm": 1}), "confirm is"),
            (json!({"confirm": "true"}), "confirm is"),
            (json!({"confirm": null}), "confirm is"),
            (json!({"replay": true}), "replay is"),
            (json!({"replay": "SAFE"}), "replay is"),
            (json!({"acess": "read"}), "and no others"),
            (json!("read"), "an object"),
            (json!(null), "an object"),
        ];
        for (said, rule) in cases {
            assert!(Labels::parse(&said).unwrap_err().contains(rule), "{said}");
        }
    }
}
