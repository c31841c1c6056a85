//! What a token must say.

use std::rc::Rc;

use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use super::{Jwks, JwksCache, Signatures, token::Token};
use crate::mcp::{Actor, Caller, Credential, Principal};

/// Milliseconds by which clocks may differ.
const SKEW_MS: u64 = 60_000;

/// What a host demands of tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JwtRules {
    /// Who must have issued them.
    pub issuer: String,
    /// Whom they must be for.
    pub audience: String,
    /// Where the issuer's keys are.
    pub jwks_url: String,
    /// The kind of actor that a token's `sub` is: member, agent or team-key.
    pub kind: String,
    /// The claim that has a member's role.
    pub role_claim: String,
}

/// Tokens of one issuer.
#[derive(Clone)]
pub struct Jwt {
    /// What they must say.
    pub rules: JwtRules,
    /// The issuer's keys.
    pub cache: JwksCache,
    /// How keys are fetched.
    pub jwks: Rc<dyn Jwks>,
    /// How signatures are checked.
    pub signatures: Rc<dyn Signatures>,
}

impl Jwt {
    /// Who comes with `token`, if it is good at this time.
    pub async fn find(&self, token: &str, now_ms: u64) -> Option<Caller> {
        let read = Token::read(token)?;
        // What a token says for itself is cheap to check, and asks nobody.
        let caller = self.said(&read.claims, token, now_ms)?;
        let wanted = (read.algorithm, read.key_id.as_deref());
        let key = self.cache.key(&*self.jwks, &self.rules.jwks_url, now_ms, wanted).await?;
        let signed = self.signatures.verify(read.algorithm, key, read.signed, read.signature);
        signed.await.then_some(caller)
    }

    fn said(&self, claims: &Map<String, Value>, token: &str, now_ms: u64) -> Option<Caller> {
        let text = |name: &str| claims.get(name).and_then(Value::as_str);
        let rules = &self.rules;
        let for_us = match claims.get("aud")? {
            Value::String(audience) => *audience == rules.audience,
            Value::Array(all) => all.iter().any(|one| one.as_str() == Some(&rules.audience)),
            _ => false,
        };
        let expires_ms = millis(claims.get("exp")?)?;
        let begun = match claims.get("nbf") {
            None => true,
            Some(begin) => millis(begin)? <= now_ms.saturating_add(SKEW_MS),
        };
        let expired = expires_ms.saturating_add(SKEW_MS) <= now_ms;
        if text("iss") != Some(&rules.issuer) || !for_us || !begun || expired {
            return None;
        }
        let principal = Principal::new(Actor::of(&rules.kind, text("sub")?)?);
        let role = text(&rules.role_claim).map(str::to_owned);
        let principal = role.into_iter().fold(principal, Principal::role);
        let id = text("jti").map_or_else(|| fingerprint(token), str::to_owned);
        let expires_ms = Some(expires_ms.saturating_add(SKEW_MS));
        let credential = Credential { id: format!("jwt:{id}"), expires_ms };
        Some(Caller { principal, credential, trace: None })
    }
}

/// Seconds since 1970, as a token has them, in milliseconds.
fn millis(seconds: &Value) -> Option<u64> {
    let whole = seconds.as_u64();
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "positive and far below 2^53 by the guard"
    )]
    let part = || seconds.as_f64().filter(|s| (0.0..1e12).contains(s)).map(|s| s as u64);
    whole.or_else(part)?.checked_mul(1_000)
}

/// A name for a token that has none of its own, from which it can't be made again.
fn fingerprint(token: &str) -> String {
    Sha256::digest(token).iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}
