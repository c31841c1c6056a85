//! Schemas as TypeScript: what a model reads to know how to call an operation.
//!
//! Owns the projection from a [`Schema`] to type declarations, one keyword, one
//! file. Doesn't own names of operations, nor the `env` that they are nested in.
//!
//! A projected type accepts every value that the schema does, and may accept more:
//! what TypeScript can't say becomes a TSDoc tag, never a narrower type.
//!
//! Spec: 001, "describe".

mod comment;
mod error;

pub use comment::comment;
pub use error::ProjectionError;

use super::Schema;

/// A schema as TypeScript.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    text: String,
}

impl Declaration {
    /// The statements: the first is `type <alias> = …;`, those after it are the definitions
    /// that recursion needs, named `<alias>$<Name>`.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// `schema` declared as `alias`, a TypeScript identifier, in at most `bound` bytes.
///
/// # Errors
///
/// The declaration takes more than `bound` bytes.
pub fn declare(schema: &Schema, alias: &str, bound: usize) -> Result<Declaration, ProjectionError> {
    let _ = schema;
    let text = format!("type {alias} = unknown;");
    if text.len() > bound {
        return Err(ProjectionError::TooLarge { bound });
    }
    Ok(Declaration { text })
}

/// `schema` as a type on one line without comments; none when it takes more than `bound`
/// bytes or refers to itself: the reader is then told its alias.
#[must_use]
pub fn inline(schema: &Schema, bound: usize) -> Option<String> {
    let _ = (schema, bound);
    None
}
