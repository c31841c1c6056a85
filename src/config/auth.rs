//! `[auth]`: who is let in, and where the others can get a token.

use std::collections::BTreeMap;

use super::{
    ConfigError,
    error::Errors,
    form::{section, words},
    rule::{Said, Scope, SecretName, Url},
};
use crate::{
    auth::{ApiKeys, JwtRules, ResourceMetadata},
    mcp::{Actor, Principal},
};

section! {
    /// Who is let in.
    pub(super) struct Auth {
        dev: Option<bool>, "false", "Lets in, as the member `dev`, anyone who connects over loopback. For `.dev.vars`, by `MYCELIUM_AUTH_DEV`; never for a deployment.";
        keys: BTreeMap<String, Key>, "no key", "The keys that were given out, each by a name of its own.";
        jwt: Option<Tokens>, "no token", "The tokens that are taken.";
        authorization_servers: Vec<Url>, "none", "Where clients can get a token: then 401 says where that is written.";
        scope: Option<Scope>, "none", "The scope that clients should ask for.";
    }
}

section! {
    /// A key that was given out.
    pub(super) struct Key {
        kind: ActorKind, "", "What the key's holder is.";
        id: Said, "", "Which one: grants name it by this.";
        role: Option<Said>, "none", "The role of a member.";
        secret: SecretName, "", "The secret that holds the SHA-256 digest of the key, in hexadecimal digits: `printf %s \"$KEY\" | sha256sum`.";
    }
}

section! {
    /// The tokens of one issuer.
    pub(super) struct Tokens {
        issuer: Said, "", "Who must have issued a token.";
        audience: Said, "", "Whom it must be for.";
        jwks_url: Url, "", "Where the issuer's keys are.";
        actor: Option<ActorKind>, "member", "What a token's subject is.";
        role_claim: Option<Said>, "role", "The claim that has a member's role.";
    }
}

words! {
    /// A kind of actor.
    ActorKind(&'static str) {
        "member" => "member",
        "agent" => "agent",
        "team-key" => "team-key",
    }
}

/// The variable, a secret, that has keys with their digests.
const KEYS: &str = "MYCELIUM_API_KEYS";

impl Auth {
    pub(super) fn rules(&self) -> Option<JwtRules> {
        let tokens = self.jwt.as_ref()?;
        Some(JwtRules {
            issuer: tokens.issuer.0.clone(),
            audience: tokens.audience.0.clone(),
            jwks_url: tokens.jwks_url.0.clone(),
            kind: tokens.actor.map_or("member", |kind| kind.0).to_owned(),
            role_claim: tokens.role_claim.as_ref().map_or("role", |claim| &claim.0).to_owned(),
        })
    }

    pub(super) fn metadata(&self) -> ResourceMetadata {
        ResourceMetadata {
            authorization_servers: self
                .authorization_servers
                .iter()
                .map(|server| server.0.clone())
                .collect(),
            scope: self.scope.as_ref().map(|scope| scope.0.clone()),
        }
    }

    /// The keys that are written, with their digests from the secrets, and those that the
    /// variable has. What is wrong with a key never repeats it.
    pub(super) fn api_keys(
        &self,
        variable: &dyn Fn(&str) -> Option<String>,
        errors: &mut Errors,
    ) -> ApiKeys {
        let mut keys = variable(KEYS).map_or_else(ApiKeys::default, |text| {
            ApiKeys::read(&text).unwrap_or_else(|error| {
                let accepted = "an object of keys, each with sha256, kind and id,";
                errors.push(ConfigError::variable(KEYS, &error.to_string(), accepted));
                ApiKeys::default()
            })
        });
        for (name, key) in &self.keys {
            if let Some((digest, principal)) = key.digest_and_principal(name, variable, errors)
                && let Err(error) = keys.add(name, &digest, principal)
            {
                let accepted =
                    "a digest of 64 hexadecimal digits in lower case, under a name used once,";
                errors.push(ConfigError::variable(&key.secret.0, &error.to_string(), accepted));
            }
        }
        keys
    }
}

impl Key {
    fn digest_and_principal(
        &self,
        name: &str,
        variable: &dyn Fn(&str) -> Option<String>,
        errors: &mut Errors,
    ) -> Option<(String, Principal)> {
        let digest = variable(&self.secret.0).filter(|digest| !digest.is_empty());
        if digest.is_none() {
            let set = format!("npx wrangler secret put {}", self.secret.0);
            let accepted = format!("the secret with the digest of the key {name:?} ({set})");
            errors.push(ConfigError::unset(&self.secret.0, &accepted));
        }
        let actor = Actor::of(self.kind.0, &self.id.0);
        if actor.is_none() {
            let key = format!("auth.keys.{name}.id");
            errors.push(ConfigError::variable(&key, &self.id.0, "an id of at most 256 bytes"));
        }
        let role = self.role.iter().map(|role| role.0.clone());
        Some((digest?, role.fold(Principal::new(actor?), Principal::role)))
    }
}
