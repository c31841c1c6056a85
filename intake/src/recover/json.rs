//! The arguments of the call sent as the code: `{"code": "…"}`.

use serde_json::Value;

/// How far inside other objects `code` is looked for: a whole tool call has
/// its arguments one or two objects in.
const DEPTH: u32 = 3;

/// The string under `code`.
pub(super) fn code(text: &str) -> Option<String> {
    let text = text.trim();
    if !text.starts_with('{') || !text.contains("\"code\"") {
        return None;
    }
    let value =
        serde_json::from_str(text).or_else(|_| serde_json::from_str(&with_escaped_line_ends(text)));
    find(value.ok()?, DEPTH)
}

fn find(value: Value, depth: u32) -> Option<String> {
    let Value::Object(mut members) = value else {
        return None;
    };
    if let Some(Value::String(code)) = members.remove("code") {
        return Some(code);
    }
    let depth = depth.checked_sub(1)?;
    members.into_iter().find_map(|(_, member)| find(member, depth))
}

/// Models write strings over several lines; JSON does not have them.
fn with_escaped_line_ends(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    let mut in_string = false;
    let mut after_backslash = false;
    for character in text.chars() {
        match character {
            '\n' if in_string => escaped.push_str("\\n"),
            '\r' if in_string => escaped.push_str("\\r"),
            '\t' if in_string => escaped.push_str("\\t"),
            _ => escaped.push(character),
        }
        in_string ^= character == '"' && !after_backslash;
        after_backslash = character == '\\' && !after_backslash;
    }
    escaped
}
