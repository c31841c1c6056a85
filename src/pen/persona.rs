//! Who a pen belongs to, and who may speak for them.
//!
//! Owns the grammar of a persona's name and the owner's decision who it is. What a caller
//! says of itself counts for nothing.
//!
//! Spec: 002, §1 `persona_id`.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
};

use serde::{Deserialize, Deserializer, Serialize, de::Error as _};

/// The most characters of a persona's name.
const NAME: usize = 64;

/// A persona's name: a letter or digit, then letters, digits and `_`. It stands in a pen's id
/// and in the keys of its objects.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct Persona(String);

impl Persona {
    /// The persona of this name; none when no persona can have it.
    #[must_use]
    pub fn new(name: &str) -> Option<Self> {
        let first = name.starts_with(|letter: char| letter.is_ascii_alphanumeric());
        let rest = name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
        (first && rest && name.len() <= NAME).then(|| Self(name.to_owned()))
    }

    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Persona {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Persona {
    fn deserialize<D: Deserializer<'de>>(reader: D) -> Result<Self, D::Error> {
        let name = String::deserialize(reader)?;
        Self::new(&name).ok_or_else(|| D::Error::custom("no persona has this name"))
    }
}

/// Who may act as which persona, and who reviews what is shared.
///
/// An agent acts as the persona of its own name. Everybody else, and an agent as another
/// persona, needs a grant of the owner's: a member and an agent of one name are two.
///
/// ```
/// use mycelium::pen::{Persona, Personas};
///
/// let ink = Persona::new("ink").unwrap();
/// let personas = Personas::default().grant(ink.clone(), "member:ada");
/// assert!(personas.may_act(Some("agent:ink"), &ink));
/// assert!(personas.may_act(Some("member:ada"), &ink));
/// assert!(!personas.may_act(Some("member:ink"), &ink));
/// assert!(!personas.may_act(None, &ink));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Personas {
    granted: BTreeMap<Persona, BTreeSet<String>>,
    reviewers: BTreeSet<String>,
}

impl Personas {
    /// Lets the principal with this owner key act as `persona`.
    #[must_use]
    pub fn grant(mut self, persona: Persona, principal: impl Into<String>) -> Self {
        self.granted.entry(persona).or_default().insert(principal.into());
        self
    }

    /// Lets the principal with this owner key review what is shared.
    #[must_use]
    pub fn reviewer(mut self, principal: impl Into<String>) -> Self {
        self.reviewers.insert(principal.into());
        self
    }

    /// Whether the principal may act as `persona`.
    #[must_use]
    pub fn may_act(&self, principal: Option<&str>, persona: &Persona) -> bool {
        let Some(principal) = principal else { return false };
        principal.strip_prefix("agent:") == Some(persona.as_str())
            || self.granted.get(persona).is_some_and(|granted| granted.contains(principal))
    }

    /// Whether the principal may review.
    #[must_use]
    pub fn may_review(&self, principal: Option<&str>) -> bool {
        principal.is_some_and(|principal| self.reviewers.contains(principal))
    }
}

#[cfg(test)]
mod tests {
    use super::Persona;

    #[test]
    fn a_persona_is_a_part_of_an_id_and_of_a_key() {
        for good in ["a", "7", "Ink_2", &"x".repeat(64)] {
            assert!(Persona::new(good).is_some(), "{good}");
        }
        for bad in ["", "_a", "a-b", "a/b", "..", "a b", "铸渊", "a\n", &"x".repeat(65)] {
            assert!(Persona::new(bad).is_none(), "{bad:?}");
            assert!(serde_json::from_value::<Persona>(bad.into()).is_err());
        }
    }
}
