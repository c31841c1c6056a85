//! Programs that would run as they stand, made from the operations there are.

use serde_json::{Map, Value};

use super::describe::callee;
use crate::operation::{Access, Entry};

/// How deep an example's input may be.
const DEPTH: usize = 6;
/// Bytes of an input that still reads as an example.
const INPUT_BYTES: usize = 300;

/// One program with one call, and one with two side by side where two operations only
/// read; empty when no operation can be shown.
pub(super) fn examples(entries: &[&Entry]) -> String {
    let unasked = |entry: &&&Entry| !entry.operation().labels().confirm;
    let reads = |entry: &&&Entry| entry.operation().labels().access == Access::Read;
    let reading: Vec<String> = entries
        .iter()
        .filter(unasked)
        .filter(reads)
        .filter_map(|entry| call(entry))
        .take(2)
        .collect();
    match reading.as_slice() {
        [one, other] => format!(
            "\n\nExample: return {one}\nExample: const [first, second] = await Promise.all([{}, {}]);\n\
             return {{ first, second }}",
            bare(one),
            bare(other),
        ),
        [one] => format!("\n\nExample: return {one}"),
        _ => {
            let any = entries.iter().filter(unasked).find_map(|entry| call(entry));
            any.map_or_else(String::new, |call| format!("\n\nExample: return {call}"))
        }
    }
}

fn bare(call: &str) -> &str {
    call.strip_prefix("await ").unwrap_or(call)
}

/// A call that the operation's own schema takes; none when no such input is found.
fn call(entry: &Entry) -> Option<String> {
    let schema = entry.operation().input_schema();
    let input = sample(schema.document(), schema.document(), DEPTH)?;
    schema.validate(&input).ok()?;
    let text = input.to_string();
    (text.len() <= INPUT_BYTES).then(|| format!("await {}({text})", callee(entry)))
}

/// A value that `schema` probably takes: the author's own where there is one.
fn sample(root: &Value, schema: &Value, depth: usize) -> Option<Value> {
    let depth = depth.checked_sub(1)?;
    let Value::Object(schema) = schema else {
        return (schema == &Value::Bool(true)).then(empty);
    };
    if let Some(own) = authors_own(schema) {
        return Some(own.clone());
    }
    if let Some(reference) = schema.get("$ref") {
        return sample(root, root.pointer(reference.as_str()?.strip_prefix('#')?)?, depth);
    }
    if let Some(Value::Array(choices)) = schema.get("anyOf").or_else(|| schema.get("oneOf")) {
        return choices.iter().find_map(|choice| sample(root, choice, depth));
    }
    match kind(schema) {
        "string" => Some(Value::from("text")),
        "integer" | "number" => Some(schema.get("minimum").cloned().unwrap_or_else(|| 1.into())),
        "boolean" => Some(Value::from(true)),
        "null" => Some(Value::Null),
        "array" => array(root, schema, depth),
        _ => object(root, schema, depth),
    }
}

fn empty() -> Value {
    Value::Object(Map::new())
}

fn authors_own(schema: &Map<String, Value>) -> Option<&Value> {
    let first = |key: &str| schema.get(key).and_then(Value::as_array).and_then(|all| all.first());
    let said = first("examples").or_else(|| schema.get("default"));
    said.or_else(|| schema.get("const")).or_else(|| first("enum"))
}

fn kind(schema: &Map<String, Value>) -> &str {
    match schema.get("type") {
        Some(Value::String(kind)) => kind,
        Some(Value::Array(kinds)) => kinds.first().and_then(Value::as_str).unwrap_or_default(),
        _ => "object",
    }
}

fn array(root: &Value, schema: &Map<String, Value>, depth: usize) -> Option<Value> {
    let least = schema.get("minItems").and_then(Value::as_u64).unwrap_or(0);
    match (least, schema.get("items")) {
        (0, _) => Some(Value::Array(Vec::new())),
        (1, Some(items)) => Some(Value::Array(vec![sample(root, items, depth)?])),
        _ => None,
    }
}

fn object(root: &Value, schema: &Map<String, Value>, depth: usize) -> Option<Value> {
    let Some(Value::Array(required)) = schema.get("required") else { return Some(empty()) };
    let properties = schema.get("properties");
    let member = |key: &Value| {
        let key = key.as_str()?;
        let schema = properties.and_then(|all| all.get(key)).unwrap_or(&Value::Bool(true));
        Some((key.to_owned(), sample(root, schema, depth)?))
    };
    required.iter().map(member).collect::<Option<Map<_, _>>>().map(Value::Object)
}
