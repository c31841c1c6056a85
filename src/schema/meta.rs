//! The drafts, and what each says a schema may be.

use std::cell::OnceCell;

use jsonschema::meta::MetaValidator;
use referencing::Draft;
use serde_json::{Value, json};

use super::SchemaError;

thread_local! {
    // The validator of each draft's meta-schema, made when the first schema of that draft
    // comes. The library would make it anew for every schema in the Worker, where that
    // takes longer than compiling the schema.
    static DRAFT_2020_12: OnceCell<Option<MetaValidator<'static>>> = const { OnceCell::new() };
    static DRAFT_07: OnceCell<Option<MetaValidator<'static>>> = const { OnceCell::new() };
}

const URI_2020_12: &str = "https://json-schema.org/draft/2020-12/schema";
const URI_07: &str = "http://json-schema.org/draft-07/schema";

/// The draft that a `$schema` names; none when it isn't one of ours.
pub(super) fn draft(uri: &str) -> Option<Draft> {
    let uri = uri.strip_suffix('#').unwrap_or(uri);
    let path = uri.strip_prefix("https://").or_else(|| uri.strip_prefix("http://"))?;
    match path {
        "json-schema.org/draft/2020-12/schema" => Some(Draft::Draft202012),
        "json-schema.org/draft-07/schema" => Some(Draft::Draft7),
        _ => None,
    }
}

/// The draft of `document`: 2020-12 unless it says otherwise.
///
/// # Errors
///
/// It says another one than 2020-12 and draft-07.
pub(super) fn draft_of(document: &Value) -> Result<Draft, SchemaError> {
    let Some(uri) = document.get("$schema").and_then(Value::as_str) else {
        return Ok(Draft::Draft202012);
    };
    draft(uri).ok_or_else(|| {
        let problem = format!("{uri} is neither {URI_2020_12} nor {URI_07}");
        SchemaError::schema("/$schema", &problem)
    })
}

/// Whether `document` has the shape that its draft gives a schema.
///
/// # Errors
///
/// The first fault and its path.
pub(super) fn check(draft: Draft, document: &Value) -> Result<(), SchemaError> {
    let (cell, uri) = match draft {
        Draft::Draft7 => (&DRAFT_07, URI_07),
        _ => (&DRAFT_2020_12, URI_2020_12),
    };
    cell.with(|cell| {
        let made =
            cell.get_or_init(|| jsonschema::meta::validator_for(&json!({"$schema": uri})).ok());
        let validator = made
            .as_ref()
            .ok_or_else(|| SchemaError::schema("", &format!("{uri} couldn't be compiled")))?;
        if validator.is_valid(document) {
            return Ok(());
        }
        validator.validate(document).map_err(|error| {
            SchemaError::schema(&error.instance_path().to_string(), &error.to_string())
        })
    })
}
