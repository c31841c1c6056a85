//! The server an owner chose, and the proof that a request goes there.

use super::ConnectError;
use crate::forage::openapi::path::{Template, is_dots};

/// Where a connection's requests go: an origin and the path before every path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Server {
    origin: String,
    base: String,
}

impl Server {
    /// A server by its URL, such as `https://api.example/v1`. Without TLS only on this
    /// machine.
    ///
    /// # Errors
    ///
    /// It isn't `https`, has user information, a query or a fragment, or a path that
    /// leads elsewhere.
    ///
    /// ```
    /// use mycelium::knapsack::openapi::Server;
    /// assert!(Server::new("https://api.example/v1/").is_ok());
    /// assert!(Server::new("http://127.0.0.1:8787").is_ok());
    /// assert!(Server::new("http://api.example").is_err());
    /// ```
    pub fn new(url: &str) -> Result<Self, ConnectError> {
        let wrong = |rule: &str| ConnectError::new(format!("the server's URL {rule}"));
        let (scheme, rest) = url
            .split_once("://")
            .ok_or_else(|| wrong("is absolute: write it as https://api.example/v1"))?;
        let (authority, path) = match rest.find('/') {
            Some(at) => rest.split_at(at),
            None => (rest, ""),
        };
        let host = host(authority).ok_or_else(|| {
            wrong("has a host in small letters, perhaps a port, and nothing else")
        })?;
        match scheme {
            "https" => {}
            "http" if is_loopback(host) => {}
            _ => return Err(wrong("is https, unless the server is on this machine")),
        }
        let base = path.trim_end_matches('/');
        let sound = base.is_empty()
            || !base.contains(['{', '}']) && Template::parse(base).is_some() && is_sent(base);
        if !sound || path.len() > base.len().saturating_add(1) {
            return Err(wrong("has a plain path, without query, fragment and dot segments"));
        }
        Ok(Self { origin: format!("{scheme}://{authority}"), base: base.to_owned() })
    }

    /// The URL of a path and a query, both percent-encoded already.
    pub(super) fn url(&self, path: &str, query: &str) -> String {
        let mark = if query.is_empty() { "" } else { "?" };
        format!("{}{}{path}{mark}{query}", self.origin, self.base)
    }

    /// Whether `url` is this server's, with `segments` segments after its base, however it
    /// is read.
    pub(super) fn has(&self, url: &str, segments: usize) -> bool {
        let after = url.strip_prefix(&self.origin).filter(|after| after.starts_with('/'));
        let Some(after) = after.filter(|after| is_sent(after)) else { return false };
        let path = after.split('?').next().unwrap_or_default();
        let Some(path) = path.strip_prefix(&self.base) else { return false };
        let mut parts = path.split('/');
        parts.next() == Some("") && path.matches('/').count() == segments && !parts.any(is_dots)
    }
}

impl std::fmt::Display for Server {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}{}", self.origin, self.base)
    }
}

/// The host of an authority without user information, if it is plain.
fn host(authority: &str) -> Option<&str> {
    let (host, port) = match authority.strip_prefix('[') {
        Some(rest) => {
            let end = authority.find(']')?.checked_add(1)?;
            let inner = rest.split(']').next()?;
            let address = inner.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b':');
            (address.then(|| authority.get(..end)).flatten()?, authority.get(end..)?)
        }
        None => authority.split_at(authority.find(':').unwrap_or(authority.len())),
    };
    let plain =
        |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b".-[]:".contains(&byte);
    let port = match port.strip_prefix(':') {
        Some(digits) => digits.parse::<u16>().is_ok() && !digits.starts_with('+'),
        None => port.is_empty(),
    };
    (port && !host.is_empty() && host.bytes().all(plain)).then_some(host)
}

fn is_loopback(host: &str) -> bool {
    matches!(host, "127.0.0.1" | "localhost" | "[::1]")
}

/// Whether a path and query hold nothing that any reader of URLs would change: RFC 3986
/// without a fragment.
fn is_sent(text: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@/?%".contains(&byte);
    text.bytes().all(plain)
}

#[cfg(test)]
mod tests {
    use super::Server;

    #[test]
    fn a_server_is_https_and_nothing_but_a_place() {
        for url in [
            "https://a.example",
            "https://a.example/",
            "https://a.example:8443/v1/x",
            "https://[2001:db8::1]/v1",
            "http://localhost:1",
            "http://[::1]:1/",
        ] {
            assert!(Server::new(url).is_ok(), "{url}");
        }
        for url in [
            "",
            "a.example",
            "//a.example",
            "http://a.example",
            "http://127.0.0.1.a.example",
            "https://",
            "https:///v1",
            "https://user@a.example",
            "https://user:pass@a.example",
            "https://a.example?b",
            "https://a.example/?b",
            "https://a.example/#b",
            "https://a.example/..",
            "https://a.example/a/%2e%2e/b",
            "https://a.example//b",
            "https://a.example/a//",
            "https://a.example/a b",
            "https://a.example\\b",
            "https://A.example",
            "https://a.example:99999",
            "https://a.example:+1",
            "https://a.example/{b}",
            "https://é.example",
            "ftp://a.example",
        ] {
            assert!(Server::new(url).is_err(), "{url}");
        }
    }

    #[test]
    fn a_url_that_leaves_its_server_is_not_its() {
        let server = Server::new("https://a.example/v1").unwrap();
        assert_eq!(server.url("/b/c", ""), "https://a.example/v1/b/c");
        assert!(server.has("https://a.example/v1/b/c?d=e", 2));
        for url in [
            "https://a.example/v1/b",
            "https://a.example/v1/b/c/d",
            "https://a.example/v2/b/c",
            "https://a.example/v1/b/..",
            "https://a.example/v1/b/%2e%2E",
            "https://a.example.evil/v1/b/c",
            "https://a.example@evil/v1/b/c",
            "https://a.example/v1/b/c#d",
            "https://a.example/v1/b\\c/d",
            "https://a.example/v1/b/\tc",
            "http://a.example/v1/b/c",
            "https://a.example/v1x/b/c",
        ] {
            assert!(!server.has(url, 2), "{url}");
        }
    }
}
