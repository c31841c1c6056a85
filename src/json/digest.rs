//! What tells two values apart: SHA-256 over a canonical text.

use std::fmt;

use serde::{Serialize, Serializer};
use serde_json::Value;
use sha2::Sha256;

/// The SHA-256 of a value's canonical text: no blanks, the keys of each map in
/// the order of their bytes. Equal for equal values, however their maps are
/// ordered, and the same natively and in the Worker.
///
/// ```
/// use mycelium::json::Digest;
/// use serde_json::json;
/// assert_eq!(Digest::of(&json!({"a": 1, "b": 2})), Digest::of(&json!({"b": 2, "a": 1})));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Digest([u8; 32]);

impl Digest {
    /// The digest of `value`, which is nested no deeper than [`DEPTH`](super::DEPTH):
    /// a reader or a schema has seen to that.
    #[must_use]
    pub fn of(value: &Value) -> Self {
        Self::of_canonical(&canonical(value))
    }

    /// The digest of what is already a value's [canonical text](canonical).
    pub(crate) fn of_canonical(text: &str) -> Self {
        Self::of_bytes(text.as_bytes())
    }

    /// The digest of digests, in their order.
    pub(crate) fn of_digests(digests: &[Self]) -> Self {
        Self::of_bytes(digests.iter().map(|digest| digest.0).collect::<Vec<_>>().as_flattened())
    }

    /// The digest of bytes that are a canonical text, or fixed in their layout.
    pub(crate) fn of_bytes(bytes: &[u8]) -> Self {
        Self(<Sha256 as sha2::Digest>::digest(bytes).into())
    }

    /// Its digits, two for each byte.
    fn digits(&self) -> [u8; 64] {
        let mut digits = [0; 64];
        for (pair, byte) in digits.chunks_exact_mut(2).zip(self.0) {
            pair.copy_from_slice(&[digit(byte >> 4), digit(byte & 15)]);
        }
        digits
    }
}

/// The hexadecimal digit of a number up to 15.
fn digit(number: u8) -> u8 {
    let from = if number < 10 { b'0' } else { b'a'.wrapping_sub(10) };
    from.wrapping_add(number)
}

/// A value's canonical text, which its [digest](Digest) is of.
pub(crate) fn canonical(value: &Value) -> String {
    canonical_within(value, usize::MAX).unwrap_or_default()
}

/// The same of a value that is nested no more than `depth` levels; else none.
pub(crate) fn canonical_within(value: &Value, depth: usize) -> Option<String> {
    let mut text = Vec::new();
    write_canonical(value, depth, &mut text)?;
    String::from_utf8(text).ok()
}

impl fmt::Display for Digest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(std::str::from_utf8(&self.digits()).unwrap_or_default())
    }
}

/// As its digits.
impl Serialize for Digest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Digest({self})")
    }
}

fn write_canonical(value: &Value, depth: usize, text: &mut Vec<u8>) -> Option<()> {
    match value {
        Value::Array(items) => {
            let depth = depth.checked_sub(1)?;
            text.push(b'[');
            for (index, item) in items.iter().enumerate() {
                separate(index, text);
                write_canonical(item, depth, text)?;
            }
            text.push(b']');
        }
        Value::Object(map) => {
            let depth = depth.checked_sub(1)?;
            text.push(b'{');
            // Sorted here, since a feature of serde_json may keep the order of writing.
            if map.keys().is_sorted() {
                write_members(map.iter(), depth, text)?;
            } else {
                let mut entries: Vec<_> = map.iter().collect();
                entries.sort_unstable_by_key(|(key, _)| key.as_bytes());
                write_members(entries.into_iter(), depth, text)?;
            }
            text.push(b'}');
        }
        Value::String(string) => write_string(string, text),
        // Memory takes every write.
        leaf => serde_json::to_writer(text, leaf).ok()?,
    }
    Some(())
}

fn write_members<'a>(
    members: impl Iterator<Item = (&'a String, &'a Value)>,
    depth: usize,
    text: &mut Vec<u8>,
) -> Option<()> {
    for (index, (key, item)) in members.enumerate() {
        separate(index, text);
        write_string(key, text);
        text.push(b':');
        write_canonical(item, depth, text)?;
    }
    Some(())
}

/// Writes a string between its quotes, with the escapes that it needs.
pub(crate) fn write_string(string: &str, text: &mut Vec<u8>) {
    if string.bytes().any(|byte| byte < b' ' || byte == b'"' || byte == b'\\') {
        // Memory takes every write.
        let _ = serde_json::to_writer(text, string);
        return;
    }
    text.push(b'"');
    text.extend_from_slice(string.as_bytes());
    text.push(b'"');
}

fn separate(index: usize, text: &mut Vec<u8>) {
    if index > 0 {
        text.push(b',');
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Digest, canonical};

    #[test]
    fn the_canonical_text_is_sorted_and_without_blanks() {
        let text = canonical(&json!({"b": [1, {}], "é": null, "a": "\n"}));
        assert_eq!(text, "{\"a\":\"\\n\",\"b\":[1,{}],\"é\":null}");
    }

    #[test]
    fn a_digest_is_the_sha_256_of_the_text() {
        let digest = Digest::of(&json!({})).to_string();
        assert_eq!(digest, "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a");
        for value in [json!({}), json!("x".repeat(2_000)), json!({"b": [1, {}], "a": "\n"})] {
            let digest = Digest::of(&value);
            assert_eq!(Digest::of_canonical(&canonical(&value)), digest);
            assert_eq!(json!(digest), digest.to_string());
        }
    }

    #[test]
    fn different_values_have_different_digests() {
        let values = [json!([1, 2]), json!([12]), json!("12"), json!({"1": 2}), json!([[1], 2])];
        let digests: std::collections::BTreeSet<_> = values.iter().map(Digest::of).collect();
        assert_eq!(digests.len(), values.len());
    }
}
