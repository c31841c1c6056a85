//! What a client reads to learn where credentials come from, as RFC 9728 has it.

use serde_json::json;

/// The authorization servers of a host, when it has any.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ResourceMetadata {
    /// Each by its issuer, a URL.
    pub authorization_servers: Vec<String>,
    /// The scope to ask for.
    pub scope: Option<String>,
}

/// The path below which metadata is; the resource's own path may follow.
const WELL_KNOWN: &str = "/.well-known/oauth-protected-resource";

impl ResourceMetadata {
    /// Whether there is anything to be read.
    #[must_use]
    pub fn is_configured(&self) -> bool {
        !self.authorization_servers.is_empty()
    }

    /// Where the metadata of the resource at `origin` is.
    #[must_use]
    pub fn url(&self, origin: &str) -> Option<String> {
        self.is_configured().then(|| format!("{origin}{WELL_KNOWN}/mcp"))
    }

    /// The metadata that is at `path`, as JSON text.
    #[must_use]
    pub fn at(&self, origin: &str, path: &str) -> Option<String> {
        let rest = path.strip_prefix(WELL_KNOWN)?;
        if !self.is_configured() || !matches!(rest, "" | "/mcp") {
            return None;
        }
        let mut said = json!({
            "resource": format!("{origin}/mcp"),
            "authorization_servers": self.authorization_servers,
            "bearer_methods_supported": ["header"],
        });
        if let (Some(scope), Some(said)) = (&self.scope, said.as_object_mut()) {
            let scopes: Vec<&str> = scope.split(' ').collect();
            said.insert("scopes_supported".to_owned(), json!(scopes));
        }
        Some(said.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::ResourceMetadata;

    #[test]
    fn metadata_is_there_only_when_there_is_an_authorization_server() {
        let none = ResourceMetadata::default();
        let path = "/.well-known/oauth-protected-resource";
        assert_eq!(
            (none.at("https://m.example", path), none.url("https://m.example")),
            (None, None)
        );
        let some = ResourceMetadata {
            authorization_servers: vec!["https://login.example".to_owned()],
            scope: Some("read write".to_owned()),
        };
        let expected = concat!(
            r#"{"authorization_servers":["https://login.example"],"bearer_methods_supported":["header"],"#,
            r#""resource":"https://m.example/mcp","scopes_supported":["read","write"]}"#
        );
        for path in [path.to_owned(), format!("{path}/mcp")] {
            assert_eq!(some.at("https://m.example", &path).as_deref(), Some(expected));
        }
        for path in ["/mcp", "/.well-known/oauth-authorization-server", &format!("{path}/other")] {
            assert_eq!(some.at("https://m.example", path), None, "{path}");
        }
    }
}
