//! Operations as TypeScript: one, a namespace, or some methods of one.
//!
//! A description is complete or refused with what to ask instead; it is never cut.

mod render;
mod tree;

use serde::Serialize;
use serde_json::Value;

use super::{Catalog, ForageError, Helper, catalog::is_within, item::Item, third_party};
use crate::limits::DESCRIBE_BYTES;

pub(super) use render::{Rendering, alias};

/// How many suggestions a refusal makes.
const NEAREST: usize = 3;
/// How many methods a refusal names for the next call.
const FEW: usize = 3;
/// Bytes for what stands around the types in an answer.
const ENVELOPE: usize = 512;

/// What an operation or a namespace looks like to code.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Description {
    /// The operation's path, or the namespace's.
    pub path: String,
    /// How many operations are described.
    pub operations: usize,
    /// TypeScript: the types of inputs and outputs, and a nested `env` to call.
    pub types: String,
    /// What one operation takes, with bounds that TypeScript can't say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input_schema: Option<Value>,
    /// Says so where texts in it are a third party's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub texts: Option<&'static str>,
}

impl Catalog {
    /// Describes the operation at `path`, or all operations of the namespace `path`.
    ///
    /// # Errors
    ///
    /// No such path, with the nearest; a namespace whose description is over
    /// [`DESCRIBE_BYTES`], with counts and the calls to make instead.
    pub fn describe(&self, path: &str) -> Result<Description, ForageError> {
        let path = spoken(path);
        if let Some(item) = self.find(path) {
            return complete(item);
        }
        let items: Vec<&Item> = self.within(Some(path)).collect();
        if items.is_empty() {
            return Err(self.unknown(path));
        }
        several(path, &items)
    }

    /// Describes some `methods` of the namespace `path`, each said relative to it.
    ///
    /// # Errors
    ///
    /// Those of [`describe`](Self::describe).
    pub fn describe_methods(
        &self,
        path: &str,
        methods: &[String],
    ) -> Result<Description, ForageError> {
        let path = spoken(path);
        let mut paths: Vec<String> =
            methods.iter().map(|method| format!("{path}.{method}")).collect();
        paths.sort_by(|left, right| crate::operation::utf16_order(left, right));
        paths.dedup();
        let items = paths.iter().map(|path| self.find(path).ok_or_else(|| self.unknown(path)));
        several(path, &items.collect::<Result<Vec<_>, _>>()?)
    }

    fn unknown(&self, path: &str) -> ForageError {
        let path = crate::failure::bounded(path, crate::limits::QUERY_BYTES);
        let nearest = self.nearest(&path, NEAREST);
        ForageError::Unknown { path, nearest }
    }
}

/// A path as code may say it: `env.` is no part of it.
fn spoken(path: &str) -> &str {
    let path = path.trim();
    path.strip_prefix("env.").unwrap_or(path)
}

/// The whole description of one operation.
pub(super) fn complete(item: &Item) -> Result<Description, ForageError> {
    let rendering = rendering(item)?;
    let types = tree::declaration(&[(item, rendering)]);
    let description = Description {
        path: item.path().to_owned(),
        operations: 1,
        types,
        input_schema: Some(item.input().document().clone()),
        texts: item.is_third_party().then_some(third_party::FRAME),
    };
    let bytes = serde_json::to_string(&description).map_or(usize::MAX, |text| text.len());
    if bytes > DESCRIBE_BYTES {
        let path = description.path;
        return Err(ForageError::DescriptionTooLarge { path, bytes, bound: DESCRIBE_BYTES });
    }
    Ok(description)
}

fn rendering(item: &Item) -> Result<&Rendering, ForageError> {
    let made = item.rendering.get_or_init(|| Box::new(Rendering::of(item)));
    made.as_ref().as_ref().map_err(Clone::clone)
}

fn several(path: &str, items: &[&Item]) -> Result<Description, ForageError> {
    let mut bytes = ENVELOPE;
    let mut rendered = Vec::new();
    for item in items {
        let rendering = rendering(item).map_err(|_| too_large(path, items, bytes))?;
        bytes = bytes.saturating_add(rendering.bytes());
        if bytes > DESCRIBE_BYTES {
            return Err(too_large(path, items, bytes));
        }
        rendered.push((*item, rendering));
    }
    let types = tree::declaration(&rendered);
    let third_party = items.iter().any(|item| item.is_third_party());
    let description = Description {
        path: path.to_owned(),
        operations: items.len(),
        types,
        input_schema: None,
        texts: third_party.then_some(third_party::FRAME),
    };
    let bytes = serde_json::to_string(&description).map_or(usize::MAX, |text| text.len());
    if bytes > DESCRIBE_BYTES {
        return Err(too_large(path, items, bytes));
    }
    Ok(description)
}

/// The refusal, with a list and a description that fit.
fn too_large(namespace: &str, items: &[&Item], bytes: usize) -> ForageError {
    let list = format!("{}({{ namespace: {} }})", Helper::List.callee(), Value::from(namespace));
    ForageError::NamespaceTooLarge {
        namespace: namespace.to_owned(),
        operations: items.len(),
        bytes: bytes.max(DESCRIBE_BYTES.saturating_add(1)),
        bound: DESCRIBE_BYTES,
        next: [list, narrower(namespace, items)],
    }
}

/// A description of the first few methods that fit together; where only one was asked for
/// or fits, of that one.
fn narrower(namespace: &str, items: &[&Item]) -> String {
    let callee = Helper::Describe.callee();
    let fits = |few: &&[&Item]| few.len() < items.len() && several(namespace, few).is_ok();
    let first = (2..=FEW).rev().filter_map(|count| items.get(..count)).find(fits);
    let methods: Vec<&str> = first
        .unwrap_or_default()
        .iter()
        .filter(|item| is_within(item.path(), namespace))
        .filter_map(|item| item.path().get(namespace.len().saturating_add(1)..))
        .collect();
    if methods.is_empty() {
        let path = items.first().map_or(namespace, |item| item.path());
        return format!("{callee}({{ path: {} }})", Value::from(path));
    }
    let namespace = Value::from(namespace);
    format!("{callee}({{ path: {namespace}, methods: {} }})", Value::from(methods))
}
