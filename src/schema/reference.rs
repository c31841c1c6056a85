//! From a reference to the schema it means.
//!
//! Almost every document refers by pointers from its root alone, and those are
//! followed directly. One that names its parts (`$id`, `$anchor`) goes the way
//! the validator goes, through the same resolver, so that both see one target.

use referencing::{Draft, Registry, Resolver, Retrieve, Uri};
use serde_json::{Map, Value};

use super::SchemaError;

/// Under which name a document is compiled.
pub(super) const DOCUMENT: &str = "mycelium:///schema";

/// The document as the resolver knows it.
///
/// # Errors
///
/// A name in it is no URI, or a reference leaves the document.
pub(super) fn registry(draft: Draft, document: &Value) -> Result<Registry<'_>, SchemaError> {
    let resource = draft.create_resource_ref(document);
    Registry::new()
        .retriever(Outside)
        .draft(draft)
        .retrieve_known_draft_meta_schemas(false)
        .add(DOCUMENT, resource)
        .and_then(referencing::RegistryBuilder::prepare)
        .map_err(|error| unresolved(&error))
}

fn unresolved(error: &referencing::Error) -> SchemaError {
    SchemaError::schema("", &error.to_string())
}

/// Refuses every reference that leaves the document.
pub(super) struct Outside;

impl Retrieve for Outside {
    fn retrieve(
        &self,
        uri: &Uri<String>,
    ) -> Result<Value, Box<dyn std::error::Error + Send + Sync>> {
        Err(format!("{uri} is outside the document: copy it under $defs").into())
    }
}

/// What a reference is read against.
#[derive(Clone)]
pub(super) enum Scope<'a> {
    /// A document that refers by pointers from its root alone.
    Root(&'a Value),
    /// A part of a document that names its parts.
    Named(Draft, Resolver<'a>),
}

impl<'a> Scope<'a> {
    /// The scope of the whole of a registered document.
    ///
    /// # Errors
    ///
    /// None that a prepared registry gives.
    pub(super) fn named(draft: Draft, registry: &'a Registry<'a>) -> Result<Self, SchemaError> {
        let name = referencing::uri::from_str(DOCUMENT).map_err(|error| unresolved(&error))?;
        Ok(Self::Named(draft, registry.resolver(name)))
    }

    /// The scope within `schema`, which is written here and may rename itself.
    pub(super) fn within(&self, schema: &Value) -> Result<Self, SchemaError> {
        match self {
            Self::Root(_) => Ok(self.clone()),
            Self::Named(draft, resolver) => {
                let inner = resolver.in_subresource(draft.create_resource_ref(schema));
                inner.map(|inner| Self::Named(*draft, inner)).map_err(|error| unresolved(&error))
            }
        }
    }

    /// The schema that `reference` means, and the scope within it.
    pub(super) fn follow(&self, reference: &str) -> Result<(&'a Value, Self), SchemaError> {
        match self {
            Self::Root(document) => {
                let target = reference.strip_prefix('#').and_then(|path| document.pointer(path));
                let target = target.ok_or_else(|| {
                    SchemaError::schema("", &format!("{reference} refers to nothing"))
                });
                target.map(|target| (target, self.clone()))
            }
            Self::Named(draft, resolver) => {
                let found = resolver.lookup(reference).map_err(|error| unresolved(&error))?;
                let (target, resolver, _) = found.into_inner();
                Ok((target, Self::Named(*draft, resolver)))
            }
        }
    }
}

/// Whether `schema`, apart from what it holds, refers by a pointer from the root if at all, and
/// doesn't rename itself: only the root may without a change of what pointers mean.
pub(super) fn is_plain(schema: &Map<String, Value>, is_root: bool) -> bool {
    schema.iter().all(|(keyword, value)| match (keyword.as_str(), value) {
        ("$id", Value::String(_)) => is_root,
        ("$dynamicRef", Value::String(_)) => false,
        ("$ref", Value::String(reference)) => {
            reference == "#" || reference.starts_with("#/") && !reference.contains('%')
        }
        _ => true,
    })
}
