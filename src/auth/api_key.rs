//! Keys that a host gives out, of which it keeps only the digests.

use std::collections::BTreeMap;

use serde::Deserialize;
use sha2::{Digest, Sha256};

use crate::{
    json,
    mcp::{Actor, Caller, Credential, Principal},
};

/// Hexadecimal digits of a digest.
const DIGITS: usize = 64;

/// The keys of a host, by name.
///
/// ```
/// use mycelium::auth::ApiKeys;
///
/// let keys = ApiKeys::read(r#"{"ci": {
///     "sha256": "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae",
///     "kind": "agent",
///     "id": "deployer"
/// }}"#)?;
/// assert_eq!(keys.find("foo").unwrap().principal.key(), "agent:deployer");
/// assert_eq!(keys.find("bar"), None);
/// # Ok::<(), mycelium::auth::KeyError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ApiKeys(BTreeMap<String, Key>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Key {
    digest: [u8; 32],
    principal: Principal,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Said {
    sha256: String,
    kind: String,
    id: String,
    role: Option<String>,
}

/// Keys that can't be read. What was found isn't repeated: it may be a secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyError(String);

impl std::fmt::Display for KeyError {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for KeyError {}

impl ApiKeys {
    /// The keys in a JSON object: name to `sha256`, `kind`, `id` and, for a member, `role`.
    ///
    /// # Errors
    ///
    /// [`KeyError`] naming the key that is wrong.
    pub fn read(text: &str) -> Result<Self, KeyError> {
        let value = json::parse(text).map_err(|_| KeyError("no JSON object of keys".to_owned()))?;
        let serde_json::Value::Object(said) = value else {
            return Err(KeyError("no JSON object of keys".to_owned()));
        };
        let key = |(name, said): (String, serde_json::Value)| {
            let wrong = |what: &str| KeyError(format!("the key {name:?}: {what}"));
            let said: Said = serde_json::from_value(said)
                .map_err(|_| wrong("sha256, kind and id are texts, and role may be one"))?;
            let digest = digest(&said.sha256)
                .ok_or_else(|| wrong("sha256 is 64 hexadecimal digits in lower case"))?;
            let actor = Actor::of(&said.kind, &said.id)
                .ok_or_else(|| wrong("kind is member, agent or team-key, and id is not empty"))?;
            let principal = Principal::new(actor);
            let principal = said.role.into_iter().fold(principal, Principal::role);
            Ok((name, Key { digest, principal }))
        };
        said.into_iter().map(key).collect::<Result<_, _>>().map(Self)
    }

    /// Adds a key by the digest of its secret, in hexadecimal digits of lower case.
    ///
    /// # Errors
    ///
    /// [`KeyError`] when that is no digest, or there is a key of this name.
    pub fn add(&mut self, name: &str, sha256: &str, principal: Principal) -> Result<(), KeyError> {
        let wrong = |what: &str| KeyError(format!("the key {name:?}: {what}"));
        let digest = digest(sha256)
            .ok_or_else(|| wrong("its digest is 64 hexadecimal digits in lower case"))?;
        if self.0.contains_key(name) {
            return Err(wrong("there is another of this name"));
        }
        self.0.insert(name.to_owned(), Key { digest, principal });
        Ok(())
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Who comes with `secret`. Every key is compared, each in constant time.
    #[must_use]
    pub fn find(&self, secret: &str) -> Option<Caller> {
        let given: [u8; 32] = Sha256::digest(secret).into();
        let mut found = None;
        for (name, key) in &self.0 {
            if same(&key.digest, &given) {
                found = Some((name, key));
            }
        }
        found.map(|(name, key)| Caller {
            principal: key.principal.clone(),
            credential: Credential { id: name.clone(), expires_ms: None },
            trace: None,
        })
    }

    /// Whether the key of this name still is this principal's.
    #[must_use]
    pub fn has(&self, name: &str, principal: &Principal) -> bool {
        self.0.get(name).is_some_and(|key| key.principal.is(principal))
    }
}

fn digest(text: &str) -> Option<[u8; 32]> {
    let hexadecimal = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    if text.len() != DIGITS || !text.bytes().all(hexadecimal) {
        return None;
    }
    let mut digest = [0; 32];
    for (place, pair) in digest.iter_mut().zip(text.as_bytes().chunks(2)) {
        *place = u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()?;
    }
    Some(digest)
}

/// Whether two digests are the same, in a time that doesn't tell where they differ.
fn same(one: &[u8; 32], other: &[u8; 32]) -> bool {
    let differing = one.iter().zip(other).fold(0, |bits, (one, other)| bits | (one ^ other));
    std::hint::black_box(differing) == 0
}

#[cfg(test)]
mod tests {
    use super::ApiKeys;

    /// The digest of `foo`.
    const FOO: &str = "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae";

    fn keys(sha256: &str, kind: &str) -> Result<ApiKeys, String> {
        let text = format!(r#"{{"k": {{"sha256": "{sha256}", "kind": "{kind}", "id": "7"}}}}"#);
        ApiKeys::read(&text).map_err(|error| error.to_string())
    }

    #[test]
    fn a_key_is_found_by_its_secret_alone() {
        let keys = keys(FOO, "team-key").unwrap();
        let found = keys.find("foo").unwrap();
        assert_eq!(
            (found.principal.key().as_str(), found.credential.id.as_str()),
            ("team-key:7", "k")
        );
        for wrong in ["", "fo", "foo ", "Foo", FOO, "k"] {
            assert_eq!(keys.find(wrong), None, "{wrong}");
        }
        assert!(keys.has("k", &found.principal) && !keys.has("l", &found.principal));
    }

    #[test]
    fn a_wrong_key_is_named_and_nothing_of_it_is_repeated() {
        let upper = FOO.to_uppercase();
        for (sha256, kind) in
            [("", "agent"), ("hunter2", "agent"), (&upper, "agent"), (FOO, "owner")]
        {
            let error = keys(sha256, kind).unwrap_err();
            assert!(error.starts_with("the key \"k\": "), "{error}");
            assert!(!error.contains("hunter2") && !error.contains(&upper));
        }
        for text in ["", "[]", "{", r#"{"k":1}"#, r#"{"k":{},"k":{}}"#] {
            assert!(ApiKeys::read(text).is_err(), "{text}");
        }
        let more = format!(r#"{{"k":{{"sha256":"{FOO}","kind":"agent","id":"7","secret":"x"}}}}"#);
        assert!(ApiKeys::read(&more).is_err());
    }
}
