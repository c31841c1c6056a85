//! Why a catalog can't be made, or has no such answer.

use std::fmt;

use super::CursorFault;
use crate::failure::{Failure, bounded};

/// Bytes kept of one fact that comes from outside.
const FACT_BYTES: usize = 512;

/// Why a catalog can't be made, or a question can't be answered. Each says what to do next.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ForageError {
    /// There is no operation.
    Empty,
    /// Two operations have this path.
    Twice {
        /// The path.
        path: String,
    },
    /// A path is an operation and a namespace.
    Conflict {
        /// The path.
        path: String,
        /// An operation below it.
        below: String,
    },
    /// Code can't say this path.
    Name {
        /// The path.
        path: String,
        /// The rule that it breaks.
        rule: String,
    },
    /// A schema is none.
    Schema {
        /// The operation.
        path: String,
        /// Which schema, and why.
        problem: String,
    },
    /// One operation's description is over the bound.
    DescriptionTooLarge {
        /// The operation.
        path: String,
        /// Bytes of the description; at least so many.
        bytes: usize,
        /// The bound in bytes.
        bound: usize,
    },
    /// The texts and schemas of all operations together are over the bound.
    MetadataTooLarge {
        /// The first operation that doesn't fit, in the order of paths.
        path: String,
        /// Bytes up to and with it.
        bytes: usize,
        /// The bound in bytes.
        bound: usize,
    },
    /// A namespace's description is over the bound.
    NamespaceTooLarge {
        /// The namespace.
        namespace: String,
        /// How many operations it has.
        operations: usize,
        /// Bytes of the description; at least so many.
        bytes: usize,
        /// The bound in bytes.
        bound: usize,
        /// Calls that do fit, as code says them.
        next: [String; 2],
    },
    /// A question that isn't one.
    Input {
        /// What is wrong, and what is taken.
        problem: String,
    },
    /// There is no such operation or namespace.
    Unknown {
        /// What was asked for.
        path: String,
        /// Paths that may have been meant.
        nearest: Vec<String>,
    },
    /// A cursor doesn't go on with this list.
    Cursor(CursorFault),
    /// An App's declaration, or what one of its methods gave, breaks a rule.
    App {
        /// The method, the family or the binding.
        name: String,
        /// The rule, and what to do.
        problem: String,
    },
}

impl ForageError {
    pub(super) fn input(problem: impl Into<String>) -> Self {
        Self::Input { problem: problem.into() }
    }

    /// The failure that a program sees when `helper` answers with this.
    #[must_use]
    pub fn failure(&self, helper: &str) -> Failure {
        let (helper, problem) = (helper.to_owned(), self.to_string());
        match self {
            Self::Cursor(_) => Failure::CursorInvalid { helper, problem },
            Self::DescriptionTooLarge { .. } | Self::NamespaceTooLarge { .. } => {
                Failure::DescriptionTooLarge { helper, problem }
            }
            Self::Unknown { path, nearest } => Failure::OperationUnknown {
                name: bounded(path, FACT_BYTES),
                nearest: suggestion(nearest),
            },
            _ => Failure::InputInvalid { operation: helper, problem },
        }
    }
}

fn suggestion(nearest: &[String]) -> String {
    match nearest {
        [] => "; forage.list({}) names all there are".to_owned(),
        nearest => format!("; there is {}", nearest.join(", ")),
    }
}

impl fmt::Display for ForageError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fact = |text: &str| bounded(text, FACT_BYTES);
        match self {
            Self::Empty => formatter.write_str("a catalog has at least one operation: add one"),
            Self::Twice { path } => {
                write!(formatter, "two operations have the path {path}: give each its own")
            }
            Self::Conflict { path, below } => write!(
                formatter,
                "{path} is an operation and can't be the namespace of {below} too: rename one"
            ),
            Self::Name { path, rule } => write!(formatter, "the path {:?}: {rule}", fact(path)),
            Self::Schema { path, problem } => write!(formatter, "{path}: {problem}"),
            Self::DescriptionTooLarge { path, bytes, bound } => write!(
                formatter,
                "the description of {path} has at least {bytes} bytes, the bound is {bound}: \
                 shorten its texts or its schemas"
            ),
            Self::MetadataTooLarge { path, bytes, bound } => write!(
                formatter,
                "with {path} the catalog has {bytes} bytes of texts and schemas, the bound is \
                 {bound}: shorten them, or make two catalogs"
            ),
            Self::NamespaceTooLarge { namespace, operations, bytes, bound, next: [one, other] } => {
                write!(
                    formatter,
                    "{namespace} has {operations} operations and their description at least {bytes} \
                     bytes, the bound is {bound}: call {one}, then {other}"
                )
            }
            Self::Input { problem } => formatter.write_str(problem),
            Self::Unknown { path, nearest } => write!(
                formatter,
                "there is no operation and no namespace {}{}",
                fact(path),
                suggestion(nearest)
            ),
            Self::Cursor(fault) => fault.fmt(formatter),
            Self::App { name, problem } => write!(formatter, "{}: {problem}", fact(name)),
        }
    }
}

impl std::error::Error for ForageError {}
