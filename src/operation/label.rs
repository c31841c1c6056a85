//! What an operation does to the world, as its author says.

use std::fmt;

use serde_json::Value;

/// Whether an operation observes or changes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Access {
    /// It observes.
    Read,
    /// It changes something. What carries no label is this.
    #[default]
    Write,
}

impl Access {
    /// The label as it is written: `read` or `write`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
        }
    }
}

impl fmt::Display for Access {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// Whether doing an operation twice is the same as doing it once.
///
/// This host never repeats an operation by itself, whatever the label.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Replay {
    /// It is the same: whoever lost the answer may send the call again.
    Safe,
    /// It may not be the same. What carries no label is this.
    #[default]
    Unsafe,
}

impl Replay {
    /// The label as it is written: `safe` or `unsafe`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Safe => "safe",
            Self::Unsafe => "unsafe",
        }
    }
}

impl fmt::Display for Replay {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// The labels of one operation: fixed facts that no host edits.
///
/// Spec: 000 and 003, "Access labels and grants".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Labels {
    /// Whether it observes or changes.
    pub access: Access,
    /// Whether a person is asked before each call.
    pub confirm: bool,
    /// Whether the same call may be sent again after its answer was lost.
    pub replay: Replay,
}

/// A label that isn't one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LabelError {
    rule: &'static str,
}

impl fmt::Display for LabelError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.rule)
    }
}

impl std::error::Error for LabelError {}

impl Labels {
    /// Reads labels that came as data; a missing one has its default.
    ///
    /// # Errors
    ///
    /// The rule that is broken: anything but exactly `"read"` or `"write"`, a
    /// boolean, `"safe"` or `"unsafe"`, and any other key.
    ///
    /// ```
    /// use mycelium::operation::{Access, Labels};
    /// use serde_json::json;
    ///
    /// assert_eq!(Labels::parse(&json!({"access": "read"}))?.access, Access::Read);
    /// assert!(Labels::parse(&json!({"access": "Read"})).is_err());
    /// # Ok::<(), mycelium::operation::LabelError>(())
    /// ```
    pub fn parse(value: &Value) -> Result<Self, LabelError> {
        let fault = |rule| Err(LabelError { rule });
        let Value::Object(given) = value else {
            return fault("labels are an object with access, confirm and replay");
        };
        let mut labels = Self::default();
        for (key, label) in given {
            match (key.as_str(), label) {
                ("access", Value::String(text)) if text == "read" => labels.access = Access::Read,
                ("access", Value::String(text)) if text == "write" => labels.access = Access::Write,
                ("access", _) => return fault("access is exactly \"read\" or \"write\""),
                ("confirm", Value::Bool(confirm)) => labels.confirm = *confirm,
                ("confirm", _) => return fault("confirm is true or false"),
                ("replay", Value::String(text)) if text == "safe" => labels.replay = Replay::Safe,
                ("replay", Value::String(text)) if text == "unsafe" => {
                    labels.replay = Replay::Unsafe;
                }
                ("replay", _) => return fault("replay is exactly \"safe\" or \"unsafe\""),
                _ => return fault("labels are access, confirm and replay, and no others"),
            }
        }
        Ok(labels)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Access, Labels, Replay};

    #[test]
    fn an_operation_without_labels_writes_unasked_and_is_not_repeated() {
        let labels = Labels::parse(&json!({})).unwrap();
        assert_eq!(labels, Labels::default());
        assert_eq!(labels.access, Access::Write);
        assert_eq!(labels.replay, Replay::Unsafe);
        assert!(!labels.confirm);
    }

    #[test]
    fn labels_are_read_as_they_are_written() {
        for access in [Access::Read, Access::Write] {
            for replay in [Replay::Safe, Replay::Unsafe] {
                for confirm in [true, false] {
                    let written = json!({
                        "access": access.as_str(), "confirm": confirm, "replay": replay.as_str(),
                    });
                    assert_eq!(
                        Labels::parse(&written),
                        Ok(Labels { access, confirm, replay }),
                        "{written}"
                    );
                }
            }
        }
    }

    #[test]
    fn any_other_label_is_a_definition_error() {
        let cases = [
            (json!(null), "labels are an object"),
            (json!([]), "labels are an object"),
            (json!({"access": "Write"}), "access is exactly"),
            (json!({"access": " read"}), "access is exactly"),
            (json!({"access": null}), "access is exactly"),
            (json!({"access": true}), "access is exactly"),
            (json!({"confirm": 1}), "confirm is"),
            (json!({"confirm": "true"}), "confirm is"),
            (json!({"confirm": null}), "confirm is"),
            (json!({"replay": "never"}), "replay is exactly"),
            (json!({"replay": false}), "replay is exactly"),
            (json!({"Access": "read"}), "no others"),
            (json!({"access": "read", "scope": "all"}), "no others"),
        ];
        for (labels, rule) in cases {
            let error = Labels::parse(&labels).unwrap_err().to_string();
            assert!(error.contains(rule), "{labels}: {error}");
        }
    }
}
