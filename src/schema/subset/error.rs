//! Why a schema isn't in the subset.

use std::fmt;

use crate::{
    failure::bounded,
    schema::{DEPTH, NODES, SchemaError},
};

/// The most bytes of a path that are told.
const PATH_BYTES: usize = 256;

/// What puts a document outside the subset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Reason {
    /// A reference.
    Reference,
    /// A regular expression.
    Pattern,
    /// A property name that every object inherits something by.
    ReservedName,
    /// A `format`.
    Format,
    /// A keyword that isn't known.
    UnknownKeyword,
    /// Too many levels.
    Depth,
    /// Too many nodes.
    Nodes,
    /// It isn't a schema.
    NotASchema,
}

impl Reason {
    /// Its name where reasons are counted: `reference`, `pattern`, `reserved-name`, `format`,
    /// `unknown-keyword`, `depth`, `nodes`, `not-a-schema`.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Reference => "reference",
            Self::Pattern => "pattern",
            Self::ReservedName => "reserved-name",
            Self::Format => "format",
            Self::UnknownKeyword => "unknown-keyword",
            Self::Depth => "depth",
            Self::Nodes => "nodes",
            Self::NotASchema => "not-a-schema",
        }
    }

    fn problem(self) -> String {
        match self {
            Self::Reference => {
                "a reference isn't supported: write out what it refers to".to_owned()
            }
            Self::Pattern => {
                "regular expressions aren't supported: use enum, or bounds of the length".to_owned()
            }
            Self::ReservedName => {
                "a property of this name would change what objects inherit: rename it".to_owned()
            }
            Self::Format => {
                "format isn't validated: leave it out, or take formats as annotations".to_owned()
            }
            Self::UnknownKeyword => {
                "the keyword isn't known, so what it asks for couldn't be kept: leave it out"
                    .to_owned()
            }
            Self::Depth => {
                format!("it is nested more than {DEPTH} levels: describe it less exactly")
            }
            Self::Nodes => format!("it has more than {NODES} nodes: describe it less exactly"),
            Self::NotASchema => "it isn't a schema".to_owned(),
        }
    }
}

/// A document outside the subset: the first reason, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubsetError {
    reason: Reason,
    path: String,
    problem: String,
}

impl SubsetError {
    pub(super) fn new(reason: Reason, path: String) -> Self {
        Self { reason, path, problem: reason.problem() }
    }

    pub(super) fn not_a_schema(error: &SchemaError) -> Self {
        let path = error.path().unwrap_or_default().to_owned();
        Self { reason: Reason::NotASchema, path, problem: error.to_string() }
    }

    /// What puts it outside.
    #[must_use]
    pub fn reason(&self) -> Reason {
        self.reason
    }

    /// Where, as a JSON Pointer; empty for the whole document.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }
}

impl fmt::Display for SubsetError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = if self.path.is_empty() { "/" } else { &self.path };
        write!(formatter, "at {}: {}", bounded(path, PATH_BYTES), self.problem)
    }
}

impl std::error::Error for SubsetError {}
