//! What a connection authenticates with, by the name of a secret.

use data_encoding::BASE64;

use super::ConnectError;
use crate::{
    forage::openapi::{Place, Table, header, path},
    port::{Secrets, fetch::Request},
};

/// What every request of a connection carries. The owner names a secret; its value is read
/// for each request, and a program never sees it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Credential {
    /// Nothing.
    #[default]
    None,
    /// `Authorization: Bearer …`
    Bearer {
        /// The secret's name.
        secret: String,
    },
    /// `Authorization: Basic …`
    Basic {
        /// The name of the secret that is `user:password`.
        secret: String,
    },
    /// A header.
    Header {
        /// The header.
        name: String,
        /// The secret's name.
        secret: String,
    },
    /// A parameter of the query.
    Query {
        /// The parameter.
        name: String,
        /// The secret's name.
        secret: String,
    },
}

/// What isn't shown to a program though a server says it.
pub(super) type Masked = Vec<String>;

impl Credential {
    /// The name of the secret, if there is one.
    #[must_use]
    pub fn secret_name(&self) -> Option<&str> {
        match self {
            Self::None => None,
            Self::Bearer { secret }
            | Self::Basic { secret }
            | Self::Header { secret, .. }
            | Self::Query { secret, .. } => Some(secret),
        }
    }

    /// Whether a program could send it too.
    pub(super) fn check(&self, table: &Table) -> Result<(), ConnectError> {
        let (place, name) = match self {
            Self::Header { name, .. } => {
                if !header::is_token(name) {
                    return Err(ConnectError::new("the credential's header isn't a header's name"));
                }
                (Place::Header, name)
            }
            Self::Query { name, .. } => (Place::Query, name),
            Self::None | Self::Bearer { .. } | Self::Basic { .. } => return Ok(()),
        };
        for entry in table.entries() {
            let same = |found: &str| match place {
                Place::Header => found.eq_ignore_ascii_case(name),
                Place::Path | Place::Query => found == name,
            };
            let mut parameters = entry.parameters.iter();
            if parameters.any(|found| found.place == place && same(&found.name)) {
                return Err(ConnectError::new(format!(
                    "{} lets a program send {name}, which is the credential: make the table \
                     anew with --auth-parameter {name}",
                    entry.selector(),
                )));
            }
        }
        Ok(())
    }

    /// The parameter of the query that is the credential.
    pub(super) fn query_name(&self) -> Option<&str> {
        match self {
            Self::Query { name, .. } => Some(name),
            _ => None,
        }
    }

    /// What every request carries in its headers.
    ///
    /// # Errors
    ///
    /// As what a request is refused for; nothing of the secret is told.
    pub fn headers(&self, secrets: &dyn Secrets) -> Result<Vec<(String, String)>, &'static str> {
        let mut request =
            Request { method: String::new(), url: String::new(), headers: Vec::new(), body: None };
        self.put(secrets, &mut request).map(|_| request.headers)
    }

    /// Puts the credential into a request.
    ///
    /// # Errors
    ///
    /// The secret isn't set, or can't be sent; nothing of it is told.
    pub(super) fn put(
        &self,
        secrets: &dyn Secrets,
        request: &mut Request,
    ) -> Result<Masked, &'static str> {
        let Some(name) = self.secret_name() else { return Ok(Vec::new()) };
        let secret = secrets.secret(name).filter(|secret| !secret.is_empty());
        let secret = secret.ok_or("the connection's credential isn't set")?;
        let mut masked = vec![secret.clone()];
        let (name, value) = match self {
            Self::None => return Ok(Vec::new()),
            Self::Bearer { .. } => ("authorization", format!("Bearer {secret}")),
            Self::Basic { .. } => {
                let encoded = BASE64.encode(secret.as_bytes());
                masked.push(encoded.clone());
                ("authorization", format!("Basic {encoded}"))
            }
            Self::Header { name, .. } => (name.as_str(), secret),
            Self::Query { name, .. } => {
                let encoded = path::encode(&secret);
                let mark = if request.url.contains('?') { '&' } else { '?' };
                request.url = format!("{}{mark}{}={encoded}", request.url, path::encode(name));
                masked.push(encoded);
                return Ok(masked);
            }
        };
        if !header::is_value(&value) {
            return Err("the connection's credential can't be sent in a header");
        }
        request.headers.push((name.to_owned(), value));
        Ok(masked)
    }
}
