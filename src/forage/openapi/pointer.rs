//! JSON Pointers into a document: RFC 6901.

use std::fmt;

use serde_json::Value;

/// A place in a document.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Pointer(String);

impl Pointer {
    /// The whole document.
    pub(crate) fn root() -> Self {
        Self(String::new())
    }

    /// The entry `key` of the map here.
    pub(crate) fn key(&self, key: &str) -> Self {
        let mut text =
            String::with_capacity(self.0.len().saturating_add(key.len()).saturating_add(1));
        text.push_str(&self.0);
        text.push('/');
        for letter in key.chars() {
            match letter {
                '~' => text.push_str("~0"),
                '/' => text.push_str("~1"),
                other => text.push(other),
            }
        }
        Self(text)
    }

    /// The item `index` of the list here.
    pub(crate) fn index(&self, index: usize) -> Self {
        Self(format!("{}/{index}", self.0))
    }

    /// The place that a `#…` reference names; none when it is no JSON Pointer.
    pub(crate) fn of_reference(reference: &str) -> Option<Self> {
        let text = percent_decoded(reference.strip_prefix('#')?)?;
        let well_formed = text.is_empty() || text.starts_with('/');
        well_formed.then_some(Self(text))
    }

    /// What stands here.
    pub(crate) fn find<'a>(&self, root: &'a Value) -> Option<&'a Value> {
        root.pointer(&self.0)
    }
}

impl fmt::Display for Pointer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// `text` without its percent-encoding; none when that is broken or no UTF-8.
pub(crate) fn percent_decoded(text: &str) -> Option<String> {
    let mut decoded = Vec::with_capacity(text.len());
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        if byte != b'%' {
            decoded.push(byte);
            continue;
        }
        let digit = |byte: Option<u8>| char::from(byte?).to_digit(16);
        let (high, low) = (digit(bytes.next())?, digit(bytes.next())?);
        decoded.push(u8::try_from(high.checked_mul(16)?.checked_add(low)?).ok()?);
    }
    String::from_utf8(decoded).ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::Pointer;

    #[test]
    fn a_reference_is_decoded_as_a_fragment_and_then_as_a_pointer() {
        let document = json!({"a b": {"c/d": [1, {"~": 2}]}, "%25": 3, "a+b": 4});
        for (reference, expected) in [
            ("#/a%20b/c~1d/1/~0", Some(json!(2))),
            ("#/a%20b/c%7E1d/0", Some(json!(1))),
            ("#/%2525", Some(json!(3))),
            ("#/a+b", Some(json!(4))),
            ("#", Some(document.clone())),
            ("#/a+b/", None),
            ("#/a b/c~1d/2", None),
        ] {
            let pointer = Pointer::of_reference(reference).unwrap();
            assert_eq!(pointer.find(&document), expected.as_ref(), "{reference}");
        }
        for broken in ["#a", "#/%2", "#/%zz", "#/%ff", "a.json#/b", ""] {
            assert_eq!(Pointer::of_reference(broken), None, "{broken}");
        }
    }

    proptest! {
        #[test]
        fn a_pointer_leads_to_the_key_it_was_made_of(key in "\\PC{0,8}") {
            let document = json!({"a": {key.clone(): 7}});
            let pointer = Pointer::root().key("a").key(&key);
            prop_assert_eq!(pointer.find(&document), Some(&json!(7)));
        }
    }
}
