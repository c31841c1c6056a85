//! Values for a published schema: whole ones and small ones, and each of them with one thing
//! changed. The validator says which are valid.

use std::collections::BTreeSet;

use mycelium::schema::Schema;
use serde_json::{Map, Value, json};

/// The most changed values of one schema.
const CHANGED: usize = 60;

/// Values as texts: those that the schema takes and those that it refuses.
pub(crate) fn values(document: &Value) -> (Vec<Value>, Vec<Value>) {
    let schema = Schema::new(document.clone()).unwrap();
    let made = (0..4).flat_map(|choice| {
        [true, false].map(|whole| sample(document, document, whole, choice, 12))
    });
    let made: Vec<_> = made.filter(|value| schema.validate(value).is_ok()).collect();
    let changed: Vec<_> = made.iter().flat_map(changes).collect();
    let step = changed.len().div_ceil(CHANGED).max(1);
    let all = made.into_iter().chain(changed.into_iter().step_by(step));
    split(&schema, all)
}

/// Tells valid from invalid, each once.
pub(super) fn split(
    schema: &Schema,
    values: impl Iterator<Item = Value>,
) -> (Vec<Value>, Vec<Value>) {
    let mut seen = BTreeSet::new();
    let (mut accepts, mut rejects) = (Vec::new(), Vec::new());
    for value in values {
        let text = value.to_string();
        if !seen.insert(text.clone()) {
            continue;
        }
        match schema.validate(&value) {
            Ok(()) => accepts.push(Value::from(text)),
            Err(_) => rejects.push(Value::from(text)),
        }
    }
    (accepts, rejects)
}

/// A value that probably fits: with everything that may be there, or with what must.
fn sample(root: &Value, schema: &Value, whole: bool, choice: usize, depth: usize) -> Value {
    let of = |schema: &Value| sample(root, schema, whole, choice, depth.saturating_sub(1));
    if depth == 0 {
        return json!(null);
    }
    if let Some(pointer) = schema["$ref"].as_str().and_then(|reference| reference.strip_prefix('#'))
    {
        return root.pointer(pointer).map_or(json!(null), of);
    }
    if let Some(value) = schema.get("const") {
        return value.clone();
    }
    for key in ["enum", "anyOf", "oneOf"] {
        if let Some(members) = schema[key].as_array().filter(|members| !members.is_empty()) {
            let member = &members[choice % members.len()];
            return if key == "enum" { member.clone() } else { of(member) };
        }
    }
    if let Some(members) = schema["allOf"].as_array() {
        return members.first().map_or(json!(null), of);
    }
    let names = schema["type"].as_array().cloned().unwrap_or_else(|| vec![schema["type"].clone()]);
    match names[choice % names.len()].as_str() {
        Some("null") => json!(null),
        Some("boolean") => json!(choice.is_multiple_of(2)),
        Some("number" | "integer") => schema.get("minimum").cloned().unwrap_or(json!(choice + 1)),
        Some("string") => json!(text(schema)),
        Some("array") => list(schema, whole, of),
        Some("object") => object(schema, whole, of),
        _ => json!({"any": 1}),
    }
}

fn text(schema: &Value) -> String {
    if schema["format"] == "uuid" {
        return "00000000-0000-0000-0000-000000000000".to_owned();
    }
    let least = usize::try_from(schema["minLength"].as_u64().unwrap_or(1)).unwrap().max(1);
    "x".repeat(least)
}

fn list(schema: &Value, whole: bool, of: impl Fn(&Value) -> Value) -> Value {
    let least = usize::try_from(schema["minItems"].as_u64().unwrap_or(0)).unwrap();
    let most = usize::try_from(schema["maxItems"].as_u64().unwrap_or(9)).unwrap();
    let count = if whole { least.max(2).min(most) } else { least };
    json!((0..count).map(|_| of(&schema["items"])).collect::<Vec<_>>())
}

fn object(schema: &Value, whole: bool, of: impl Fn(&Value) -> Value) -> Value {
    let required: Vec<_> = schema["required"].as_array().into_iter().flatten().collect();
    let mut map = Map::new();
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        if whole || required.iter().any(|required| *required == name) {
            map.insert(name.clone(), of(property));
        }
    }
    if whole && schema["additionalProperties"].is_object() {
        map.insert("more".to_owned(), of(&schema["additionalProperties"]));
    }
    Value::Object(map)
}

/// The value with one thing changed, at every place: another kind, an entry less, one more.
pub(super) fn changes(value: &Value) -> Vec<Value> {
    let kinds = [json!(null), json!(true), json!(7), json!("?"), json!([]), json!({})];
    let other = |kind: &Value| std::mem::discriminant(kind) != std::mem::discriminant(value);
    let mut changed: Vec<_> = kinds.into_iter().filter(other).collect();
    match value {
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                changed.extend(changes(item).into_iter().map(|item| {
                    let mut items = items.clone();
                    items[index] = item;
                    Value::Array(items)
                }));
            }
        }
        Value::Object(map) => {
            for (name, item) in map {
                let mut without = map.clone();
                without.remove(name);
                changed.push(Value::Object(without));
                changed.extend(changes(item).into_iter().map(|item| {
                    let mut map = map.clone();
                    map.insert(name.clone(), item);
                    Value::Object(map)
                }));
            }
            let mut more = map.clone();
            more.insert("unlisted".to_owned(), json!(1));
            changed.push(Value::Object(more));
        }
        Value::String(_) => changed.push(json!("another text")),
        _ => {}
    }
    changed
}
