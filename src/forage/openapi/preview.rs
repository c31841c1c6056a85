//! What a document offers, what it doesn't and why: what an owner looks at and selects
//! from.

use std::fmt;

use super::{
    compose,
    document::{Document, Refusal, Version},
    finding::Findings,
    name::{Names, wanted},
    operation::{Reader, Site},
    options::Options,
    reason::{Code, Reason},
    remark::Remark,
    schema::Survey,
    security::{self, AuthHint, Credentials},
    server::{self, ServerHint},
    table::{Method, Table, TableError, selector},
    walk,
};
use crate::limits::{OPENAPI_OPERATIONS, OPENAPI_REASONS, OPENAPI_TABLE_OPERATIONS};

/// A document that was taken in.
///
/// Nothing was fetched or executed, and no schema expanded.
#[derive(Clone, Debug)]
pub struct Preview {
    document: Document,
    options: Options,
    credentials: Credentials,
    servers: Vec<ServerHint>,
    auth: Vec<AuthHint>,
    offered: Vec<Offered>,
    unsupported: Vec<Unsupported>,
}

/// An operation that can be selected.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Offered {
    /// What it is selected by: `GET /pets/{id}`.
    pub selector: String,
    /// What a program would call it. It may change when the document does.
    pub name: String,
    /// The method.
    pub method: Method,
    /// What the owner should know.
    pub remarks: Vec<Remark>,
}

/// An operation that can't be selected.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Unsupported {
    /// Its method and path, or its name where the server calls it.
    pub selector: String,
    /// The JSON Pointer of the operation.
    pub pointer: String,
    /// Why, at most [`OPENAPI_REASONS`].
    pub reasons: Vec<Reason>,
    /// How many further reasons there are.
    pub more_reasons: usize,
}

/// Why no table can be made of a selection.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SelectError {
    /// Nothing is called so.
    Unknown {
        /// What was asked for.
        selector: String,
    },
    /// It can't be offered.
    Unsupported {
        /// What was asked for.
        selector: String,
        /// The first reason.
        reason: Reason,
    },
    /// The table breaks a rule.
    Table(TableError),
}

impl fmt::Display for SelectError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown { selector } => write!(
                formatter,
                "the document has no operation {selector:?}: select by method and path, as \"GET /pets/{{id}}\""
            ),
            Self::Unsupported { selector, reason } => {
                write!(formatter, "{selector} can't be offered: {reason}")
            }
            Self::Table(error) => error.fmt(formatter),
        }
    }
}

impl std::error::Error for SelectError {}

/// Takes in a document.
///
/// One bad operation never fails a document: it is listed with its reasons.
///
/// # Errors
///
/// A rule that holds for the whole document is broken.
///
/// ```
/// use mycelium::forage::openapi::{Options, normalize_open_api};
///
/// let text = r#"{"openapi": "3.1.0", "paths": {"/pets/{id}": {"get": {
///     "parameters": [{"name": "id", "in": "path", "required": true,
///                     "schema": {"type": "integer"}}],
///     "responses": {"200": {"description": "A pet."}}
/// }}}}"#;
/// let preview = normalize_open_api(text, Options::default())?;
/// assert_eq!(preview.offered()[0].selector, "GET /pets/{id}");
/// let table = preview.select(&["GET /pets/{id}"]).unwrap();
/// assert_eq!(table.entries()[0].parameters[0].name, "id");
/// # Ok::<(), mycelium::forage::openapi::Refusal>(())
/// ```
///
/// Spec: 001, "OpenAPI intake".
pub fn normalize_open_api(text: &str, options: Options) -> Result<Preview, Refusal> {
    let document = Document::read(text)?;
    let sites = walk::operations(&document);
    if sites.len() > OPENAPI_OPERATIONS {
        return Err(Refusal::TooManyOperations { count: sites.len() });
    }
    let (auth, credentials) = security::declared(&document);
    let names = names(&sites);
    let mut survey = Survey::new(&document, options.formats);
    let reader = Reader { document: &document, options: &options, credentials: &credentials };
    let (mut offered, mut unsupported) = (Vec::new(), Vec::new());
    for (site, name) in sites.iter().zip(names) {
        let (declared, mut findings) = reader.read(site, &mut survey);
        compose::remark(site, &mut findings);
        match declared {
            Some(declared) => offered.push(Offered {
                selector: selector(declared.method.as_str(), site.path),
                name,
                method: declared.method,
                remarks: findings.remarks(),
            }),
            None => unsupported.push(left_out(site, &findings)),
        }
        unsupported.extend(callbacks(site));
    }
    unsupported.extend(webhooks(&document));
    let servers = server::hints(&document.root());
    Ok(Preview { document, options, credentials, servers, auth, offered, unsupported })
}

impl Preview {
    /// The version of the document.
    #[must_use]
    pub fn version(&self) -> Version {
        self.document.version()
    }

    /// Where the document says its server is. The owner chooses where requests go.
    #[must_use]
    pub fn servers(&self) -> &[ServerHint] {
        &self.servers
    }

    /// How the document says that one authenticates. The owner chooses the credential.
    #[must_use]
    pub fn auth(&self) -> &[AuthHint] {
        &self.auth
    }

