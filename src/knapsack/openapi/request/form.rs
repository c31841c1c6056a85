//! `application/x-www-form-urlencoded`.

use serde_json::Value;

use super::{
    body::Problem,
    parameter::pairs,
    value::{EMPTY, Texts, scalar, texts},
};
use crate::forage::openapi::{Part, Style, path::encode};

/// The text of a form: a map's entries, each as its part says, a list by default as one
/// entry per item, and a map as JSON.
pub(super) fn write(parts: &[Part], value: &Value) -> Result<String, Problem> {
    let Some(map) = value.as_object() else {
        return Err(Problem { part: String::new(), rule: "the body is a form: give a map" });
    };
    let mut written = Vec::new();
    for (name, value) in map {
        let said = parts.iter().find(|part| part.name == *name);
        let entries = entries(name, said, value);
        let entries = entries.map_err(|rule| Problem { part: name.clone(), rule })?;
        written
            .extend(entries.into_iter().map(|(name, value)| format!("{}={value}", encode(&name))));
    }
    Ok(written.join("&"))
}

fn entries(
    name: &str,
    part: Option<&Part>,
    value: &Value,
) -> Result<Vec<(String, String)>, &'static str> {
    let style = part.and_then(|part| part.style);
    let explode = part.and_then(|part| part.explode);
    let whole = || Texts::One(value.to_string());
    let written = match (style, value) {
        (Some(Style::Json), _) => whole(),
        // Nothing is said of how a map is written: as JSON.
        (None, Value::Object(_)) => whole(),
        (None, Value::Array(items)) => {
            Texts::List(items.iter().map(item).collect::<Result<_, _>>()?)
        }
        _ => texts(value)?,
    };
    if matches!(&written, Texts::List(items) if items.is_empty()) {
        return Err(EMPTY);
    }
    let style = style.unwrap_or(Style::Form);
    pairs(name, style, explode.unwrap_or(style == Style::Form), &written)
}

fn item(value: &Value) -> Result<String, &'static str> {
    match value {
        Value::Array(_) | Value::Object(_) => Ok(value.to_string()),
        one => scalar(one),
    }
}
