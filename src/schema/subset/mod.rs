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
//! | `patternProperties`, and `pattern` unless [`Formats::Annotate`] | regular expressions of strangers aren't run |
//! | a property name `__proto__`, `prototype`, `constructor`, in values too | programs would change what every object inherits |
//! | a keyword that its draft doesn't read and that is no annotation; `dependencies` | what isn't understood can't be kept |
//! | `format`, unless [`Formats::Annotate`] | it isn't validated |
//! | more than [`DEPTH`](super::DEPTH) levels, or more than [`NODES`](super::NODES) nodes | readers recurse, and take a step for each |
//!
//! Spec: 001, "json-schema-subset".

mod error;
mod keyword;
mod walk;
mod words;

#[cfg(test)]
mod tests;

pub use error::{Reason, SubsetError};

use referencing::Draft;
use serde_json::Value;

use super::{Schema, meta};
use keyword::Rules;

/// What becomes of `format` and of `pattern`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Formats {
    /// A schema with one is refused: formats aren't validated, and patterns of strangers
    /// aren't run.
    #[default]
    Refuse,
    /// They are kept as words for the reader, and not validated: a `pattern` as `x-pattern`.
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
pub fn decode(mut document: Value, formats: Formats) -> Result<Schema, SubsetError> {
    let draft = meta::draft_of(&document).unwrap_or(Draft::Draft202012);
    let rules = Rules { formats, draft };
    if let Err(error) = walk::check(&document, rules) {
        release(document);
        return Err(error);
    }
    words::set_aside(&mut document, rules);
    Schema::new(document).map_err(|error| SubsetError::not_a_schema(&error))
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
