//! What a host grants: one word a key.

use std::{collections::BTreeMap, fmt};

use serde_json::Value;

use crate::{
    failure::{Reason, bounded},
    operation::Access,
};

/// How much of a module may be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Grant {
    /// Nothing.
    None,
    /// The operations that only read.
    Read,
    /// Every operation.
    Write,
}

impl Grant {
    /// The word that says it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Write => "write",
            Self::Read => "read",
            Self::None => "none",
        }
    }

    /// The grant of this name: exactly `write`, `read` or `none`.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "write" => Some(Self::Write),
            "read" => Some(Self::Read),
            "none" => Some(Self::None),
            _ => None,
        }
    }

    /// Whether it lets an operation of this label run.
    ///
    /// # Errors
    ///
    /// [`Reason::NotGranted`] or [`Reason::ReadOnly`].
    pub fn admits(self, access: Access) -> Result<(), Reason> {
        match (self, access) {
            (Self::Write, _) | (Self::Read, Access::Read) => Ok(()),
            (Self::Read, Access::Write) => Err(Reason::ReadOnly),
            (Self::None, _) => Err(Reason::NotGranted),
        }
    }
}

/// Grants by key: a module's id, or a wider owner's key.
///
/// A key that no module has is kept, for a source may bring the module later.
///
/// ```
/// use mycelium::runtime::access::{Grant, Grants};
/// use serde_json::json;
///
/// let grants = Grants::parse(&json!({"notes": "read"}))?;
/// assert_eq!(grants.get("notes"), Some(Grant::Read));
/// assert!(Grants::parse(&json!({"notes": "Read"})).is_err());
/// # Ok::<(), mycelium::runtime::access::GrantError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grants(BTreeMap<String, Grant>);

impl Grants {
    /// The grants that `value` says, strictly.
    ///
    /// # Errors
    ///
    /// [`GrantError`] for the first value that is no grant, or no object at all.
    pub fn parse(value: &Value) -> Result<Self, GrantError> {
        let Value::Object(said) = value else {
            return Err(GrantError { key: None, found: found(value) });
        };
        let grant = |(key, value): (&String, &Value)| {
            let grant = value.as_str().and_then(Grant::named);
            let grant =
                grant.ok_or_else(|| GrantError { key: Some(key.clone()), found: found(value) })?;
            Ok((key.clone(), grant))
        };
        said.iter().map(grant).collect::<Result<_, _>>().map(Self)
    }

    /// What this key is granted, if anybody said.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<Grant> {
        self.0.get(key).copied()
    }

    /// Every key with its grant, in the order of the keys.
    pub fn iter(&self) -> impl Iterator<Item = (&str, Grant)> {
        self.0.iter().map(|(key, grant)| (key.as_str(), *grant))
    }

    /// As [`parse`](Self::parse) takes them.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let said = self.iter().map(|(key, grant)| (key.to_owned(), Value::from(grant.as_str())));
        Value::Object(said.collect())
    }

    /// Whether nobody said anything.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<K: Into<String>> FromIterator<(K, Grant)> for Grants {
    fn from_iter<I: IntoIterator<Item = (K, Grant)>>(grants: I) -> Self {
        Self(grants.into_iter().map(|(key, grant)| (key.into(), grant)).collect())
    }
}

/// The most bytes of a wrong value that its error repeats.
const FOUND_BYTES: usize = 60;

fn found(value: &Value) -> String {
    match value {
        Value::Array(_) => "an array".to_owned(),
        Value::Object(_) => "an object".to_owned(),
        scalar => bounded(&scalar.to_string(), FOUND_BYTES),
    }
}

/// A grant that says none of the three words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrantError {
    key: Option<String>,
    found: String,
}

impl fmt::Display for GrantError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let found = &self.found;
        match &self.key {
            Some(key) => {
                let rule = r#"say "write", "read" or "none""#;
                write!(formatter, "the grant of {key:?} is {found}: {rule}")
            }
            None => write!(formatter, "grants are {found}: give an object from module id to grant"),
        }
    }
}

impl std::error::Error for GrantError {}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Access, Grant, Grants, Reason};

    #[test]
    fn a_grant_admits_what_its_word_says() {
        let cells = [
            (Grant::Write, Access::Write, Ok(())),
            (Grant::Write, Access::Read, Ok(())),
            (Grant::Read, Access::Write, Err(Reason::ReadOnly)),
            (Grant::Read, Access::Read, Ok(())),
            (Grant::None, Access::Write, Err(Reason::NotGranted)),
            (Grant::None, Access::Read, Err(Reason::NotGranted)),
        ];
        for (grant, access, expected) in cells {
            assert_eq!(grant.admits(access), expected, "{grant:?} {access:?}");
        }
    }

    #[test]
    fn a_grant_is_write_read_or_none_and_the_error_names_key_and_value() {
        let said = json!({"a": "write", "b": "read", "c": "none"});
        let grants = Grants::parse(&said).unwrap();
        assert_eq!(
            [grants.get("a"), grants.get("b"), grants.get("c"), grants.get("d")],
            [Some(Grant::Write), Some(Grant::Read), Some(Grant::None), None]
        );
        let wrong = [
            (json!({"m": "Write"}), r#"the grant of "m" is "Write""#),
            (json!({"m": "write "}), r#""m" is "write ""#),
            (json!({"m": true}), r#""m" is true"#),
            (json!({"m": null}), r#""m" is null"#),
            (json!({"m": ["write"]}), r#""m" is an array"#),
            (json!({"m": {"write": 1}}), r#""m" is an object"#),
            (json!(["m"]), "grants are an array"),
            (json!("write"), r#"grants are "write""#),
        ];
        for (said, expected) in wrong {
            let error = Grants::parse(&said).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn a_huge_wrong_grant_is_named_in_a_short_error() {
        let error = Grants::parse(&json!({"m": "w".repeat(1_000_000)})).unwrap_err();
        assert!(error.to_string().len() < 200);
    }
}
