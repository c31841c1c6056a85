//! From a document to its validator, once for each content.

use std::{cell::RefCell, rc::Rc};

use jsonschema::{PatternOptions, Validator};
use referencing::Draft;
use serde_json::{Value, json};

use super::{
    SchemaError,
    cache::Cache,
    reference::{self, DOCUMENT, Outside},
};
use crate::json::Digest;

/// How many validators are kept (architecture trials, F6).
const VALIDATORS: usize = 512;

/// How many nodes the kept validators were written with in all. A node takes
/// about 200 bytes: at most 50 MiB of the isolate's 128.
const VALIDATOR_NODES: usize = 250_000;

/// How often a regular expression may go back before it counts as undecided.
const BACKTRACKS: usize = 100_000;

/// The most bytes of one compiled regular expression, and of its search cache.
const PATTERN_BYTES: usize = 2 << 20;

/// A validator, or why the document makes none.
pub(super) type Compiled = Result<Validator, SchemaError>;

thread_local! {
    // Finished values only.
    static COMPILED: RefCell<Cache<Compiled>> =
        const { RefCell::new(Cache::new(VALIDATORS, VALIDATOR_NODES)) };
}

/// The validator of the document with this digest, made if it isn't kept.
pub(super) fn compiled(
    digest: Digest,
    draft: Draft,
    document: &Value,
    written: usize,
) -> Rc<Compiled> {
    if let Some(kept) = COMPILED.with_borrow_mut(|cache| cache.get(&digest)) {
        return kept;
    }
    let made = Rc::new(compile(draft, document));
    COMPILED.with_borrow_mut(|cache| cache.keep(digest, written, Rc::clone(&made)));
    made
}

/// Compiles a document that was checked when it was defined.
///
/// In the Worker the library makes the meta-schema's validator of the root's draft
/// anew for each schema. So the root is one reference of draft 4, whose meta-schema
/// is by far the smallest, and the document is what it refers to.
fn compile(draft: Draft, document: &Value) -> Compiled {
    let registry = reference::registry(draft, document)?;
    let patterns = PatternOptions::fancy_regex()
        .backtrack_limit(BACKTRACKS)
        .size_limit(PATTERN_BYTES)
        .dfa_size_limit(PATTERN_BYTES);
    jsonschema::options()
        .with_draft(Draft::Draft4)
        .with_registry(&registry)
        .with_retriever(Outside)
        .with_pattern_options(patterns)
        .should_validate_formats(false)
        .without_content_encoding_support("base64")
        .without_content_media_type_support("application/json")
        .build(&json!({"$ref": DOCUMENT}))
        .map_err(|error| {
            SchemaError::schema(&error.instance_path().to_string(), &error.to_string())
        })
}
