//! Why a table can't be made or isn't taken.

use std::fmt;

use crate::limits::{OPENAPI_TABLE_BYTES, OPENAPI_TABLE_OPERATIONS};

/// Why a table can't be made, or a stored one isn't taken.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TableError {
    /// It is no JSON of a table's form.
    Malformed {
        /// What is wrong.
        problem: String,
    },
    /// It has no operation, or more than [`OPENAPI_TABLE_OPERATIONS`].
    Count {
        /// How many it has.
        count: usize,
    },
    /// It is over [`OPENAPI_TABLE_BYTES`].
    TooLarge {
        /// Its bytes.
        bytes: usize,
    },
    /// An operation breaks a rule.
    Operation {
        /// Which, by method and path.
        operation: String,
        /// Which rule, and where.
        problem: String,
    },
    /// Two operations are one, by name or by method and path.
    Duplicate {
        /// The name, or the method and path.
        name: String,
    },
    /// Its digest isn't that of its operations.
    Tampered {},
}

impl fmt::Display for TableError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed { problem } => {
                write!(formatter, "this is no table of operations: {problem}; make it anew")
            }
            Self::Count { count } => write!(
                formatter,
                "a table has 1 to {OPENAPI_TABLE_OPERATIONS} operations, and this has {count}: select what you need, in several tables if need be"
            ),
            Self::TooLarge { bytes } => write!(
                formatter,
                "the table has {bytes} bytes, the limit is {OPENAPI_TABLE_BYTES}: select fewer operations"
            ),
            Self::Operation { operation, problem } => {
                write!(formatter, "{operation} can't be stored: {problem}; make the table anew")
            }
            Self::Duplicate { name } => {
                write!(formatter, "{name} is in the table twice: select it once")
            }
            Self::Tampered {} => formatter.write_str(
                "the table isn't as it was made, for its digest is another: make it anew",
            ),
        }
    }
}

impl std::error::Error for TableError {}
