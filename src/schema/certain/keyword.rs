//! What single keywords say of a node.

use serde_json::{Map, Value};

use super::node::{ARRAY, BOOLEAN, FRACTION, INTEGER, Listed, NULL, Node, OBJECT, STRING};

/// Whether there is more than annotations and what makes choices.
pub(super) fn says_more(keywords: &Map<String, Value>) -> bool {
    keywords.keys().any(|keyword| {
        !matches!(
            keyword.as_str(),
            "$ref"
                | "allOf"
                | "anyOf"
                | "oneOf"
                | "title"
                | "description"
                | "default"
                | "examples"
                | "$schema"
                | "$defs"
                | "definitions"
                | "$comment"
        )
    })
}

pub(super) fn choose(node: &mut Node, groups: Vec<Box<[usize]>>) {
    node.choices = node.choices.iter().cloned().chain(groups).collect();
}

pub(super) fn types(value: &Value) -> Option<u8> {
    let one = |name: &Value| {
        Some(match name.as_str()? {
            "null" => NULL,
            "boolean" => BOOLEAN,
            "integer" => INTEGER,
            "number" => INTEGER | FRACTION,
            "string" => STRING,
            "array" => ARRAY,
            "object" => OBJECT,
            _ => return None,
        })
    };
    match value {
        Value::Array(names) => {
            names.iter().try_fold(0, |types: u8, name| one(name).map(|next| types | next))
        }
        name => one(name),
    }
}

/// Takes what is compared here; the others are never certain.
pub(super) fn list(node: &mut Node, values: &[Value]) -> bool {
    // Two enumerations for one value: too rare to be worth an intersection.
    if node.listed.is_some() {
        return false;
    }
    let of_type = |value: &Value| match value {
        Value::Null => NULL,
        Value::Bool(_) => BOOLEAN,
        Value::Number(_) => INTEGER | FRACTION,
        Value::String(_) => STRING,
        Value::Array(_) => ARRAY,
        Value::Object(_) => OBJECT,
    };
    node.possible &= values.iter().fold(0, |types, value| types | of_type(value));
    let strings = values.iter().filter_map(Value::as_str);
    node.listed = Some(Listed {
        strings: strings.map(|text| text.as_bytes().into()).collect(),
        integers: values.iter().filter_map(Value::as_i64).collect(),
        truths: values.iter().filter_map(Value::as_bool).collect(),
        null: values.contains(&Value::Null),
    });
    true
}

pub(super) fn bound((least, most): &mut (usize, usize), keyword: &str, value: &Value) -> bool {
    let Some(bound) = value.as_u64().and_then(|bound| u32::try_from(bound).ok()) else {
        return false;
    };
    let held = if keyword.starts_with("min") { least } else { most };
    usize::try_from(bound).map(|bound| *held = bound).is_ok()
}

/// Whether every key is taken, since all are strings.
pub(super) fn is_of_strings(names: &Value) -> bool {
    let of_strings = |names: &Map<String, Value>| {
        names.len() == 1 && names.get("type").and_then(Value::as_str) == Some("string")
    };
    names == &Value::Bool(true) || names.as_object().is_some_and(of_strings)
}
