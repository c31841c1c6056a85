//! Signing in to a server by OAuth: client credentials, or a refresh token.
//!
//! Owns the one request for a token. Doesn't own when it is made: those are the rules in
//! [`tokens`](super::tokens).

use std::fmt;

use data_encoding::BASE64;
use serde_json::{Value, json};

use super::{Endpoint, Granted, McpPorts, UpstreamError};
use crate::{
    failure::bounded,
    forage::openapi::{header, path::encode},
    json::{self, Digest},
    port::fetch::Request,
};

/// The most bytes of an answer of the authorization server.
const ANSWER_BYTES: usize = 64 * 1_024;

/// The most bytes of an error's name.
const ERROR_BYTES: usize = 64;

/// How a server is signed in to. Secrets are named; nothing is discovered, for who gives out
/// tokens is the owner's choice.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SignIn {
    /// Who gives out tokens.
    pub token_url: Endpoint,
    /// The client's public id.
    pub client_id: String,
    /// The name of the client's secret, where it has one.
    pub client_secret: Option<String>,
    /// With what a token is asked for.
    pub grant: SignInGrant,
    /// The scopes, with blanks between.
    pub scope: Option<String>,
    /// For which resource the token is, where the authorization server wants to know.
    pub resource: Option<String>,
    /// Whether the client's secret stands in the body, and not in a header.
    pub secret_in_body: bool,
}

/// With what a token is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SignInGrant {
    /// The client's own secret.
    ClientCredentials,
    /// A refresh token that a person has got.
    RefreshToken {
        /// The name of the secret that it is.
        secret: String,
    },
}

/// The owner's secrets, read for one request.
pub(super) struct Seed {
    client_secret: Option<String>,
    refresh: Option<String>,
    /// Tells them apart from others and shows none.
    pub(super) digest: String,
}

/// Why there is no token.
pub(super) enum Ungranted {
    /// The client was turned away.
    Denied {
        says: String,
        /// Whether a refresh token is at its end.
        spent: bool,
    },
    /// The authorization server can't be asked.
    Unavailable(UpstreamError),
}

impl SignIn {
    /// A sign-in with the client `client_id` at `token_url`, by its own secret.
    #[must_use]
    pub fn new(token_url: Endpoint, client_id: &str, client_secret: &str) -> Self {
        Self {
            token_url,
            client_id: client_id.to_owned(),
            client_secret: Some(client_secret.to_owned()),
            grant: SignInGrant::ClientCredentials,
            scope: None,
            resource: None,
            secret_in_body: false,
        }
    }

    pub(super) fn secret_names(&self) -> Vec<&str> {
        let refresh = match &self.grant {
            SignInGrant::ClientCredentials => None,
            SignInGrant::RefreshToken { secret } => Some(secret.as_str()),
        };
        self.client_secret.as_deref().into_iter().chain(refresh).collect()
    }

    /// The secrets as they are set now.
    ///
    /// # Errors
    ///
    /// One isn't set, by its name.
    pub(super) fn seed(&self, ports: &McpPorts) -> Result<Seed, UpstreamError> {
        let read = |name: &String| {
            let secret = ports.secrets.secret(name).filter(|secret| !secret.is_empty());
            let unset = || UpstreamError::sign_in(&format!("the secret {name} isn't set: set it"));
            secret.ok_or_else(unset)
        };
        let client_secret = self.client_secret.as_ref().map(read).transpose()?;
        let refresh = match &self.grant {
            SignInGrant::ClientCredentials => None,
            SignInGrant::RefreshToken { secret } => Some(read(secret)?),
        };
        let all = json!([self.client_id, self.token_url.url(), client_secret, refresh]);
        let digest = Digest::of(&all).to_string();
        Ok(Seed { client_secret, refresh, digest })
    }

