//! Where a document says its server is: a hint for the owner, who chooses.

use super::document::Part;

/// Where the operations may be.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ServerHint {
    /// An absolute URL with HTTPS and without user information.
    Absolute(String),
    /// A path, relative to where the document came from.
    Relative(String),
}

/// The most bytes of a hint; a longer one is none.
const HINT_BYTES: usize = 2_048;

/// The hints in a list of servers. A variable stands for its default.
pub(super) fn hints(holder: &Part<'_>) -> Vec<ServerHint> {
    let servers = holder.get("servers");
    servers.iter().flat_map(Part::items).filter_map(|server| hint(&server)).collect()
}

fn hint(server: &Part<'_>) -> Option<ServerHint> {
    let url = with_defaults(server, server.text("url")?)?;
    let outside = |letter: char| letter.is_whitespace() || letter.is_control() || letter == '\\';
    if url.len() > HINT_BYTES || url.contains(outside) || url.contains(['{', '}']) {
        return None;
    }
    if let Some(rest) = strip_scheme(&url) {
        let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
        let sound = !authority.is_empty() && !authority.contains('@');
        return sound.then_some(ServerHint::Absolute(url));
    }
    // Another scheme, or another host without one, is no hint.
    let first = url.split('/').next().unwrap_or_default();
    (!first.contains(':') && !url.starts_with("//")).then_some(ServerHint::Relative(url))
}

fn strip_scheme(url: &str) -> Option<&str> {
    let (scheme, rest) = url.split_once("://")?;
    scheme.eq_ignore_ascii_case("https").then_some(rest)
}

fn with_defaults(server: &Part<'_>, url: &str) -> Option<String> {
    let mut filled = String::new();
    let mut rest = url;
    while let Some((text, after)) = rest.split_once('{') {
        let (name, after) = after.split_once('}')?;
        let default = server.value.get("variables")?.get(name)?.get("default")?.as_str()?;
        filled.push_str(text);
        filled.push_str(default);
        if filled.len() > HINT_BYTES {
            return None;
        }
        rest = after;
    }
    Some(filled + rest)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{ServerHint, hints};
    use crate::forage::openapi::{document::Part, pointer::Pointer};

    fn of(url: &str) -> Option<ServerHint> {
        let value = json!({"servers": [{"url": url, "variables": {"v": {"default": "v2"}}}]});
        hints(&Part { value: &value, pointer: Pointer::root() }).pop()
    }

    #[test]
    fn a_hint_is_https_without_user_information_or_relative() {
        for url in ["https://a.example", "HTTPS://a.example/v1", "https://a.example:8443/{v}/x"] {
            assert!(matches!(of(url), Some(ServerHint::Absolute(_))), "{url}");
        }
        for url in ["/", "/api/v3", "v1", "../x", "."] {
            assert_eq!(of(url), Some(ServerHint::Relative(url.to_owned())));
        }
        for url in [
            "http://a.example",
            "https://user@a.example",
            "https://user:pass@a.example/",
            "https://",
            "//a.example",
            "ftp://a.example",
            "javascript:alert(1)",
            "https://a.example/{unknown}",
            "https:\\\\a.example",
            "https://a.example/\n",
        ] {
            assert_eq!(of(url), None, "{url}");
        }
    }
}
