//! Media types, as far as bodies and answers are told apart by them.

use super::table::Form;

/// The type without its parameters, in small letters.
fn essence(media: &str) -> String {
    media.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

/// Whether values of the type are JSON: `application/json`, `…+json`, or a range of types
/// that JSON is in.
pub(crate) fn is_json(media: &str) -> bool {
    let media = essence(media);
    let suffix = media.split_once('/').is_some_and(|(kind, sub)| {
        kind == "application" && (sub == "json" || sub.ends_with("+json"))
    });
    suffix || is_range(&media) || media == "text/json"
}

/// Whether it is a range of types that JSON is in.
pub(crate) fn is_range(media: &str) -> bool {
    matches!(essence(media).as_str(), "*/*" | "application/*" | "application/*+json")
}

/// Whether it is a text by its type.
#[cfg(any(feature = "intake-openapi", test))]
pub(crate) fn is_text(media: &str) -> bool {
    let media = essence(media);
    media.starts_with("text/")
        || ["+xml", "/xml", "/yaml", "+yaml", "/javascript", "/graphql", "/x-ndjson"]
            .iter()
            .any(|end| media.ends_with(end))
}

/// How a body of the type is written; none when it is taken as it is.
pub(crate) fn form(media: &str) -> Option<Form> {
    match essence(media).as_str() {
        "application/x-www-form-urlencoded" => Some(Form::Urlencoded),
        "multipart/form-data" => Some(Form::Multipart),
        _ if is_json(media) => Some(Form::Json),
        _ => None,
    }
}

/// The type that is sent for a declared one: a range is no type, and JSON is what is meant.
#[cfg(any(feature = "intake-openapi", test))]
pub(crate) fn sent(media: &str) -> &str {
    if is_range(media) { "application/json" } else { media.trim() }
}

/// Whether the type can stand in a header: RFC 9110, section 8.3.1, without quotes.
pub(crate) fn is_sendable(media: &str) -> bool {
    let mut parts = media.split(';');
    let essence = parts.next().unwrap_or_default();
    let Some((kind, sub)) = essence.trim().split_once('/') else { return false };
    let parameter = |part: &str| {
        part.trim().split_once('=').is_some_and(|(name, value)| is_word(name) && is_word(value))
    };
    is_word(kind) && is_word(sub) && parts.all(parameter) && !is_range(media)
}

fn is_word(text: &str) -> bool {
    super::header::is_token(text) && !text.contains('*')
}

#[cfg(test)]
mod tests {
    use super::{Form, form, is_json, is_sendable, is_text, sent};

    #[test]
    fn json_is_told_by_its_type() {
        for media in [
            "application/json",
            "application/json; charset=utf-8",
            "Application/JSON;charset=utf-8",
            "application/vnd.api+json",
            "application/merge-patch+json",
            "text/json",
            "*/*",
            "application/*",
        ] {
            assert!(is_json(media), "{media}");
            assert_eq!(form(media), Some(Form::Json), "{media}");
        }
        for media in ["text/plain", "application/xml", "application/jsonp", "json", "image/*", ""] {
            assert!(!is_json(media), "{media}");
        }
        assert_eq!(sent("*/*"), "application/json");
        assert_eq!(sent(" application/vnd.api+json"), "application/vnd.api+json");
    }

    #[test]
    fn forms_and_texts_are_told_by_their_types() {
        assert_eq!(form("application/x-www-form-urlencoded"), Some(Form::Urlencoded));
        assert_eq!(form("multipart/form-data; boundary=x"), Some(Form::Multipart));
        assert_eq!(form("multipart/mixed"), None);
        assert!(is_text("text/html; charset=utf-8") && is_text("application/xml"));
        assert!(!is_text("application/octet-stream"));
    }

    #[test]
    fn a_type_that_a_header_cannot_hold_is_not_sent() {
        for media in ["application/json", "a/b; c=d;e=f", "text/plain;charset=utf-8"] {
            assert!(is_sendable(media), "{media}");
        }
        for media in [
            "",
            "a",
            "a/",
            "/b",
            "a/b\r\nX: y",
            "a/b; c",
            "a/b;c=\"d e\"",
            "*/*",
            "image/*",
            "a b/c",
        ] {
            assert!(!is_sendable(media), "{media}");
        }
    }
}