    /// The operations that can be selected, in the order of path and method.
    #[must_use]
    pub fn offered(&self) -> &[Offered] {
        &self.offered
    }

    /// The operations that can't.
    #[must_use]
    pub fn unsupported(&self) -> &[Unsupported] {
        &self.unsupported
    }

    /// A table of the operations that are called so: `GET /pets/{id}`.
    ///
    /// # Errors
    ///
    /// One isn't there or can't be offered, or the table would be over a bound.
    pub fn select(&self, selectors: &[impl AsRef<str>]) -> Result<Table, SelectError> {
        if !(1..=OPENAPI_TABLE_OPERATIONS).contains(&selectors.len()) {
            return Err(SelectError::Table(TableError::Count { count: selectors.len() }));
        }
        let sites = walk::operations(&self.document);
        let mut entries = Vec::new();
        let mut bytes = 0_usize;
        for selector in selectors {
            let entry = self.entry(selector.as_ref(), &sites)?;
            bytes = bytes.saturating_add(compose::weight(&entry));
            if bytes > crate::limits::OPENAPI_TABLE_BYTES {
                return Err(SelectError::Table(TableError::TooLarge { bytes }));
            }
            entries.push(entry);
        }
        Table::new(entries).map_err(SelectError::Table)
    }

    fn entry(&self, wanted: &str, sites: &[Site<'_>]) -> Result<super::Entry, SelectError> {
        let named =
            |site: &&Site<'_>| selector(&site.method.to_ascii_uppercase(), site.path) == wanted;
        let unknown = || SelectError::Unknown {
            selector: crate::failure::bounded(wanted, crate::limits::OPENAPI_TITLE_UNITS),
        };
        let site = sites.iter().find(named).ok_or_else(unknown)?;
        let Self { document, options, credentials, .. } = self;
        let withheld = credentials.in_query(options.auth_parameter.as_deref());
        let reader = Reader { document, options, credentials };
        let (declared, findings) = reader.read(site, &mut Survey::new(document, options.formats));
        let offered = self.offered.iter().find(|offered| offered.selector == wanted);
        match (declared, offered) {
            (Some(declared), Some(offered)) => compose::entry(
                document,
                options,
                site,
                &declared,
                &offered.name,
                reader.split(site.path),
                &withheld,
            )
            .map_err(|reason| SelectError::Unsupported { selector: wanted.to_owned(), reason }),
            _ => {
                let first = findings.reasons(1).0.pop();
                let reason = first.unwrap_or_else(|| {
                    Reason::new(Code::OperationMalformed, &site.operation.pointer)
                });
                Err(SelectError::Unsupported { selector: wanted.to_owned(), reason })
            }
        }
    }
}

/// The names of operations; where several want one, by the order of what they are made of.
fn names(sites: &[Site<'_>]) -> Vec<String> {
    let raw = |site: &Site<'_>| {
        let id = site.operation.text("operationId").unwrap_or_default();
        let call = selector(&site.method.to_ascii_lowercase(), site.path);
        let name = wanted(id).or_else(|| wanted(&call));
        (name.unwrap_or_else(|| site.method.to_owned()), id.to_owned(), call)
    };
    let mut order: Vec<_> = sites.iter().map(raw).enumerate().collect();
    order.sort_by(|(_, left), (_, right)| left.cmp(right));
    let mut taken = Names::default();
    let mut names = vec![String::new(); sites.len()];
    for (at, (name, _, _)) in order {
        if let Some(place) = names.get_mut(at) {
            *place = taken.take(&name);
        }
    }
    names
}

fn left_out(site: &Site<'_>, findings: &Findings) -> Unsupported {
    let (reasons, more_reasons) = findings.reasons(OPENAPI_REASONS);
    Unsupported {
        selector: selector(&site.method.to_ascii_uppercase(), site.path),
        pointer: site.operation.pointer.to_string(),
        reasons,
        more_reasons,
    }
}

/// The callbacks of an operation, which nobody answers here.
fn callbacks(site: &Site<'_>) -> Vec<Unsupported> {
    let callbacks = site.operation.get("callbacks");
    let named = callbacks.iter().flat_map(|callbacks| callbacks.entries());
    named
        .flat_map(|(name, callback)| {
            walk::inbound(&callback).into_iter().map(move |(url, method, part)| {
                let call = selector(&method.to_ascii_uppercase(), &url);
                inbound(&format!("callback {name} {call}"), Code::Callback, &part)
            })
        })
        .collect()
}

fn webhooks(document: &Document) -> Vec<Unsupported> {
    let webhooks = document.root().get("webhooks");
    let all = webhooks.iter().flat_map(walk::inbound);
    all.map(|(name, method, part)| {
        let call = selector(&method.to_ascii_uppercase(), &name);
        inbound(&format!("webhook {call}"), Code::Webhook, &part)
    })
    .collect()
}

fn inbound(selector: &str, code: Code, part: &super::document::Part<'_>) -> Unsupported {
    Unsupported {
        selector: selector.to_owned(),
        pointer: part.pointer.to_string(),
        reasons: vec![Reason::new(code, &part.pointer)],
        more_reasons: 0,
    }
}
