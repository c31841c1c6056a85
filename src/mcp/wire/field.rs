//! Header fields that repeat a part of the body.

use data_encoding::BASE64;

/// How a text stands in a field: as it is, or encoded where a field can't hold it or would
/// say something else.
///
/// ```
/// use mycelium::mcp::wire::{field_text, field_value};
/// assert_eq!(field_value("execute"), "execute");
/// for text in ["é", " a", "=?base64?YQ==?=", ""] {
///     assert_eq!(field_text(&field_value(text)).as_deref(), Some(text));
/// }
/// ```
#[must_use]
pub fn field_value(text: &str) -> String {
    let plain = text.bytes().all(|byte| matches!(byte, b' '..=b'~'))
        && text.trim_matches(' ') == text
        && !(text.starts_with("=?base64?") && text.ends_with("?="));
    if plain {
        return text.to_owned();
    }
    format!("=?base64?{}?=", BASE64.encode(text.as_bytes()))
}

/// What a field says: its text without space around it, or what `=?base64?…?=` encodes.
///
/// ```
/// use mycelium::mcp::wire::field_text;
/// assert_eq!(field_text(" execute "), Some("execute".to_owned()));
/// assert_eq!(field_text("=?base64?ZXhlY3V0ZQ==?="), Some("execute".to_owned()));
/// assert_eq!(field_text("=?base64?ZXhlY3V0ZQ?="), None);
/// ```
#[must_use]
pub fn field_text(value: &str) -> Option<String> {
    let value = value.trim_matches([' ', '\t']);
    let encoded = value.strip_prefix("=?base64?").and_then(|rest| rest.strip_suffix("?="));
    match encoded {
        Some(encoded) => String::from_utf8(BASE64.decode(encoded.as_bytes()).ok()?).ok(),
        None => Some(value.to_owned()),
    }
}
