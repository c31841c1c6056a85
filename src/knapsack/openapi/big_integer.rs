//! Integers that JavaScript would lose digits of, as texts.

use serde_json::{Value, json};

use crate::json::MAX_SAFE_INTEGER;

/// JSON with every integer beyond ±(2^53 − 1) in quotes. What isn't JSON stays none.
pub(super) fn quoted(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut quoted = String::with_capacity(text.len());
    let mut at = 0_usize;
    while let Some(byte) = bytes.get(at) {
        let length = match byte {
            b'"' => string_length(bytes, at),
            b'-' | b'0'..=b'9' => number_length(bytes, at),
            _ => run_length(bytes, at),
        };
        let end = at.saturating_add(length.max(1));
        let token = text.get(at..end).unwrap_or_default();
        if is_big(token) && !is_key(bytes, end) {
            quoted.push('"');
            quoted.push_str(token);
            quoted.push('"');
        } else {
            quoted.push_str(token);
        }
        at = end;
    }
    quoted
}

fn string_length(bytes: &[u8], start: usize) -> usize {
    let mut at = start.saturating_add(1);
    while let Some(byte) = bytes.get(at) {
        at = match byte {
            b'"' => return at.saturating_add(1).saturating_sub(start),
            b'\\' => at.saturating_add(2),
            _ => at.saturating_add(1),
        };
    }
    bytes.len().saturating_sub(start)
}

fn number_length(bytes: &[u8], start: usize) -> usize {
    let part = |byte: &&u8| matches!(byte, b'-' | b'+' | b'.' | b'e' | b'E' | b'0'..=b'9');
    bytes.iter().skip(start).take_while(part).count()
}

fn run_length(bytes: &[u8], start: usize) -> usize {
    let other = |byte: &&u8| !matches!(byte, b'"' | b'-' | b'0'..=b'9');
    bytes.iter().skip(start).take_while(other).count()
}

fn is_big(token: &str) -> bool {
    let digits = token.strip_prefix('-').unwrap_or(token);
    // JSON has no leading zeros, so that sixteen digits are the first that may be too many.
    let integer = digits.len() >= 16
        && digits.bytes().all(|byte| byte.is_ascii_digit())
        && !digits.starts_with('0');
    integer && digits.parse::<u64>().map_or(true, |number| number > MAX_SAFE_INTEGER)
}

/// Whether what ends at `end` stands where a key does, so that quotes would make JSON of
/// what is none.
fn is_key(bytes: &[u8], end: usize) -> bool {
    let mut rest = bytes.iter().skip(end).skip_while(|byte| byte.is_ascii_whitespace());
    rest.next() == Some(&b':')
}

/// A schema that lets a text through wherever it lets a number through. The recursion is
/// as deep as a schema may be.
pub(super) fn widened(schema: &Value) -> Value {
    match schema {
        Value::Object(map) => {
            let mut wide: serde_json::Map<String, Value> = map
                .iter()
                .map(|(key, value)| match (key.as_str(), value) {
                    ("const" | "enum" | "default" | "required", _) => (key.clone(), value.clone()),
                    ("type", _) => (key.clone(), with_text(value)),
                    // Names of the provider's own, none of them a keyword.
                    (
                        "properties" | "patternProperties" | "dependentSchemas" | "$defs",
                        Value::Object(named),
                    ) => {
                        let wide = named.iter().map(|(name, part)| (name.clone(), widened(part)));
                        (key.clone(), Value::Object(wide.collect()))
                    }
                    // Two branches that were told apart by the number may now both hold.
                    ("oneOf", _) if !map.contains_key("anyOf") => {
                        ("anyOf".to_owned(), widened(value))
                    }
                    _ => (key.clone(), widened(value)),
                })
                .collect();
            if map.contains_key("oneOf") && map.contains_key("anyOf") {
                wide.remove("oneOf");
            }
            Value::Object(wide)
        }
        Value::Array(items) => items.iter().map(widened).collect(),
        other => other.clone(),
    }
}

fn with_text(types: &Value) -> Value {
    let mut names = match types {
        Value::Array(names) => names.clone(),
        name => vec![name.clone()],
    };
    let numeric = names.iter().any(|name| name == "integer" || name == "number");
    if !numeric || names.iter().any(|name| name == "string") {
        return types.clone();
    }
    names.push(json!("string"));
    Value::Array(names)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::{quoted, widened};

    #[test]
    fn an_integer_with_too_many_digits_becomes_a_text() {
        for (text, expected) in [
            ("9007199254740991", "9007199254740991"),
            ("9007199254740992", "\"9007199254740992\""),
            ("-9007199254740992", "\"-9007199254740992\""),
            (
                r#"{"a": [123456789012345678901234567890]}"#,
                r#"{"a": ["123456789012345678901234567890"]}"#,
            ),
            (
                r#"{"9007199254740992": "9007199254740992"}"#,
                r#"{"9007199254740992": "9007199254740992"}"#,
            ),
            (
                r#"["\"9007199254740992", 1e400, 9007199254740992.0]"#,
                r#"["\"9007199254740992", 1e400, 9007199254740992.0]"#,
            ),
            ("{9007199254740992 : 1}", "{9007199254740992 : 1}"),
            ("\"é\\", "\"é\\"),
        ] {
            assert_eq!(quoted(text), expected);
        }
    }

    #[test]
    fn a_wide_schema_says_that_a_number_may_be_a_text() {
        let schema = json!({"properties": {"type": {"type": "integer"}}, "enum": [1],
            "oneOf": [{"type": ["number", "null"]}, {"type": "string"}]});
        let expected = json!({"properties": {"type": {"type": ["integer", "string"]}}, "enum": [1],
            "anyOf": [{"type": ["number", "null", "string"]}, {"type": "string"}]});
        assert_eq!(widened(&schema), expected);
    }

    proptest! {
        #[test]
        fn nothing_but_big_integers_changes(text in "[\\[\\]{}:,\"\\\\0-9a-é. -]{0,60}") {
            let out = quoted(&text);
            let before = serde_json::from_str::<Value>(&text);
            prop_assert_eq!(before.is_ok() || big(&text), serde_json::from_str::<Value>(&out).is_ok() || big(&text));
            if !big(&text) {
                prop_assert_eq!(out, text);
            }
        }
    }

    fn big(text: &str) -> bool {
        text.split(|letter: char| !letter.is_ascii_digit()).any(|digits| digits.len() >= 16)
    }
}
