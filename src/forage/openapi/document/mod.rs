//! A text as an OpenAPI document, within every bound.
//!
//! Owns reading and the rules that refuse a document whole. Doesn't own what its
//! operations mean.
//!
//! Spec: 001, "OpenAPI intake".

mod bounds;
mod external;
mod json;
mod refusal;
mod scalar;
mod yaml;

use serde_json::{Map, Value};

pub use refusal::Refusal;

use super::{pointer::Pointer, reason::Code};
use crate::{failure::bounded, limits::OPENAPI_BYTES};

/// The most bytes of a version that a message shows.
const SHOWN_BYTES: usize = 32;

/// The most references that lead to one another before something stands there.
const CHAIN: usize = 32;

/// The versions of OpenAPI that are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// 3.0, with a dialect of JSON Schema of its own.
    V30,
    /// 3.1, whose schemas are JSON Schema 2020-12.
    V31,
}

/// A document within the bounds, of a version that is read.
#[derive(Clone, Debug)]
pub(super) struct Document {
    root: Value,
    version: Version,
}

/// A part of a document, and where it stands.
#[derive(Clone, Debug)]
pub(super) struct Part<'a> {
    pub(super) value: &'a Value,
    pub(super) pointer: Pointer,
}

impl Document {
    /// Reads a document.
    pub(super) fn read(text: &str) -> Result<Self, Refusal> {
        if text.len() > OPENAPI_BYTES {
            return Err(Refusal::TooLarge { bytes: text.len() });
        }
        let root = value(text.strip_prefix('\u{feff}').unwrap_or(text))?;
        let version = version(&root)?;
        external::admit(&root)?;
        Ok(Self { root, version })
    }

    pub(super) fn version(&self) -> Version {
        self.version
    }

    /// The whole.
    pub(super) fn root(&self) -> Part<'_> {
        Part { value: &self.root, pointer: Pointer::root() }
    }

    /// The part itself, or what it refers to in the end.
    ///
    /// # Errors
    ///
    /// Why it leads nowhere; the fault is the first part's.
    pub(super) fn resolve<'p, 'a: 'p>(&'a self, part: Part<'p>) -> Result<Part<'p>, Code> {
        let mut part = part;
        for _ in 0..CHAIN {
            let Some(reference) = part.value.get("$ref") else { return Ok(part) };
            part = self.target(reference)?;
        }
        Err(Code::ReferenceCycle)
    }

    /// Where the part itself stands, or what it refers to in the end.
    pub(super) fn place(&self, part: &Part<'_>) -> Pointer {
        self.resolve(part.clone()).map_or_else(|_| part.pointer.clone(), |found| found.pointer)
    }

    /// What a reference names.
    pub(super) fn target(&self, reference: &Value) -> Result<Part<'_>, Code> {
        let pointer = reference.as_str().and_then(Pointer::of_reference);
        let pointer = pointer.ok_or(Code::ReferenceBroken)?;
        let value = pointer.find(&self.root).ok_or(Code::ReferenceBroken)?;
        Ok(Part { value, pointer })
    }
}

impl<'a> Part<'a> {
    /// The entry `key`, if the part is a map that has it.
    pub(super) fn get(&self, key: &str) -> Option<Part<'a>> {
        Some(Part { value: self.value.get(key)?, pointer: self.pointer.key(key) })
    }

    /// The map it is.
    pub(super) fn map(&self) -> Option<&'a Map<String, Value>> {
        self.value.as_object()
    }

    /// The entries of the map it is.
    pub(super) fn entries(&self) -> impl Iterator<Item = (&'a str, Part<'a>)> + use<'a> {
        let pointer = self.pointer.clone();
        self.value
            .as_object()
            .into_iter()
            .flatten()
            .map(move |(key, value)| (key.as_str(), Part { value, pointer: pointer.key(key) }))
    }

    /// The items of the list it is.
    pub(super) fn items(&self) -> impl Iterator<Item = Part<'a>> + use<'a> {
        let pointer = self.pointer.clone();
        self.value
            .as_array()
            .into_iter()
            .flatten()
            .enumerate()
            .map(move |(index, value)| Part { value, pointer: pointer.index(index) })
    }

    /// The text under `key`.
    pub(super) fn text(&self, key: &str) -> Option<&'a str> {
        self.value.get(key)?.as_str()
    }
}

/// The value in a text that is JSON or YAML.
fn value(text: &str) -> Result<Value, Refusal> {
    if !text.trim_start().starts_with('{') {
        return yaml::read(text);
    }
    match json::read(text) {
        // A map in braces may be YAML all the same.
        Err(refusal @ Refusal::Syntax { .. }) => yaml::read(text).map_err(|_| refusal),
        read => read,
    }
}

fn version(root: &Value) -> Result<Version, Refusal> {
    if !root.is_object() {
        return Err(Refusal::Malformed { problem: "it is no map" });
    }
    if root.get("swagger").is_some() {
        return Err(Refusal::Swagger {});
    }
    let Some(found) = root.get("openapi") else {
        return Err(Refusal::Malformed { problem: "it has no version under openapi" });
    };
    match found.as_str().and_then(minor) {
        Some("3.0") => Ok(Version::V30),
        Some("3.1") => Ok(Version::V31),
        _ => Err(Refusal::Version { found: bounded(&found.to_string(), SHOWN_BYTES) }),
    }
}

/// `3.0` of `3.0.1`, if it is built like that.
fn minor(version: &str) -> Option<&str> {
    let (minor, patch) = version.rsplit_once('.')?;
    let digits = patch.split('-').next().unwrap_or_default();
    let patched = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    patched.then_some(minor)
}
