//! A request's head, as far as the rules look at it.

use std::collections::BTreeMap;

use super::SESSION_HEADER;
use crate::operation::Trace;

/// The header fields that are looked at, in lower case.
pub const FIELDS: [&str; 16] = [
    "accept",
    "access-control-request-method",
    "authorization",
    "cf-ray",
    "content-length",
    "content-type",
    "forwarded",
    "last-event-id",
    "mcp-method",
    "mcp-name",
    "mcp-protocol-version",
    SESSION_HEADER,
    "origin",
    "sec-fetch-site",
    Trace::HEADER,
    "x-forwarded-for",
];

/// The method, the host and the header fields of a request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Head {
    method: String,
    host: String,
    fields: BTreeMap<&'static str, String>,
}

impl Head {
    /// A head without header fields. `host` is `host[:port]` of the request's URL.
    #[must_use]
    pub fn new(method: impl Into<String>, host: impl Into<String>) -> Self {
        Self { method: method.into(), host: host.into(), fields: BTreeMap::new() }
    }

    /// With a header field; one that isn't in [`FIELDS`] is left out.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<String>) -> Self {
        let known = FIELDS.iter().find(|known| known.eq_ignore_ascii_case(name));
        if let Some(known) = known {
            self.fields.insert(known, value.into());
        }
        self
    }

    /// The HTTP method.
    #[must_use]
    pub fn method(&self) -> &str {
        &self.method
    }

    /// `host[:port]` of the request's URL.
    #[must_use]
    pub fn host(&self) -> &str {
        &self.host
    }

    /// The host without its port.
    #[must_use]
    pub fn hostname(&self) -> &str {
        match self.host.rsplit_once(':') {
            Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
            _ => &self.host,
        }
    }

    /// A header field, by its name in lower case.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&str> {
        self.fields.get(name).map(String::as_str)
    }

    /// `MCP-Session-Id`.
    #[must_use]
    pub fn session(&self) -> Option<&str> {
        self.field(SESSION_HEADER)
    }

    /// `MCP-Protocol-Version`.
    #[must_use]
    pub fn revision(&self) -> Option<&str> {
        self.field("mcp-protocol-version")
    }

    /// What a bearer token says, if that is how the request comes.
    #[must_use]
    pub fn bearer(&self) -> Option<&str> {
        let (scheme, token) = self.field("authorization")?.trim().split_once(' ')?;
        scheme
            .eq_ignore_ascii_case("bearer")
            .then(|| token.trim())
            .filter(|token| !token.is_empty())
    }

    /// The trace that the request is part of.
    #[must_use]
    pub fn trace(&self) -> Option<Trace> {
        self.field(Trace::HEADER).and_then(Trace::read)
    }

    /// Whether somebody handed the request on: a proxy, a tunnel, the platform's edge.
    #[must_use]
    pub fn is_forwarded(&self) -> bool {
        ["forwarded", "x-forwarded-for", "cf-ray"].iter().any(|name| self.field(name).is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::Head;

    #[test]
    fn the_scheme_of_a_bearer_token_has_no_case_and_nothing_else_is_one() {
        let bearer = |value: &str| {
            Head::new("POST", "h").with("Authorization", value).bearer().map(str::to_owned)
        };
        for value in ["Bearer t", "bearer t", "BEARER  t "] {
            assert_eq!(bearer(value), Some("t".to_owned()), "{value}");
        }
        for value in ["", "Bearer", "Bearer ", "Basic t", "t"] {
            assert_eq!(bearer(value), None, "{value}");
        }
    }

    #[test]
    fn a_port_is_no_part_of_the_hosts_name() {
        let name = |host: &str| Head::new("POST", host).hostname().to_owned();
        assert_eq!(name("localhost:8787"), "localhost");
        assert_eq!(name("[::1]:8787"), "[::1]");
        assert_eq!(name("[::1]"), "[::1]");
        assert_eq!(name("example.com"), "example.com");
    }
}
