//! Why a port did not do what it was asked.

use crate::{
    failure::Failure,
    knapsack::{patch::PatchError, visibility::VisibilityError},
    operation::OperationError,
};

/// Why a port did not do what it was asked.
///
/// All but [`Unknown`](Self::Unknown) promise that nothing was changed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FileError {
    /// The path isn't one, or none of this port's.
    Path {
        /// The path.
        path: String,
        /// The rule, and what to do.
        rule: String,
    },
    /// There is no such file or folder.
    Missing {
        /// The path.
        path: String,
    },
    /// There is a file.
    Exists {
        /// The path.
        path: String,
    },
    /// The file holds something else than is expected.
    Conflict {
        /// The path.
        path: String,
    },
    /// The file is over a bound.
    TooLarge {
        /// The path.
        path: String,
        /// The bound in bytes.
        limit: usize,
    },
    /// The file isn't text.
    NotText {
        /// The path.
        path: String,
    },
    /// What was asked for makes no sense, as the message says.
    Refused {
        /// What is wrong, and what to do.
        problem: String,
    },
    /// The store can't be reached, or refuses.
    Unavailable {
        /// For the operator alone.
        evidence: String,
    },
    /// No answer came to a change, which may have been made.
    Unknown {
        /// For the operator alone.
        evidence: String,
    },
    /// The call was cancelled before the change.
    Cancelled,
}

impl FileError {
    /// Whether the change may have been made all the same.
    #[must_use]
    pub fn may_be_done(&self) -> bool {
        matches!(self, Self::Unknown { .. })
    }

    pub(super) fn missing(path: &str) -> Self {
        Self::Missing { path: path.to_owned() }
    }

    /// What the caller of `operation` is told.
    pub(super) fn told(self, operation: &str) -> OperationError {
        let failure = match self {
            Self::Path { path, rule } => Failure::PathRefused { path, problem: rule },
            Self::Missing { path: file } => Failure::FileMissing { file },
            Self::Exists { path: file } => Failure::FileExists { file },
            Self::Conflict { path: file } => Failure::FileConflict { file },
            Self::TooLarge { path: file, limit } => Failure::FileTooLarge { file, limit },
            Self::NotText { path: file } => Failure::FileNotText { file },
            Self::Refused { problem } => return OperationError::new(problem),
            Self::Unavailable { evidence } => {
                let unavailable = OperationError::declared(Failure::FilesUnavailable {});
                return unavailable.with_evidence(evidence);
            }
            Self::Unknown { evidence } => {
                let (operation, problem) = (operation.to_owned(), "no answer came".to_owned());
                let unknown = Failure::OutcomeUnknown { operation, problem };
                return OperationError::declared(unknown).with_evidence(evidence);
            }
            Self::Cancelled => {
                return OperationError::new("the call was cancelled, and nothing was changed");
            }
        };
        OperationError::declared(failure)
    }

    /// The failure in words, within another one.
    pub(super) fn words(&self) -> &'static str {
        match self {
            Self::Path { .. } => "the store refuses the path",
            Self::Missing { .. } => "it is gone",
            Self::Exists { .. } => "there is one by now",
            Self::Conflict { .. } => "it holds something else by now",
            Self::TooLarge { .. } => "it is too large",
            Self::NotText { .. } => "it isn't text",
            Self::Refused { .. } => "it was refused",
            Self::Unavailable { .. } => "the store refused it",
            Self::Unknown { .. } => "no answer came, so it may be written",
            Self::Cancelled => "the call was cancelled before it",
        }
    }
}

impl From<VisibilityError> for FileError {
    fn from(error: VisibilityError) -> Self {
        Self::Refused { problem: error.to_string() }
    }
}

/// A patch's refusal as a declared failure.
pub(super) fn refused(error: PatchError) -> OperationError {
    let failure = match error {
        PatchError::ContextNotFound { file, hunk, file_line: line, expected, actual } => {
            let found = actual.map_or_else(
                || "would be past its end".to_owned(),
                |actual| format!("reads {actual:?}"),
            );
            Failure::ContextNotFound { file, hunk, line, expected, found }
        }
        PatchError::AmbiguousContext { file, hunk, matches } => {
            let lines: Vec<_> = matches.iter().map(ToString::to_string).collect();
            Failure::AmbiguousContext { file, hunk, lines: lines.join(", ") }
        }
        PatchError::FileExists { file } => Failure::FileExists { file },
        PatchError::FileMissing { file } => Failure::FileMissing { file },
        PatchError::NotText { file } => Failure::FileNotText { file },
        PatchError::PathRefused { file, rule } => {
            Failure::PathRefused { path: file, problem: rule.to_owned() }
        }
        PatchError::TooLarge { problem } => Failure::PatchTooLarge { problem },
        error @ PatchError::Parse { .. } => Failure::PatchParse { problem: error.to_string() },
    };
    OperationError::declared(failure)
}
