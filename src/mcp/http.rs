//! The rules of the HTTP transport that don't need a connection.

use super::wire::{self, code};
pub use crate::limits::BODY_BYTES;

/// The header that names a session.
pub const SESSION_HEADER: &str = "mcp-session-id";

/// The parts of a request that the rules look at; header values are absent or text.
#[derive(Clone, Copy, Debug, Default)]
pub struct Head<'a> {
    /// The HTTP method.
    pub method: &'a str,
    /// `host[:port]` of the request's URL.
    pub host: &'a str,
    /// `Origin`.
    pub origin: Option<&'a str>,
    /// `Accept`.
    pub accept: Option<&'a str>,
    /// `Content-Type`.
    pub content_type: Option<&'a str>,
    /// `MCP-Session-Id`.
    pub session: Option<&'a str>,
    /// `MCP-Protocol-Version`.
    pub revision: Option<&'a str>,
}

/// An HTTP answer: a status, a body that may be empty, and the session it opens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The HTTP status.
    pub status: u16,
    /// JSON text; empty for none.
    pub body: String,
    /// Further headers.
    pub headers: Vec<(&'static str, String)>,
}

impl Reply {
    /// An answer with a JSON body.
    #[must_use]
    pub fn json(status: u16, body: String) -> Self {
        Self { status, body, headers: Vec::new() }
    }

    /// An answer without a body.
    #[must_use]
    pub fn empty(status: u16) -> Self {
        Self::json(status, String::new())
    }

    /// A refusal that answers no request in particular.
    #[must_use]
    pub fn refusal(status: u16, message: &str) -> Self {
        Self::json(status, wire::failure(None, code::INVALID_REQUEST, message))
    }

    /// The refusal of a session that isn't there, whoever asks and whatever it was.
    #[must_use]
    pub fn no_session() -> Self {
        Self::refusal(404, "there is no such session: initialize a new one")
    }

    /// The answer with one header more.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }
}

/// Revisions whose version header is taken; a session's own revision is what counts.
const KNOWN_REVISIONS: [&str; 2] = [wire::REVISION, "2025-06-18"];

/// Checks a request in the protocol's order, but for who sent it.
///
/// # Errors
///
/// The refusal to answer with.
pub fn admit(head: &Head<'_>) -> Result<(), Reply> {
    match head.method {
        "POST" => {}
        "DELETE" => return Ok(()),
        other => {
            let refusal = Reply::refusal(405, &format!("{other} is not served: POST or DELETE"));
            return Err(refusal.with("allow", "POST, DELETE"));
        }
    }
    if !media_types(head.accept)
        .any(|kind| matches!(kind, "application/json" | "application/*" | "*/*"))
    {
        return Err(Reply::refusal(406, "accept application/json and text/event-stream"));
    }
    if media_types(head.content_type).next() != Some("application/json") {
        return Err(Reply::refusal(415, "the content type is application/json"));
    }
    match head.revision {
        Some(revision) if !KNOWN_REVISIONS.contains(&revision) => {
            Err(Reply::refusal(400, "this MCP-Protocol-Version is not served: use 2025-11-25"))
        }
        _ => Ok(()),
    }
}

/// Whether a page of another site sent the request: browsers say so, agents send no origin.
#[must_use]
pub fn is_foreign(head: &Head<'_>) -> bool {
    head.origin.is_some_and(|origin| {
        let host = origin.split_once("://").map_or("", |(_, host)| host);
        !host.eq_ignore_ascii_case(head.host)
    })
}

fn media_types(header: Option<&str>) -> impl Iterator<Item = &str> {
    header
        .unwrap_or_default()
        .split(',')
        .map(|part| part.split(';').next().unwrap_or_default().trim())
}

#[cfg(test)]
mod tests {
    use super::{Head, admit, is_foreign};

    const GOOD: Head<'_> = Head {
        method: "POST",
        host: "localhost:8787",
        origin: None,
        accept: Some("application/json, text/event-stream"),
        content_type: Some("application/json; charset=utf-8"),
        session: None,
        revision: None,
    };

    #[test]
    fn each_broken_rule_has_its_status() {
        assert_eq!(admit(&GOOD), Ok(()));
        let cases = [
            (Head { method: "GET", ..GOOD }, 405),
            (Head { method: "PUT", ..GOOD }, 405),
            (Head { accept: Some("text/html"), ..GOOD }, 406),
            (Head { accept: None, ..GOOD }, 406),
            (Head { content_type: Some("text/plain"), ..GOOD }, 415),
            (Head { content_type: Some("text/plain, application/json"), ..GOOD }, 415),
            (Head { content_type: None, ..GOOD }, 415),
            (Head { revision: Some("1900-01-01"), ..GOOD }, 400),
        ];
        for (head, status) in cases {
            assert_eq!(admit(&head).unwrap_err().status, status, "{head:?}");
        }
    }

    #[test]
    fn a_page_of_another_site_is_foreign() {
        let from = |origin| is_foreign(&Head { origin: Some(origin), ..GOOD });
        assert!(!is_foreign(&GOOD));
        assert!(!from("http://localhost:8787"));
        for origin in ["https://evil.example", "http://localhost:8788", "null", ""] {
            assert!(from(origin), "{origin}");
        }
    }
}
