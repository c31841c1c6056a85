//! The one on whose behalf a request acts.

use sha2::{Digest, Sha256};

/// A canonical actor: a kind and an id, never a token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Principal {
    kind: &'static str,
    id: String,
}

impl Principal {
    /// The one developer at this machine.
    #[must_use]
    pub fn dev() -> Self {
        Self { kind: "member", id: "dev".to_owned() }
    }

    /// The owner key: kind and id.
    #[must_use]
    pub fn key(&self) -> String {
        format!("{}:{}", self.kind, self.id)
    }

    /// A name that tells nothing of the principal and is no other principal's.
    ///
    /// It prefixes the names of the principal's objects, so that a session id is
    /// worthless to anybody else.
    #[must_use]
    pub fn digest(&self) -> String {
        let mut hash = Sha256::new();
        hash.update(self.kind);
        hash.update([0]);
        hash.update(&self.id);
        hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }
}
