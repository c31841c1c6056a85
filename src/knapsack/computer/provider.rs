//! What a computer must do.

use futures::future::LocalBoxFuture;
use serde_json::Value;

use crate::{
    failure::Failure,
    operation::{Context, OperationError},
};

/// A provider of operations. Whoever gives up drops the future, and the provider should
/// then stop.
pub trait Computer {
    /// What it can do: see [`Advertisement`](super::Advertisement).
    fn describe(&self) -> LocalBoxFuture<'static, Result<Value, ComputerError>>;

    /// Does one operation, once. The context has the call's identity and deadline.
    fn call(
        &self,
        operation: String,
        input: Value,
        context: Context,
    ) -> LocalBoxFuture<'static, Result<Value, ComputerError>>;
}

/// Why a computer gave no answer. Evidence is the operator's alone.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ComputerError {
    /// It says that the operation failed.
    Failed {
        /// In its words, for the model.
        message: String,
    },
    /// It was not asked, or refused to begin: nothing was done.
    NotDone {
        /// What happened.
        evidence: String,
    },
    /// It was asked and no answer came, or none that makes sense: it may have been done.
    Unknown {
        /// What happened.
        evidence: String,
    },
}

impl ComputerError {
    pub(super) fn not_done(evidence: impl Into<String>) -> Self {
        Self::NotDone { evidence: evidence.into() }
    }

    pub(super) fn unknown(evidence: impl Into<String>) -> Self {
        Self::Unknown { evidence: evidence.into() }
    }

    /// What happened, for the operator.
    #[must_use]
    pub fn evidence(&self) -> &str {
        match self {
            Self::Failed { message: evidence }
            | Self::NotDone { evidence }
            | Self::Unknown { evidence } => evidence,
        }
    }

    /// What the caller of `operation` is told.
    pub(super) fn told(self, operation: &str) -> OperationError {
        match self {
            Self::Failed { message } => OperationError::new(message),
            Self::NotDone { evidence } => {
                let says = "the computer could not be asked and did nothing: try again later";
                OperationError::new(says).with_evidence(evidence)
            }
            Self::Unknown { evidence } => {
                let (operation, problem) =
                    (operation.to_owned(), "no usable answer came".to_owned());
                let unknown = Failure::OutcomeUnknown { operation, problem };
                OperationError::declared(unknown).with_evidence(evidence)
            }
        }
    }
}
