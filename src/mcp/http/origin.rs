//! Pages of other sites: who they are, and what browsers must be told.

use super::{Head, Reply};

/// The origins whose pages are served, beside the Worker's own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origins(Vec<String>);

/// The header fields that a page may send.
const ALLOWED: &str = "Authorization, Content-Type, Accept, Mcp-Session-Id, Mcp-Protocol-Version, \
     Last-Event-ID, Mcp-Method, Mcp-Name";

/// The header fields of an answer that a page may read.
const EXPOSED: &str = "Mcp-Session-Id, WWW-Authenticate, Retry-After";

/// How long a browser may keep what it was told, in seconds.
const KEPT_SECONDS: &str = "600";

impl Origins {
    /// These origins, each `scheme://host[:port]` and nothing more.
    ///
    /// # Errors
    ///
    /// The first that is none.
    pub fn new<'a>(origins: impl IntoIterator<Item = &'a str>) -> Result<Self, String> {
        let origin = |origin: &'a str| {
            let bare = origin.split_once("://").is_some_and(|(scheme, host)| {
                !scheme.is_empty() && !host.is_empty() && !host.contains(['/', '*', ' ', '?', '#'])
            });
            bare.then(|| origin.to_ascii_lowercase()).ok_or_else(|| origin.to_owned())
        };
        origins.into_iter().map(origin).collect::<Result<_, _>>().map(Self)
    }

    /// Whether the request may be served as far as its origin goes. Agents send none;
    /// browsers always do.
    #[must_use]
    pub fn admits(&self, head: &Head) -> bool {
        head.field("origin").is_none_or(|origin| {
            let host = origin.split_once("://").map_or("", |(_, host)| host);
            host.eq_ignore_ascii_case(head.host())
                || self.0.iter().any(|known| known.eq_ignore_ascii_case(origin))
        })
    }

    /// What a browser must be told with an answer to `head`, whose origin is admitted.
    #[must_use]
    pub fn told(head: &Head, reply: Reply) -> Reply {
        match head.field("origin") {
            None => reply,
            Some(origin) => reply
                .with("access-control-allow-origin", origin)
                .with("access-control-expose-headers", EXPOSED)
                .with("vary", "Origin"),
        }
    }

    /// The answer to a browser that asks beforehand.
    #[must_use]
    pub fn preflight() -> Reply {
        Reply::empty(204)
            .with("access-control-allow-methods", "GET, POST, DELETE, OPTIONS")
            .with("access-control-allow-headers", ALLOWED)
            .with("access-control-max-age", KEPT_SECONDS)
    }
}

#[cfg(test)]
mod tests {
    use super::{Head, Origins, Reply};

    fn from(origin: &str) -> Head {
        Head::new("POST", "localhost:8787").with("origin", origin)
    }

    #[test]
    fn a_page_of_another_site_is_served_only_when_it_is_listed() {
        let own = Origins::default();
        assert!(own.admits(&Head::new("POST", "localhost:8787")));
        assert!(own.admits(&from("http://localhost:8787")));
        let foreign = ["https://evil.example", "http://localhost:8788", "null", ""];
        for origin in foreign {
            assert!(!own.admits(&from(origin)), "{origin}");
        }
        let listed = Origins::new(["https://app.example", "http://localhost:6274"]).unwrap();
        assert!(listed.admits(&from("https://app.example")));
        assert!(listed.admits(&from("http://localhost:6274")));
        for origin in foreign.into_iter().chain(["https://app.example.evil", "http://app.example"])
        {
            assert!(!listed.admits(&from(origin)), "{origin}");
        }
    }

    #[test]
    fn an_origin_is_a_scheme_and_a_host() {
        for wrong in ["*", "https://*", "https://a/", "a.example", "https://", "://a", "null"] {
            assert_eq!(Origins::new([wrong]), Err(wrong.to_owned()));
        }
    }

    #[test]
    fn browsers_may_read_the_session_and_the_challenge() {
        let told = Origins::told(&from("https://app.example"), Reply::empty(202));
        assert_eq!(told.header("access-control-allow-origin"), Some("https://app.example"));
        assert_eq!(told.header("vary"), Some("Origin"));
        let exposed = told.header("access-control-expose-headers").unwrap();
        assert!(exposed.contains("Mcp-Session-Id") && exposed.contains("WWW-Authenticate"));
        let agent = Origins::told(&Head::new("POST", "h"), Reply::empty(202));
        assert!(agent.headers.is_empty());
        let allowed = Origins::preflight();
        let allowed = allowed.header("access-control-allow-headers").unwrap();
        for name in [
            "Authorization",
            "Mcp-Session-Id",
            "Mcp-Protocol-Version",
            "Last-Event-ID",
            "Mcp-Method",
            "Mcp-Name",
        ] {
            assert!(allowed.contains(name), "{name}");
        }
    }
}
