//! Which of the two kinds of protocol a request speaks.

use serde_json::{Map, Value};

use super::{
    super::wire::{Id, MODERN, Message, RpcError, field_text, is_modern},
    Head,
};

/// The kind of protocol that a message is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Era {
    /// With sessions: revisions up to 2025-11-25.
    Sessions,
    /// Without: 2026-07-28.
    Stateless,
}

/// Whether a POST's era can be told only with its body.
///
/// With a session and no word of the newer revision it is one with sessions, and
/// whoever holds the session reads the body.
#[must_use]
pub fn needs_body(head: &Head) -> bool {
    head.session().is_none() || head.revision().map(str::trim) == Some(MODERN)
}

/// The era of a message. The message's own word counts first; `initialize` opens a
/// session whatever the header field says.
#[must_use]
pub fn classify(head: &Head, message: &Message) -> Era {
    let (method, params) = match message {
        Message::Request { method, params, .. } | Message::Notification { method, params } => {
            (method.as_str(), Some(params))
        }
        Message::Response { .. } => ("", None),
    };
    if params.is_some_and(is_modern) {
        return Era::Stateless;
    }
    let said = head.revision().map(str::trim) == Some(MODERN);
    if said && method != "initialize" && head.session().is_none() {
        return Era::Stateless;
    }
    Era::Sessions
}

/// Holds the header fields that repeat the body to what it says.
///
/// # Errors
///
/// The field that says something else.
pub(in crate::mcp) fn same(
    head: &Head,
    method: &str,
    params: &Map<String, Value>,
) -> Result<(), RpcError> {
    if head.field("mcp-method").and_then(field_text).as_deref() != Some(method) {
        return Err(RpcError::mismatch("Mcp-Method and the body's method are not the same"));
    }
    let key = match method {
        "tools/call" | "prompts/get" => "name",
        "resources/read" => "uri",
        _ => return Ok(()),
    };
    let named = params.get(key).and_then(Value::as_str);
    if named.is_some() && head.field("mcp-name").and_then(field_text).as_deref() != named {
        let message = format!("Mcp-Name and the body's params.{key} are not the same");
        return Err(RpcError::mismatch(message));
    }
    Ok(())
}

/// The id of a message, where it has one.
#[must_use]
pub(in crate::mcp) fn id(message: &Message) -> Option<&Id> {
    match message {
        Message::Request { id, .. } | Message::Response { id, .. } => Some(id),
        Message::Notification { .. } => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Era, Head, Message, classify, needs_body, same};

    const META: &str = r#"{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#;

    fn message(method: &str, meta: bool) -> Message {
        let params = if meta { format!(r#"{{"_meta":{META}}}"#) } else { "{}".to_owned() };
        let text = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{params}}}"#);
        Message::read(&text).unwrap()
    }

    fn head(revision: Option<&str>, session: bool) -> Head {
        let head = Head::new("POST", "h");
        let head = if session { head.with("mcp-session-id", "s") } else { head };
        match revision {
            Some(revision) => head.with("mcp-protocol-version", revision),
            None => head,
        }
    }

    #[test]
    fn the_message_counts_before_the_header_field() {
        use Era::{Sessions, Stateless};
        let cases = [
            ("initialize", false, None, false, Sessions),
            ("initialize", false, Some("2026-07-28"), false, Sessions),
            ("initialize", true, Some("2026-07-28"), false, Stateless),
            ("tools/list", true, None, false, Stateless),
            ("tools/list", true, Some("2025-11-25"), false, Stateless),
            ("tools/list", true, Some("2026-07-28"), true, Stateless),
            ("tools/list", false, Some("2026-07-28"), false, Stateless),
            ("tools/list", false, Some("2026-07-28"), true, Sessions),
            ("tools/list", false, Some("2025-11-25"), false, Sessions),
            ("tools/list", false, None, true, Sessions),
        ];
        for (method, meta, revision, session, era) in cases {
            let head = head(revision, session);
            assert_eq!(classify(&head, &message(method, meta)), era, "{method} {meta} {head:?}");
        }
    }

    #[test]
    fn a_session_of_its_own_revision_is_routed_unread() {
        assert!(!needs_body(&head(None, true)) && !needs_body(&head(Some("2025-11-25"), true)));
        assert!(needs_body(&head(None, false)) && needs_body(&head(Some("2026-07-28"), true)));
    }

    #[test]
    fn header_fields_repeat_the_body_exactly() {
        let Value::Object(call) = json!({"name": "execute"}) else { panic!() };
        let said = |method: Option<&str>, name: Option<&str>| {
            let head = Head::new("POST", "h");
            let head = method.map_or(head.clone(), |method| head.with("mcp-method", method));
            let head = name.map_or(head.clone(), |name| head.with("mcp-name", name));
            same(&head, "tools/call", &call).map_err(|error| error.code)
        };
        for name in ["execute", "  execute  ", "=?base64?ZXhlY3V0ZQ==?="] {
            assert_eq!(said(Some("tools/call"), Some(name)), Ok(()), "{name}");
        }
        let wrong = [
            (None, Some("execute")),
            (Some("TOOLS/CALL"), Some("execute")),
            (Some("tools/list"), Some("execute")),
            (Some("tools/call"), None),
            (Some("tools/call"), Some("other")),
            (Some("tools/call"), Some("=?base64?ZXhlY3V0ZQ?=")),
        ];
        for (method, name) in wrong {
            assert_eq!(said(method, name), Err(-32_020), "{method:?} {name:?}");
        }
        let list = Head::new("POST", "h").with("mcp-method", "tools/list");
        assert_eq!(same(&list, "tools/list", &serde_json::Map::new()), Ok(()));
    }
}
