//! What tells two values apart: SHA-256 over a canonical text.

use std::{fmt, io, io::Write};

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
        Self::written(|hash| write_canonical(value, hash))
    }

    /// The digest of what is already a value's [canonical text](canonical).
    pub(crate) fn of_canonical(text: &str) -> Self {
        Self::written(|hash| hash.write_all(text.as_bytes()))
    }

    /// The digest of a value that nobody makes: `value` writes it, with the keys of its maps in
    /// the order of their bytes.
    pub(crate) fn of_sorted(value: &impl Serialize) -> Self {
        Self::written(|hash| Ok(serde_json::to_writer(hash, value)?))
    }

    fn written(write: impl FnOnce(&mut Hash) -> io::Result<()>) -> Self {
        let mut hash = Hash(sha2::Digest::new());
        // Hashing can't fail, and neither can printing a value.
        let _ = write(&mut hash);
        Self(sha2::Digest::finalize(hash.0).into())
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
    let mut text = Vec::new();
    // Memory takes every write.
    let _ = write_canonical(value, &mut text);
    String::from_utf8(text).unwrap_or_default()
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

struct Hash(Sha256);

impl Write for Hash {
    fn write(&mut self, part: &[u8]) -> io::Result<usize> {
        sha2::Digest::update(&mut self.0, part);
        Ok(part.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn write_canonical(value: &Value, text: &mut impl Write) -> io::Result<()> {
    match value {
        Value::Array(items) => {
            text.write_all(b"[")?;
            for (index, item) in items.iter().enumerate() {
                separate(index, text)?;
                write_canonical(item, text)?;
            }
            text.write_all(b"]")
        }
        Value::Object(map) => {
            // Sorted here, since a feature of serde_json may keep the order of writing.
            let mut entries: Vec<_> = map.iter().collect();
            entries.sort_unstable_by_key(|(key, _)| key.as_bytes());
            text.write_all(b"{")?;
            for (index, (key, item)) in entries.into_iter().enumerate() {
                separate(index, text)?;
                serde_json::to_writer(&mut *text, key)?;
                text.write_all(b":")?;
                write_canonical(item, text)?;
            }
            text.write_all(b"}")
        }
        leaf => Ok(serde_json::to_writer(text, leaf)?),
    }
}

fn separate(index: usize, text: &mut impl Write) -> io::Result<()> {
    if index == 0 { Ok(()) } else { text.write_all(b",") }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Digest, canonical, write_canonical};

    #[test]
    fn the_canonical_text_is_sorted_and_without_blanks() {
        let mut text = Vec::new();
        write_canonical(&json!({"b": [1, {}], "é": null, "a": "\n"}), &mut text).unwrap();
        assert_eq!(String::from_utf8(text).unwrap(), "{\"a\":\"\\n\",\"b\":[1,{}],\"é\":null}");
    }

    #[test]
    fn a_digest_is_the_sha_256_of_the_text() {
        let digest = Digest::of(&json!({})).to_string();
        assert_eq!(digest, "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a");
        for value in [json!({}), json!("x".repeat(2_000)), json!({"b": [1, {}], "a": "\n"})] {
            let digest = Digest::of(&value);
            assert_eq!(Digest::of_canonical(&canonical(&value)), digest);
            assert_eq!(Digest::of_sorted(&value), digest);
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
