//! The settings of tokens: whose are taken, and where they come from.

use super::ConfigError;
use crate::{
    auth::{JwtRules, ResourceMetadata},
    mcp::Actor,
};

const ISSUER: &str = "MYCELIUM_JWT_ISSUER";
const AUDIENCE: &str = "MYCELIUM_JWT_AUDIENCE";
const JWKS: &str = "MYCELIUM_JWT_JWKS_URL";
const KIND: &str = "MYCELIUM_JWT_ACTOR";
const ROLE: &str = "MYCELIUM_JWT_ROLE_CLAIM";
const SERVERS: &str = "MYCELIUM_AUTHORIZATION_SERVERS";
const SCOPE: &str = "MYCELIUM_SCOPE";

/// The tokens that are taken; none unless an issuer is named.
pub(super) fn rules(
    variable: &impl Fn(&str) -> Option<String>,
) -> Result<Option<JwtRules>, ConfigError> {
    let Some(issuer) = variable(ISSUER) else {
        let alone = [AUDIENCE, JWKS, KIND].into_iter().find(|key| variable(key).is_some());
        return match alone {
            None => Ok(None),
            Some(_) => Err(ConfigError::new(ISSUER, "", "the issuer of the tokens")),
        };
    };
    let needed = |key: &'static str, accepted| {
        let text = variable(key).filter(|text| !text.is_empty());
        text.ok_or_else(|| ConfigError::new(key, "", accepted))
    };
    let kind = variable(KIND).unwrap_or_else(|| "member".to_owned());
    if Actor::of(&kind, "x").is_none() {
        return Err(ConfigError::new(KIND, &kind, "member, agent or team-key"));
    }
    let jwks_url = needed(JWKS, "the URL of the issuer's keys")?;
    if !is_url(&jwks_url) {
        return Err(ConfigError::new(JWKS, &jwks_url, "a URL with https, or http on loopback,"));
    }
    Ok(Some(JwtRules {
        issuer,
        audience: needed(AUDIENCE, "what tokens for this host say as their audience")?,
        jwks_url,
        kind,
        role_claim: variable(ROLE).unwrap_or_else(|| "role".to_owned()),
    }))
}

/// Where a client can get a token.
pub(super) fn metadata(
    variable: &impl Fn(&str) -> Option<String>,
) -> Result<ResourceMetadata, ConfigError> {
    let text = variable(SERVERS).unwrap_or_default();
    let servers = text.split(',').map(str::trim).filter(|server| !server.is_empty());
    let authorization_servers: Vec<String> = servers.map(str::to_owned).collect();
    if let Some(wrong) = authorization_servers.iter().find(|server| !is_url(server)) {
        return Err(ConfigError::new(SERVERS, wrong, "URLs with https, with commas between,"));
    }
    let scope = variable(SCOPE);
    if let Some(scope) = scope.as_ref().filter(|scope| !is_scope(scope)) {
        return Err(ConfigError::new(SCOPE, scope, "names with single spaces between"));
    }
    Ok(ResourceMetadata { authorization_servers, scope })
}

/// What is said in a quoted header field may have neither quotes nor line ends.
fn is_scope(text: &str) -> bool {
    let name = |name: &str| {
        !name.is_empty()
            && name.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'"' && byte != b'\\')
    };
    text.split(' ').all(name)
}

fn is_url(text: &str) -> bool {
    let rest = text.strip_prefix("https://").or_else(|| {
        let rest = text.strip_prefix("http://")?;
        let authority = rest.split('/').next().unwrap_or_default();
        let host = authority.rsplit_once(':').map_or(authority, |(host, _)| host);
        crate::auth::is_loopback(host).then_some(rest)
    });
    rest.is_some_and(|rest| {
        !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'"')
    })
}
