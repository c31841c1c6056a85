//! Why a call of an operation came to nothing, and whose fault that is.

use std::{any::Any, fmt};

use serde_json::Value;

use crate::failure::{Failure, MESSAGE_BYTES, Raw, bounded};

/// Why an operation failed, in its author's words or as a declared failure; the model is
/// shown either.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OperationError {
    message: String,
    blame: Blame,
    evidence: Option<String>,
}

/// What an operation blames.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Blame {
    Work,
    Input,
    Output(Raw),
    Declared(Box<Failure>),
}

impl OperationError {
    /// A failure with a message for the model: say what to do next, and nothing secret.
    #[must_use]
    pub fn new(message: impl Into<String>) -> Self {
        Self::blaming(Blame::Work, message.into())
    }

    /// Input that the schema takes and the operation can't; nothing was done.
    #[must_use]
    pub fn input(message: impl Into<String>) -> Self {
        Self::blaming(Blame::Input, message.into())
    }

    /// It was done, and what came of it isn't what is declared.
    #[must_use]
    pub fn output(message: impl Into<String>) -> Self {
        Self::blaming(Blame::Output(Raw::default()), message.into())
    }

    /// The same with the answer as it came, which the caller is handed with the failure.
    #[must_use]
    pub fn output_of(message: impl Into<String>, answer: Value) -> Self {
        Self::blaming(Blame::Output(Raw::new(answer)), message.into())
    }

    /// A failure of the [table](crate::failure::TABLE), shown under its own code.
    #[must_use]
    pub fn declared(failure: Failure) -> Self {
        let message = failure.to_string();
        Self::blaming(Blame::Declared(Box::new(failure)), message)
    }

    fn blaming(blame: Blame, message: String) -> Self {
        Self { message, blame, evidence: None }
    }

    /// The same, with what the operator alone is told.
    #[must_use]
    pub fn with_evidence(mut self, evidence: impl Into<String>) -> Self {
        self.evidence = Some(evidence.into());
        self
    }

    /// The declared failure, if it is one.
    #[must_use]
    pub fn failure(&self) -> Option<&Failure> {
        match &self.blame {
            Blame::Declared(failure) => Some(failure),
            Blame::Work | Blame::Input | Blame::Output(_) => None,
        }
    }

    fn shown(self, operation: String) -> Failure {
        let problem = bounded(&self.message, MESSAGE_BYTES);
        match self.blame {
            Blame::Work => Failure::CapabilityFailed { operation, problem },
            Blame::Input => Failure::InputInvalid { operation, problem },
            Blame::Output(raw) => Failure::OutputInvalid { operation, problem, raw },
            Blame::Declared(failure) => *failure,
        }
    }
}

impl fmt::Display for OperationError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for OperationError {}

impl From<OperationError> for Fault {
    fn from(error: OperationError) -> Self {
        Self::Operation(error)
    }
}

/// Why a call came to nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The caller sent what the input schema doesn't take. Nothing has run.
    Input {
        /// What is wrong, and where.
        problem: String,
    },
    /// The operation says that it failed.
    Operation(OperationError),
    /// The operation ran, and its answer isn't what it declares.
    Output {
        /// What is wrong, and where.
        problem: String,
    },
    /// The author's code broke: a decoder that refuses what its own schema takes,
    /// an encoder that fails, a panic. No fault of the caller's, and so never
    /// called invalid input.
    Host {
        /// For the operator alone.
        evidence: String,
    },
}

impl Fault {
    /// The failure that the caller of the operation at `path` is shown, and what
    /// only the operator is.
    #[must_use]
    pub fn failure(self, path: &str) -> (Failure, Option<String>) {
        let operation = path.to_owned();
        let shown = |problem: &str| bounded(problem, MESSAGE_BYTES);
        match self {
            Self::Input { problem } => {
                (Failure::InputInvalid { operation, problem: shown(&problem) }, None)
            }
            Self::Operation(mut error) => {
                let evidence = error.evidence.take().map(|evidence| {
                    format!("operation {path}: {}", bounded(&evidence, MESSAGE_BYTES))
                });
                (error.shown(operation), evidence)
            }
            Self::Output { problem } => {
                let raw = Raw::default();
                (Failure::OutputInvalid { operation, problem: shown(&problem), raw }, None)
            }
            Self::Host { evidence } => {
                (Failure::Unknown {}, Some(format!("operation {path}: {evidence}")))
            }
        }
    }

    /// The author's code failed where it must not.
    pub(super) fn host(what: &str, problem: &dyn fmt::Display) -> Self {
        let problem = bounded(&problem.to_string(), MESSAGE_BYTES);
        Self::Host { evidence: format!("{what}: {problem}") }
    }

    /// The author's code panicked.
    pub(super) fn panic(what: &str, payload: &(dyn Any + Send)) -> Self {
        Self::host(&format!("{what} panicked"), &panic_message(payload))
    }
}

/// What a panic said, if it said a text.
pub(super) fn panic_message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().copied();
    let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    bounded(text.unwrap_or("without a text"), MESSAGE_BYTES)
}

#[cfg(test)]
mod tests {
    use super::{Fault, OperationError};

    #[test]
    fn an_operation_says_whose_fault_it_is() {
        for (error, code) in [
            (OperationError::new("x"), "capability-failed"),
            (OperationError::input("x"), "input-invalid"),
            (OperationError::output("x"), "output-invalid"),
        ] {
            assert_eq!(Fault::from(error).failure("a.b").0.code(), code);
        }
    }

    #[test]
    fn every_fault_is_one_failure_and_a_host_fault_shows_nothing() {
        let problem = || "canary".to_owned();
        let cases = [
            (Fault::Input { problem: problem() }, "input-invalid", true),
            (Fault::Operation(OperationError::new("canary")), "capability-failed", true),
            (Fault::Output { problem: problem() }, "output-invalid", true),
            (Fault::Host { evidence: problem() }, "unknown", false),
        ];
        for (fault, code, shown) in cases {
            let (failure, evidence) = fault.failure("a.b");
            assert_eq!(failure.code(), code);
            assert_eq!(failure.to_string().contains("canary"), shown, "{failure}");
            assert_eq!(evidence.is_some_and(|text| text.contains("canary")), !shown);
        }
    }
}
