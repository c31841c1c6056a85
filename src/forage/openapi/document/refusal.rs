//! Why a document is refused whole.

use std::fmt;

use crate::limits::{OPENAPI_BYTES, OPENAPI_DEPTH, OPENAPI_NODES, OPENAPI_OPERATIONS};

/// Why nothing is taken from a document. Each says where, and what to do next.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refusal {
    /// The text is over [`OPENAPI_BYTES`].
    TooLarge {
        /// Its bytes.
        bytes: usize,
    },
    /// The text is neither JSON nor YAML that JSON can say.
    Syntax {
        /// What is wrong, and where.
        problem: String,
    },
    /// It is nested over [`OPENAPI_DEPTH`].
    TooDeep {},
    /// It has more than [`OPENAPI_NODES`] nodes.
    TooManyNodes {},
    /// The YAML uses aliases.
    Alias {
        /// The line of the first, from 1.
        line: usize,
        /// Its column in characters, from 1.
        column: usize,
        /// How many there are.
        count: usize,
    },
    /// It refers to other documents.
    ExternalReference {
        /// The JSON Pointer of the first map that does.
        pointer: String,
        /// What that one refers to.
        reference: String,
        /// How many there are.
        count: usize,
    },
    /// It is Swagger 2.
    Swagger {},
    /// It is no version that is read here.
    Version {
        /// What it says.
        found: String,
    },
    /// It isn't built as a document of its version.
    Malformed {
        /// What is wrong.
        problem: &'static str,
    },
    /// It has more than [`OPENAPI_OPERATIONS`] operations.
    TooManyOperations {
        /// How many there are.
        count: usize,
    },
}

impl Refusal {
    /// The stable code.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::TooLarge { .. } => "document-too-large",
            Self::Syntax { .. } => "document-syntax",
            Self::TooDeep {} => "document-too-deep",
            Self::TooManyNodes {} => "document-too-many-nodes",
            Self::Alias { .. } => "document-alias",
            Self::ExternalReference { .. } => "document-external-reference",
            Self::Swagger {} => "document-swagger-2",
            Self::Version { .. } => "document-version",
            Self::Malformed { .. } => "document-malformed",
            Self::TooManyOperations { .. } => "document-too-many-operations",
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLarge { bytes } => write!(
                formatter,
                "the document has {bytes} bytes, the limit is {OPENAPI_BYTES}: take out the paths you don't need"
            ),
            Self::Syntax { problem } => write!(formatter, "the document can't be read: {problem}"),
            Self::TooDeep {} => write!(
                formatter,
                "the document is nested more than {OPENAPI_DEPTH} levels: move inner schemas under components"
            ),
            Self::TooManyNodes {} => write!(
                formatter,
                "the document has more than {OPENAPI_NODES} maps, lists and scalars: take out the paths you don't need"
            ),
            Self::Alias { line, column, count } => write!(
                formatter,
                "the document uses {count} YAML aliases, the first in line {line}, column {column}: write out what they stand for, or convert it to JSON"
            ),
            Self::ExternalReference { pointer, reference, count } => write!(
                formatter,
                "the document refers to other documents {count} times, first at {pointer} to {reference:?}: bundle it into one document"
            ),
            Self::Swagger {} => formatter
                .write_str("the document is Swagger 2.0: convert it to OpenAPI 3.0 or 3.1 first"),
            Self::Version { found } => {
                write!(formatter, "the document says it is OpenAPI {found}: give one of 3.0 or 3.1")
            }
            Self::Malformed { problem } => {
                write!(formatter, "the document isn't built as OpenAPI says: {problem}")
            }
            Self::TooManyOperations { count } => write!(
                formatter,
                "the document has {count} operations, the limit is {OPENAPI_OPERATIONS}: take out the paths you don't need"
            ),
        }
    }
}

impl std::error::Error for Refusal {}
