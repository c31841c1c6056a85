//! Values as texts.

use serde_json::{Map, Value};

/// Why a value isn't a text.
pub(super) const NESTED: &str =
    "the style can't say a list or a map within a list or a map: give texts, numbers and booleans";

/// Why nothing isn't a text.
pub(super) const EMPTY: &str = "an empty list or map can't be told from none: leave it out";

/// A text, a number or a boolean as text.
pub(super) fn scalar(value: &Value) -> Result<String, &'static str> {
    match value {
        Value::String(text) => Ok(text.clone()),
        Value::Number(number) => Ok(number.to_string()),
        Value::Bool(truth) => Ok(truth.to_string()),
        Value::Null => Err("null can't be said there: leave it out"),
        Value::Array(_) | Value::Object(_) => Err(NESTED),
    }
}

/// What a value is, in texts.
pub(super) enum Texts {
    One(String),
    List(Vec<String>),
    Map(Vec<(String, String)>),
}

/// The texts of a value that is nested no deeper than one level.
pub(super) fn texts(value: &Value) -> Result<Texts, &'static str> {
    match value {
        Value::Array(items) if items.is_empty() => Err(EMPTY),
        Value::Object(map) if map.is_empty() => Err(EMPTY),
        Value::Array(items) => Ok(Texts::List(items.iter().map(scalar).collect::<Result<_, _>>()?)),
        Value::Object(map) => Ok(Texts::Map(pairs(map)?)),
        one => Ok(Texts::One(scalar(one)?)),
    }
}

fn pairs(map: &Map<String, Value>) -> Result<Vec<(String, String)>, &'static str> {
    map.iter().map(|(key, value)| Ok((key.clone(), scalar(value)?))).collect()
}
