//! Schemas from elsewhere: those of a subset that is kept exactly, or refused with a reason.
//!
//! Owns which documents are in the subset. Doesn't own what a schema means, nor the bytes of a
//! document: whoever reads it bounds those.
//!
//! A document is refused, whole, when it has anywhere
//!
//! | what | why |
//! | --- | --- |
//! | a reference: `$ref`, `$dynamicRef`, `$recursiveRef` | it is written out before, or it is recursive |
//! | `pattern`, `patternProperties` | regular expressions of strangers take as long as they like |
//! | a property name `__proto__`, `prototype`, `constructor`, in values too | programs would change what every object inherits |
//! | a keyword that is neither of validation nor an annotation | what isn't understood can't be kept |
//! | `format`, with [`Formats::Refuse`] | it isn't validated |
//! | more than [`DEPTH`](super::DEPTH) levels, or more than [`NODES`](super::NODES) nodes | readers recurse, and take a step for each |
//!
//! Spec: 001, "json-schema-subset".

mod error;
mod keyword;
mod walk;

#[cfg(test)]
mod tests;

pub use error::{Reason, SubsetError};

use serde_json::Value;

use super::Schema;

/// What becomes of `format`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Formats {
    /// A schema with one is refused: it isn't validated.
    #[default]
    Refuse,
    /// It is kept as words for the reader, and not validated.
    Annotate,
}

/// Checks a schema from elsewhere, before anything recurses into it.
///
/// ```
/// use mycelium::schema::subset::{Formats, Reason, decode};
/// use serde_json::json;
///
/// assert!(decode(json!({"type": "string", "maxLength": 9}), Formats::Refuse).is_ok());
/// let error = decode(json!({"items": {"$ref": "#"}}), Formats::Refuse).unwrap_err();
/// assert_eq!((error.reason(), error.path()), (Reason::Reference, "/items/$ref"));
/// ```
///
/// # Errors
///
/// The document is outside the subset, for the first reason that is met, or isn't a schema at all.
pub fn decode(document: Value, formats: Formats) -> Result<Schema, SubsetError> {
    match walk::check(&document, formats) {
        Ok(()) => Schema::new(document).map_err(|error| SubsetError::not_a_schema(&error)),
        Err(error) => {
            release(document);
            Err(error)
        }
    }
}

/// Frees a document level by level: one that is nested a million deep would overflow the stack.
fn release(document: Value) {
    let mut waiting = vec![document];
    while let Some(value) = waiting.pop() {
        match value {
            Value::Array(items) => waiting.extend(items),
            Value::Object(map) => waiting.extend(map.into_iter().map(|(_, value)| value)),
            _ => {}
        }
    }
}
