//! What an owner says of one MCP server.

use std::collections::BTreeMap;

use data_encoding::BASE64;

use super::{Endpoint, ServerError, SignIn};
use crate::{
    forage::openapi::header,
    limits::MCP_TIMEOUT_MS,
    operation::Access,
    port::{Secrets, fetch::Request},
};

/// One MCP server: where it is, with what it is asked, and what is thought of its tools.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct McpServer {
    /// Its authority, which grants name.
    pub id: String,
    /// The name that code says: `env.mcp.<name>`.
    pub name: String,
    /// Where it is asked.
    pub endpoint: Endpoint,
    /// What every request carries.
    pub headers: Vec<SecretHeader>,
    /// How it is signed in to by OAuth, if it is.
    pub sign_in: Option<SignIn>,
    /// Which of the protocol's eras it is spoken to in.
    pub protocol: Protocol,
    /// Whether a tool that says of itself that it only reads is taken at its word.
    pub trust_annotations: bool,
    /// Milliseconds that it has for one call.
    pub timeout_ms: u64,
    /// What the owner says of single tools, by the server's own names for them.
    pub tools: BTreeMap<String, ToolRule>,
}

/// Which of the protocol's eras a server is spoken to in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Protocol {
    /// With sessions where the server has them, else without.
    #[default]
    Either,
    /// 2025-11-25 and before.
    Sessions,
    /// 2026-07-28.
    Stateless,
}

/// What an owner says of one tool.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ToolRule {
    /// Whether it reads or writes, whatever it says of itself.
    pub access: Option<Access>,
    /// Whether a person is asked before each call.
    pub confirm: bool,
    /// Whether it isn't offered at all.
    pub hidden: bool,
}

/// A header whose value is a secret, by the secret's name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SecretHeader {
    name: String,
    scheme: Option<String>,
    secret: String,
}

/// What isn't shown to anybody though a server says it.
pub(super) type Masked = Vec<String>;

/// The scheme whose secret is encoded.
const BASIC: &str = "Basic";

/// Headers that the protocol or the platform writes, in small letters.
const WRITTEN: &[&str] = &[
    "accept",
    "connection",
    "content-length",
    "content-type",
    "cookie",
    "host",
    "last-event-id",
    "transfer-encoding",
    "upgrade",
];

impl SecretHeader {
    /// The header `name`, whose value is `<scheme> <the secret's value>`, or the value alone.
    ///
    /// # Errors
    ///
    /// The name or the scheme isn't one, or the protocol writes that header itself.
    pub fn new(name: &str, scheme: Option<&str>, secret: &str) -> Result<Self, ServerError> {
        let small = name.to_ascii_lowercase();
        if !header::is_token(name) || scheme.is_some_and(|scheme| !header::is_token(scheme)) {
            return Err(ServerError::new("a header's name and scheme are words without blanks"));
        }
        if WRITTEN.contains(&&*small) || small.starts_with("mcp-") {
            let problem = format!("the header {small} is written by the protocol: name another");
            return Err(ServerError::new(problem));
        }
        Ok(Self { name: small, scheme: scheme.map(str::to_owned), secret: secret.to_owned() })
    }

    /// `Authorization: Bearer <the secret's value>`.
    #[must_use]
    pub fn bearer(secret: &str) -> Self {
        let (name, scheme) = ("authorization".to_owned(), Some("Bearer".to_owned()));
        Self { name, scheme, secret: secret.to_owned() }
    }

    /// `Authorization: Basic …` with a secret that is `user:password`.
    #[must_use]
    pub fn basic(secret: &str) -> Self {
        Self { scheme: Some(BASIC.to_owned()), ..Self::bearer(secret) }
    }

    fn value(&self, secrets: &dyn Secrets) -> Result<(String, String), String> {
        let name = &self.secret;
        let secret = secrets.secret(name).filter(|secret| !secret.is_empty());
        let secret = secret.ok_or_else(|| format!("the secret {name} isn't set: set it"))?;
        let value = match &self.scheme {
            Some(scheme) if scheme == BASIC => {
                format!("{scheme} {}", BASE64.encode(secret.as_bytes()))
            }
            Some(scheme) => format!("{scheme} {secret}"),
            None => secret.clone(),
        };
        if !header::is_value(&value) {
            return Err(format!("the secret {name} can't be sent in a header: set it anew"));
        }
        Ok((secret, value))
    }
}

impl McpServer {
    /// The server at `endpoint` as `env.mcp.<name>`, without credentials.
    #[must_use]
    pub fn new(id: &str, name: &str, endpoint: Endpoint) -> Self {
        Self {
            id: id.to_owned(),
            name: name.to_owned(),
            endpoint,
            headers: Vec::new(),
            sign_in: None,
            protocol: Protocol::Either,
            trust_annotations: true,
            timeout_ms: MCP_TIMEOUT_MS,
            tools: BTreeMap::new(),
        }
    }

    /// Puts the owner's headers into a request; gives what is to be hidden.
    ///
    /// # Errors
    ///
    /// What the owner has to do before anything can be sent.
    pub(super) fn put(
        &self,
        secrets: &dyn Secrets,
        request: &mut Request,
    ) -> Result<Masked, String> {
        let mut masked = Vec::new();
        for header in &self.headers {
            let (secret, value) = header.value(secrets)?;
            masked.push(secret);
            masked.extend(value.strip_prefix("Basic ").map(str::to_owned));
            request.headers.push((header.name.clone(), value));
        }
        Ok(masked)
    }

    /// The names of all secrets that it needs.
    #[must_use]
    pub fn secret_names(&self) -> Vec<&str> {
        let headers = self.headers.iter().map(|header| header.secret.as_str());
        headers.chain(self.sign_in.iter().flat_map(SignIn::secret_names)).collect()
    }

    /// The names of the secrets that its headers are made of, as they are told.
    pub(super) fn secrets(&self) -> String {
        let names: Vec<_> = self.headers.iter().map(|header| header.secret.as_str()).collect();
        names.join(", ")
    }
}