    /// Asks for a token; `refresh` is the refresh token that came last.
    pub(super) async fn ask(
        &self,
        ports: &McpPorts,
        seed: &Seed,
        refresh: Option<String>,
    ) -> Result<Granted, Ungranted> {
        let request = self.request(seed, refresh.or_else(|| seed.refresh.clone()));
        let unavailable = |evidence: &dyn fmt::Display| {
            let evidence = format!("who gives out its tokens can't be asked: {evidence}");
            Ungranted::Unavailable(UpstreamError::unavailable(&evidence))
        };
        let answer = ports.fetch.fetch(request).await;
        let mut answer = answer.map_err(|error| unavailable(&error))?;
        let status = answer.status;
        let bytes = answer.bytes(ANSWER_BYTES).await.map_err(|error| unavailable(&error))?;
        let body = json::parse(&String::from_utf8_lossy(&bytes)).unwrap_or_default();
        match status {
            200 => granted(&body).ok_or_else(|| unavailable(&"its answer holds no usable token")),
            400 | 401 | 403 => Err(self.denied(&body, status)),
            _ => Err(unavailable(&format!("status {status}"))),
        }
    }

    fn request(&self, seed: &Seed, refresh: Option<String>) -> Request {
        let grant = if refresh.is_some() { "refresh_token" } else { "client_credentials" };
        let basic = seed.client_secret.as_ref().filter(|_| !self.secret_in_body);
        let in_body = seed.client_secret.as_ref().filter(|_| self.secret_in_body);
        let id = basic.is_none().then_some(&self.client_id);
        let fields = [
            ("grant_type", Some(grant)),
            ("refresh_token", refresh.as_deref()),
            ("scope", self.scope.as_deref()),
            ("resource", self.resource.as_deref()),
            ("client_id", id.map(String::as_str)),
            ("client_secret", in_body.map(String::as_str)),
        ];
        let pair = |(name, value): (&str, Option<&str>)| Some(format!("{name}={}", encode(value?)));
        let body: Vec<_> = fields.into_iter().filter_map(pair).collect();
        let mut headers = vec![
            ("accept".to_owned(), "application/json".to_owned()),
            ("content-type".to_owned(), "application/x-www-form-urlencoded".to_owned()),
        ];
        if let Some(secret) = basic {
            // RFC 6749, section 2.3.1: encoded as in a form before.
            let pair = format!("{}:{}", encode(&self.client_id), encode(secret));
            let value = format!("Basic {}", BASE64.encode(pair.as_bytes()));
            headers.push(("authorization".to_owned(), value));
        }
        let url = self.token_url.url().to_owned();
        Request { method: "POST".to_owned(), url, headers, body: Some(body.join("&").into_bytes()) }
    }

    fn denied(&self, body: &Value, status: u16) -> Ungranted {
        let error = body.get("error").and_then(Value::as_str).unwrap_or_default();
        let word = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
        let plain = !error.is_empty() && error.bytes().all(word);
        let error = if plain { bounded(error, ERROR_BYTES) } else { format!("status {status}") };
        let (renew, spent) = match (&self.grant, &*error) {
            (SignInGrant::RefreshToken { secret }, "invalid_grant") => (Some(secret), true),
            _ => (self.client_secret.as_ref(), false),
        };
        let renew = renew.map_or_else(String::new, |name| format!(" and renew the secret {name}"));
        let says = format!("the authorization server refuses ({error}): sign in anew{renew}");
        Ungranted::Denied { says, spent }
    }
}

fn granted(body: &Value) -> Option<Granted> {
    let text = |key: &str| body.get(key)?.as_str().filter(|text| !text.is_empty());
    let kind = text("token_type").unwrap_or("bearer");
    let access = text("access_token").filter(|access| header::is_value(access))?;
    let expires_in = body
        .get("expires_in")
        .and_then(|seconds| seconds.as_u64().or_else(|| seconds.as_str()?.parse().ok()));
    let refresh = text("refresh_token").map(str::to_owned);
    let granted = Granted { access: access.to_owned(), expires_in, refresh };
    kind.eq_ignore_ascii_case("bearer").then_some(granted)
}
