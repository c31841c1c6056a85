//! The one on whose behalf a request acts, and by what right.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::operation::Trace;

/// The most bytes of an actor's id.
const ID_BYTES: usize = 256;

/// A canonical actor, never a token.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "id", rename_all = "kebab-case")]
pub enum Actor {
    /// A member of the team that owns the host.
    Member(String),
    /// An agent.
    Agent(String),
    /// A key that the team shares.
    TeamKey(String),
}

impl Actor {
    /// The actor of this kind, if there is such a kind and the id can be one.
    #[must_use]
    pub fn of(kind: &str, id: &str) -> Option<Self> {
        let id = (!id.is_empty() && id.len() <= ID_BYTES).then(|| id.to_owned())?;
        match kind {
            "member" => Some(Self::Member(id)),
            "agent" => Some(Self::Agent(id)),
            "team-key" => Some(Self::TeamKey(id)),
            _ => None,
        }
    }

    fn parts(&self) -> (&'static str, &str) {
        match self {
            Self::Member(id) => ("member", id),
            Self::Agent(id) => ("agent", id),
            Self::TeamKey(id) => ("team-key", id),
        }
    }
}

/// An actor and, for a member, the role.
///
/// What a principal owns is named by the actor alone: a changed role keeps it.
///
/// ```
/// use mycelium::mcp::{Actor, Principal};
///
/// let ada = Principal::new(Actor::Member("ada".into())).role("admin");
/// assert_eq!(ada.key(), "member:ada");
/// assert!(ada.is(&Principal::new(Actor::Member("ada".into()))));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Principal {
    actor: Actor,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    role: Option<String>,
}

impl Principal {
    /// The actor, without a role.
    #[must_use]
    pub fn new(actor: Actor) -> Self {
        Self { actor, role: None }
    }

    /// With a role.
    #[must_use]
    pub fn role(mut self, role: impl Into<String>) -> Self {
        self.role = Some(role.into());
        self
    }

    /// The actor.
    #[must_use]
    pub fn actor(&self) -> &Actor {
        &self.actor
    }

    /// The role, of a member.
    #[must_use]
    pub fn has_role(&self) -> Option<&str> {
        self.role.as_deref()
    }

    /// Whether it is the same actor, whatever the role.
    #[must_use]
    pub fn is(&self, other: &Self) -> bool {
        self.actor == other.actor
    }

    /// The owner key: kind and id.
    #[must_use]
    pub fn key(&self) -> String {
        let (kind, id) = self.actor.parts();
        format!("{kind}:{id}")
    }

    /// A name that tells nothing of the principal and is no other principal's.
    ///
    /// It prefixes the names of the principal's objects, so that a session id is
    /// worthless to anybody else.
    #[must_use]
    pub fn digest(&self) -> String {
        let (kind, id) = self.actor.parts();
        let mut hash = Sha256::new();
        hash.update(kind);
        hash.update([0]);
        hash.update(id);
        hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// What a principal came with, without anything that could be used to come again.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Credential {
    /// Names it to whoever issued it: a key's name, a token's id. Never the secret.
    pub id: String,
    /// When it ends, in milliseconds since 1970; it doesn't by itself when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_ms: Option<u64>,
}

/// A principal with the credential of this request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Caller {
    /// Who.
    pub principal: Principal,
    /// By what right.
    pub credential: Credential,
    /// Which distributed trace the request is part of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace: Option<Trace>,
}

#[cfg(test)]
mod tests {
    use super::{Actor, Principal};

    #[test]
    fn kinds_with_the_same_id_are_different_owners() {
        let all = ["member", "agent", "team-key"];
        let all = all.map(|kind| Principal::new(Actor::of(kind, "7").unwrap()));
        assert_eq!(all.each_ref().map(Principal::key), ["member:7", "agent:7", "team-key:7"]);
        let digests = all.each_ref().map(Principal::digest);
        assert!(digests[0] != digests[1] && digests[1] != digests[2] && digests[0] != digests[2]);
        assert!(digests.iter().all(|digest| digest.len() == 64));
    }

    #[test]
    fn a_changed_role_keeps_what_the_actor_owns() {
        let ada = Principal::new(Actor::Member("ada".to_owned()));
        let admin = ada.clone().role("admin");
        assert_eq!((ada.key(), ada.digest()), (admin.key(), admin.digest()));
        assert!(ada.is(&admin) && ada != admin);
    }

    #[test]
    fn an_actor_has_a_kind_there_is_and_an_id() {
        for (kind, id) in [("owner", "7"), ("member", ""), ("member", &"a".repeat(257))] {
            assert_eq!(Actor::of(kind, id), None, "{kind}");
        }
    }
}
