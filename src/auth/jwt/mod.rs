//! Tokens that an issuer signs.
//!
//! Owns what a token must say and which key it must be signed with. Doesn't own the
//! check of the signature, nor how keys are fetched: those are [`Signatures`] and [`Jwks`].

mod keys;
mod rules;
mod token;

use futures::future::LocalBoxFuture;
use serde_json::{Map, Value};

pub use keys::JwksCache;
pub use rules::{Jwt, JwtRules};

/// The signatures that are taken: asymmetric ones only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// ECDSA over P-256 with SHA-256.
    Es256,
    /// RSASSA-PKCS1-v1_5 with SHA-256.
    Rs256,
}

impl Algorithm {
    /// The algorithm of this name in a token's header.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "ES256" => Some(Self::Es256),
            "RS256" => Some(Self::Rs256),
            _ => None,
        }
    }

    /// The kind of key it is made with.
    #[must_use]
    pub fn key_type(self) -> &'static str {
        match self {
            Self::Es256 => "EC",
            Self::Rs256 => "RSA",
        }
    }
}

/// Checks signatures.
pub trait Signatures {
    /// Whether `signature` is that of `signed` under the public key `jwk`.
    fn verify(
        &self,
        algorithm: Algorithm,
        jwk: Map<String, Value>,
        signed: Vec<u8>,
        signature: Vec<u8>,
    ) -> LocalBoxFuture<'static, bool>;
}

/// Fetches an issuer's keys.
pub trait Jwks {
    /// The key set at `url` as JSON text; none when it can't be had.
    fn fetch(&self, url: &str) -> LocalBoxFuture<'static, Option<String>>;
}
