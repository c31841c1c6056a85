//! What a head must say, in the protocol's order.

use super::{super::wire::SUPPORTED, Head, Reply};

/// How a client can be answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answering {
    /// By JSON or by events, as it fits.
    Either,
    /// By JSON only.
    Json,
    /// By events only.
    Events,
}

/// The methods that are served.
const METHODS: &str = "GET, POST, DELETE, OPTIONS";

/// Refuses a method that isn't served.
///
/// # Errors
///
/// The refusal to answer with.
pub(in crate::mcp) fn admit_method(head: &Head) -> Result<(), Reply> {
    match head.method() {
        "GET" | "POST" | "DELETE" | "OPTIONS" => Ok(()),
        other => {
            let other = crate::failure::bounded(other, 20);
            let refusal = Reply::refusal(405, &format!("{other} is not served: {METHODS}"));
            Err(refusal.with("allow", METHODS))
        }
    }
}

/// Checks the head of a request whose sender is known, and says how to answer it.
///
/// # Errors
///
/// The refusal to answer with.
pub fn admit(head: &Head) -> Result<Answering, Reply> {
    admit_method(head)?;
    match head.method() {
        "POST" => {
            let answering = posted(head.field("accept"))?;
            if !is_json(head.field("content-type")) {
                return Err(Reply::refusal(415, "the content type is application/json"));
            }
            Ok(answering)
        }
        "GET" => match accepted(head.field("accept")) {
            (_, true) => Ok(Answering::Events),
            _ => Err(Reply::refusal(406, "accept text/event-stream")),
        },
        _ => Ok(Answering::Either),
    }
}

/// Refuses a revision that isn't served, on a request with a session.
///
/// # Errors
///
/// The refusal to answer with.
pub(in crate::mcp) fn admit_revision(head: &Head) -> Result<(), Reply> {
    match head.revision() {
        Some(revision) if !SUPPORTED.contains(&revision.trim()) => {
            Err(Reply::refusal(400, "this MCP-Protocol-Version is not served: use 2025-11-25"))
        }
        _ => Ok(()),
    }
}

fn posted(accept: Option<&str>) -> Result<Answering, Reply> {
    match accepted(accept) {
        (true, true) => Ok(Answering::Either),
        (true, false) => Ok(Answering::Json),
        (false, true) => Ok(Answering::Events),
        (false, false) => Err(Reply::refusal(406, "accept application/json and text/event-stream")),
    }
}

/// Whether JSON and whether events are acceptable. Some proxies name only one of the
/// two, so one is enough.
fn accepted(accept: Option<&str>) -> (bool, bool) {
    let mut found = (false, false);
    for part in accept.unwrap_or_default().split(',') {
        let mut parameters = part.split(';').map(str::trim);
        let kind = parameters.next().unwrap_or_default().to_ascii_lowercase();
        if parameters.any(is_nothing) {
            continue;
        }
        found.0 |= matches!(kind.as_str(), "application/json" | "application/*" | "*/*");
        found.1 |= matches!(kind.as_str(), "text/event-stream" | "text/*" | "*/*");
    }
    found
}

/// Whether a parameter says that what it stands with is not wanted.
fn is_nothing(parameter: &str) -> bool {
    let weight = parameter.strip_prefix("q=").or_else(|| parameter.strip_prefix("Q="));
    weight.is_some_and(|weight| weight.trim().parse::<f32>().is_ok_and(|weight| weight <= 0.0))
}

fn is_json(content_type: Option<&str>) -> bool {
    let kind = content_type.unwrap_or_default().split(';').next().unwrap_or_default();
    kind.trim().eq_ignore_ascii_case("application/json")
}

#[cfg(test)]
mod tests {
    use super::{Answering, Head, admit, admit_revision};

    fn post() -> Head {
        Head::new("POST", "localhost:8787")
            .with("accept", "application/json, text/event-stream")
            .with("content-type", "application/json; charset=utf-8")
    }

    fn get() -> Head {
        Head::new("GET", "localhost:8787").with("accept", "text/event-stream")
    }

    #[test]
    fn each_broken_rule_has_its_status() {
        let bare = || Head::new("POST", "h").with("content-type", "application/json");
        let cases = [
            (Head::new("PUT", "h"), 405),
            (Head::new("PATCH", "h"), 405),
            (Head::new("HEAD", "h"), 405),
            (bare(), 406),
            (bare().with("accept", "text/html"), 406),
            (bare().with("accept", "application/json;q=0"), 406),
            (bare().with("accept", "xapplication/json"), 406),
            (get().with("accept", "application/json"), 406),
            (Head::new("GET", "h"), 406),
            (post().with("content-type", "text/plain"), 415),
            (post().with("content-type", "text/plain, application/json"), 415),
            (post().with("content-type", "application/json, text/plain"), 415),
            (post().with("content-type", "application/jsonp"), 415),
            (post().with("content-type", "application/x-www-form-urlencoded"), 415),
            (post().with("content-type", ""), 415),
        ];
        for (head, status) in cases {
            assert_eq!(admit(&head).unwrap_err().status, status, "{head:?}");
        }
    }

    #[test]
    fn a_method_that_is_not_served_is_told_those_that_are() {
        let refusal = admit(&Head::new("PUT", "h")).unwrap_err();
        assert_eq!(refusal.header("allow"), Some("GET, POST, DELETE, OPTIONS"));
    }

    #[test]
    fn one_of_the_two_ways_to_answer_is_enough() {
        let cases = [
            ("application/json, text/event-stream", Answering::Either),
            ("text/event-stream,application/json;q=0.9", Answering::Either),
            ("*/*", Answering::Either),
            ("application/*", Answering::Json),
            ("Application/JSON", Answering::Json),
            ("application/json, text/html", Answering::Json),
            ("text/event-stream", Answering::Events),
            ("application/json;q=0, text/event-stream", Answering::Events),
        ];
        for (accept, answering) in cases {
            assert_eq!(admit(&post().with("accept", accept)).unwrap(), answering, "{accept}");
        }
        for accept in ["text/event-stream", "application/json, text/event-stream", "*/*"] {
            assert_eq!(admit(&get().with("accept", accept)).unwrap(), Answering::Events);
        }
    }

    #[test]
    fn only_a_revision_nobody_serves_is_refused() {
        let said = |revision: &str| admit_revision(&post().with("MCP-Protocol-Version", revision));
        assert!(admit_revision(&post()).is_ok());
        for known in ["2025-11-25", "2025-06-18", "2026-07-28"] {
            assert!(said(known).is_ok(), "{known}");
        }
        for unknown in ["1900-01-01", "nonsense", "", "2025-03-26", "2025-11-25x"] {
            assert_eq!(said(unknown).unwrap_err().status, 400, "{unknown}");
        }
    }
}
