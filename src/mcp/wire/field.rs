//! Header fields that repeat a part of the body.

use data_encoding::BASE64;

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
