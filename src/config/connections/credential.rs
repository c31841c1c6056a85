//! What a connection authenticates with: where it goes, and the name of the secret.

use serde_json::Value as Json;

use crate::{
    config::{
        error::Errors,
        form::{Form, Row, section, words},
        node::{Node, Place, Value},
        rule::{Field, SecretName},
    },
    knapsack::openapi::Credential,
};

section! {
    /// As it is written.
    pub(in crate::config) struct Written {
        secret: SecretName, "", "The secret that holds the credential: `npx wrangler secret put NAME`.";
        scheme: Option<Scheme>, "Bearer, unless header or query is said", "`Authorization: Bearer SECRET`, or `Basic` with a secret that is `user:password`.";
        header: Option<Field>, "none", "The header that the secret is, as it stands.";
        query: Option<Field>, "none", "The parameter of the query that it is.";
    }
}

words! {
    /// A scheme of the header `Authorization`.
    Scheme(Kind) {
        "Bearer" => Kind::Bearer,
        "Basic" => Kind::Basic,
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::config) enum Kind {
    Bearer,
    Basic,
}

const ACCEPTED: &str = "a secret with either scheme, header or query (the header beside a scheme may only be Authorization)";

impl Written {
    fn credential(self) -> Option<Credential> {
        let secret = self.secret.0;
        let header = self.header.map(|header| header.0);
        let named = header.as_ref().is_none_or(|name| name.eq_ignore_ascii_case("authorization"));
        match (self.scheme, header, self.query) {
            (Some(Scheme(Kind::Basic)), _, None) if named => Some(Credential::Basic { secret }),
            (Some(Scheme(Kind::Bearer)), _, None) if named => Some(Credential::Bearer { secret }),
            (None, Some(name), None) => Some(Credential::Header { name, secret }),
            (None, None, Some(query)) => Some(Credential::Query { name: query.0, secret }),
            (None, None, None) => Some(Credential::Bearer { secret }),
            _ => None,
        }
    }
}

impl Form for Credential {
    fn accepted() -> String {
        ACCEPTED.to_owned()
    }

    fn schema() -> Json {
        Written::schema()
    }

    fn keys(path: &str, rows: &mut Vec<Row>) {
        Written::keys(path, rows);
    }

    fn read(node: &Node, place: &Place<'_>, errors: &mut Errors) -> Option<Self> {
        if matches!(node.value, Value::Text(_)) {
            errors.masked(place, node, "a table");
            return None;
        }
        let credential = Written::read(node, place, errors)?.credential();
        if credential.is_none() {
            errors.wrong(place, node, ACCEPTED);
        }
        credential
    }
}
