//! What is true of every operation in a table, whoever wrote it.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::{Answer, Body, Entry, Form, Parameter, Place, Style, TableError};
use crate::{
    forage::openapi::{header, media, name, path::Template, text},
    limits::{
        OPENAPI_TABLE_OPERATIONS, OPENAPI_TAG_UNITS, OPENAPI_TAGS, OPENAPI_TEXT_UNITS,
        OPENAPI_TITLE_UNITS,
    },
    schema::subset::{self, Formats},
};

/// Checks the operations of a table, which are sorted.
pub(super) fn operations(entries: &[Entry]) -> Result<(), TableError> {
    if !(1..=OPENAPI_TABLE_OPERATIONS).contains(&entries.len()) {
        return Err(TableError::Count { count: entries.len() });
    }
    let (mut names, mut selectors) = (BTreeSet::new(), BTreeSet::new());
    for entry in entries {
        let selector = entry.selector();
        if !names.insert(entry.name.as_str()) {
            return Err(TableError::Duplicate { name: entry.name.clone() });
        }
        operation(entry).map_err(|problem| TableError::Operation {
            operation: crate::failure::bounded(&selector, SHOWN_BYTES),
            problem,
        })?;
        if !selectors.insert(selector.clone()) {
            return Err(TableError::Duplicate { name: selector });
        }
    }
    Ok(())
}

/// The most bytes of a method and path that a message shows.
const SHOWN_BYTES: usize = 200;

fn operation(entry: &Entry) -> Result<(), String> {
    holds(name::is_name(&entry.name), "its name isn't one that a program can say")?;
    holds(entry.third_party, "its texts aren't marked as a third party's")?;
    texts(entry)?;
    let template = Template::parse(&entry.path).ok_or("its path could lead elsewhere")?;
    parameters(entry, &template)?;
    if let Some(found) = &entry.body {
        holds(entry.method.may_have_body(), "its method has no body")?;
        body(found)?;
    }
    let formats = if entry.unchecked_formats { Formats::Annotate } else { Formats::Refuse };
    input(entry, formats)?;
    if let Some(output) = &entry.output {
        schema(output, formats).map_err(|problem| format!("its output: {problem}"))?;
    }
    holds(
        entry.answer == Answer::Json || entry.output.as_ref().is_none_or(says_text),
        "its answer is a text and its output is described as something else",
    )
}

fn holds(rule: bool, otherwise: &str) -> Result<(), String> {
    if rule { Ok(()) } else { Err(otherwise.to_owned()) }
}

fn texts(entry: &Entry) -> Result<(), String> {
    let tags = entry.tags.iter().all(|tag| text::within(tag, OPENAPI_TAG_UNITS));
    holds(
        text::within(&entry.title, OPENAPI_TITLE_UNITS)
            && text::within(&entry.description, OPENAPI_TEXT_UNITS)
            && entry.fragment.as_ref().is_none_or(|said| text::within(said, OPENAPI_TITLE_UNITS))
            && entry.tags.len() <= OPENAPI_TAGS
            && tags,
        "its texts are over their bounds",
    )
}

fn parameters(entry: &Entry, template: &Template) -> Result<(), String> {
    let mut seen = BTreeSet::new();
    for found in &entry.parameters {
        parameter(found)?;
        let name = match found.place {
            Place::Header => found.name.to_ascii_lowercase(),
            Place::Path | Place::Query => found.name.clone(),
        };
        holds(seen.insert((found.place, name)), "two parameters are one")?;
    }
    let at = |place, name: &str| seen.contains(&(place, name.to_owned()));
    holds(
        template.parameters().all(|name| at(Place::Path, name)),
        "a placeholder of its path has no parameter",
    )?;
    let used: BTreeSet<_> = template.parameters().collect();
    let in_path = seen.iter().filter(|(place, _)| *place == Place::Path);
    holds(
        in_path.into_iter().all(|(_, name)| used.contains(name.as_str())),
        "a path parameter isn't in its path",
    )
}

fn parameter(found: &Parameter) -> Result<(), String> {
    holds(!found.name.is_empty(), "a parameter has no name")?;
    holds(found.style.is_at(found.place), "a parameter's style doesn't exist for its place")?;
    match found.place {
        Place::Path => holds(found.required, "a path parameter isn't required"),
        Place::Header => holds(
            header::is_token(&found.name) && !header::is_reserved(&found.name),
            "a header isn't one that a program may send",
        ),
        Place::Query => Ok(()),
    }
}

fn body(found: &Body) -> Result<(), String> {
    holds(media::is_sendable(&found.media), "the body's media type isn't one")?;
    let form = media::form(&found.media);
    let fits = match found.form {
        Form::Json | Form::Urlencoded | Form::Multipart => form == Some(found.form),
        Form::Text | Form::Base64 => form.is_none(),
    };
    holds(fits, "the body's form isn't that of its media type")?;
    let is_form = matches!(found.form, Form::Urlencoded | Form::Multipart);
    holds(is_form || found.parts.is_empty(), "the body has parts and is no form")?;
    let mut names = BTreeSet::new();
    for part in &found.parts {
        holds(names.insert(&part.name), "two parts of the body are one")?;
        let media = part.media.as_deref().is_none_or(media::is_sendable);
        let style =
            part.style.is_none_or(|style| style == Style::Json || style.is_at(Place::Query));
        holds(media && style, "a part of the body isn't one")?;
    }
    Ok(())
}

/// The input is a map of exactly the parameters and the body, and nothing else.
fn input(entry: &Entry, formats: Formats) -> Result<(), String> {
    schema(&entry.input, formats).map_err(|problem| format!("its input: {problem}"))?;
    let parameters = entry.parameters.iter().map(|found| (found.input.as_str(), found.required));
    let body = entry.body.iter().map(|found| (found.input.as_str(), found.required));
    let mut inputs = BTreeMap::new();
    for (input, required) in parameters.chain(body) {
        holds(inputs.insert(input, required).is_none(), "two inputs have one name")?;
    }
    let required: BTreeSet<_> =
        inputs.iter().filter(|(_, required)| **required).map(|(input, _)| *input).collect();
    let listed = |key: &str| entry.input.get(key).and_then(Value::as_array);
    let said: BTreeSet<_> =
        listed("required").into_iter().flatten().filter_map(Value::as_str).collect();
    let properties = entry.input.get("properties").and_then(Value::as_object);
    let described = properties.is_some_and(|properties| {
        properties.len() == inputs.len()
            && properties.keys().all(|key| inputs.contains_key(key.as_str()))
    });
    let closed = entry.input.get("additionalProperties") == Some(&Value::Bool(false));
    let map = entry.input.get("type").and_then(Value::as_str) == Some("object");
    let known = entry.input.as_object().is_some_and(|input| {
        let keys = ["type", "properties", "required", "additionalProperties"];
        input.keys().all(|key| keys.contains(&key.as_str()))
    });
    holds(
        map && closed && described && known && said == required,
        "its input isn't exactly its parameters and its body",
    )
}

fn schema(document: &Value, formats: Formats) -> Result<(), String> {
    subset::decode(document.clone(), formats).map(drop).map_err(|error| error.to_string())
}

fn says_text(output: &Value) -> bool {
    let is_text = |name: &Value| matches!(name.as_str(), Some("string" | "null"));
    match output.get("type") {
        Some(Value::Array(names)) => names.iter().all(is_text),
        Some(name) => is_text(name),
        None => false,
    }
}
