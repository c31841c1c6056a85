//! What a document says of credentials: hints for the owner, and parameters that
//! programs never send. It chooses neither a credential nor where it goes.

use std::collections::BTreeSet;

use super::document::Document;

/// A way to authenticate that a document declares.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AuthHint {
    /// A key in a parameter.
    ApiKey {
        /// Its name among the document's schemes.
        scheme: String,
        /// `header`, `query` or `cookie`.
        place: String,
        /// The parameter.
        name: String,
    },
    /// An HTTP scheme such as `basic` or `bearer`.
    Http {
        /// Its name among the document's schemes.
        scheme: String,
        /// The HTTP scheme.
        http: String,
    },
    /// OAuth 2, OpenID Connect, mutual TLS, or something unknown.
    Other {
        /// Its name among the document's schemes.
        scheme: String,
        /// What the document calls it.
        kind: String,
    },
}

/// The parameters that carry credentials.
#[derive(Clone, Debug, Default)]
pub(super) struct Credentials(BTreeSet<(String, String)>);

impl Credentials {
    /// Whether the parameter at `place` is one; a header's name is in small letters.
    pub(super) fn are_at(&self, place: &str, name: &str) -> bool {
        self.0.contains(&(place.to_owned(), name.to_owned()))
    }

    /// Those in the query, the owner's own included.
    pub(super) fn in_query(&self, auth_parameter: Option<&str>) -> Vec<String> {
        let declared = self.0.iter().filter(|(place, _)| place == "query").map(|(_, name)| name);
        let all: BTreeSet<&str> = declared.map(String::as_str).chain(auth_parameter).collect();
        all.into_iter().map(str::to_owned).collect()
    }
}

/// What the document declares.
pub(super) fn declared(document: &Document) -> (Vec<AuthHint>, Credentials) {
    let schemes = document.root().get("components").and_then(|part| part.get("securitySchemes"));
    let (mut hints, mut credentials) = (Vec::new(), Credentials::default());
    for (scheme, part) in schemes.iter().flat_map(|schemes| schemes.entries()) {
        // A scheme that leads nowhere is no hint, and declares no parameter.
        let Ok(part) = document.resolve(part) else { continue };
        let text = |key| bounded(part.text(key).unwrap_or_default());
        let scheme = bounded(scheme);
        match part.text("type") {
            Some("apiKey") => {
                let (place, name) = (text("in"), part.text("name").unwrap_or_default());
                let key =
                    if place == "header" { name.to_ascii_lowercase() } else { name.to_owned() };
                credentials.0.insert((place.clone(), key));
                hints.push(AuthHint::ApiKey { scheme, place, name: bounded(name) });
            }
            Some("http") => hints.push(AuthHint::Http { scheme, http: text("scheme") }),
            kind => hints.push(AuthHint::Other { scheme, kind: bounded(kind.unwrap_or_default()) }),
        }
    }
    (hints, credentials)
}

fn bounded(text: &str) -> String {
    super::text::bounded(text, crate::limits::OPENAPI_TITLE_UNITS).text
}
