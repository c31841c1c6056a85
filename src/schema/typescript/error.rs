//! Why a schema has no declaration.

use std::fmt;

/// A schema that can't be declared as asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProjectionError {
    /// The declaration is longer than its bound.
    TooLarge {
        /// The most bytes that it may take.
        bound: usize,
    },
    /// Writing out its references takes too many steps, or leads too deep.
    TooManySteps,
}

impl fmt::Display for ProjectionError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLarge { bound } => write!(
                formatter,
                "the declaration takes more than {bound} bytes: describe less at once, \
                 or say less in the schema"
            ),
            Self::TooManySteps => formatter.write_str(
                "the schema's references take too many steps to write out: \
                 refer to fewer parts, or describe them less exactly",
            ),
        }
    }
}

impl std::error::Error for ProjectionError {}
