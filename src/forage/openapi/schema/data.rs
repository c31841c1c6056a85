//! Data within schemas.

use serde_json::Value;

/// Names that JavaScript's objects give a meaning.
const RESERVED: &[&str] = &["__proto__", "prototype", "constructor"];

/// Whether `name` is one that JavaScript's objects give a meaning.
pub(crate) fn is_reserved(name: &str) -> bool {
    RESERVED.contains(&name)
}

/// Whether a map somewhere in `value` has a reserved key. The recursion is as deep as
/// a document may be.
pub(super) fn has_reserved_key(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.iter().any(has_reserved_key),
        Value::Object(map) => {
            map.iter().any(|(key, value)| is_reserved(key) || has_reserved_key(value))
        }
        _ => false,
    }
}
