//! What must not be repeated of a request: its credential.
//!
//! Owns how a text is shown without it, and where a result has it. Doesn't own what is
//! hidden: that is what the [server](super::server) and its standing put on the request.

use serde_json::Value;

use super::server::Masked;

/// The fewest bytes of a secret that no text has by chance.
const TELLING: usize = 8;

/// A text without what is to be hidden.
pub(super) fn mask(text: &str, masked: &Masked) -> String {
    masked.iter().fold(text.to_owned(), |text, secret| text.replace(secret, "***"))
}

/// Where a value, bounded in depth, repeats what is to be hidden.
pub(super) fn repeated(value: &Value, masked: &Masked) -> Option<String> {
    let hides = |text: &str| {
        masked.iter().any(|secret| secret.len() >= TELLING && text.contains(secret.as_str()))
    };
    let under = |name: &str, path: String| format!("/{name}{path}");
    match value {
        Value::String(text) => hides(text).then(String::new),
        Value::Array(items) => items
            .iter()
            .enumerate()
            .find_map(|(at, item)| repeated(item, masked).map(|path| under(&at.to_string(), path))),
        Value::Object(members) => members.iter().find_map(|(name, member)| {
            if hides(name) {
                return Some(String::new());
            }
            repeated(member, masked).map(|path| under(name, path))
        }),
        _ => None,
    }
}
