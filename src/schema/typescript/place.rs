//! A schema and where it stands: what its references mean, and which draft it is read by.

use referencing::Draft;
use serde_json::{Map, Value};

use crate::schema::{keyword, reference::Scope};

/// A schema within its document.
#[derive(Clone)]
pub(super) struct Place<'a> {
    pub(super) schema: &'a Value,
    pub(super) draft: Draft,
    scope: Scope<'a>,
}

impl<'a> Place<'a> {
    /// The whole document.
    pub(super) fn root(schema: &'a Value, draft: Draft, scope: Scope<'a>) -> Self {
        Self { schema, draft, scope }.rescoped()
    }

    /// A schema that is written within this one.
    pub(super) fn within(&self, schema: &'a Value) -> Self {
        Self { schema, draft: self.draft, scope: self.scope.clone() }.rescoped()
    }

    fn rescoped(mut self) -> Self {
        if let Ok(scope) = self.scope.within(self.schema) {
            self.scope = scope;
        }
        self
    }

    /// The schema that `reference` means; none when it can't be found.
    pub(super) fn follow(&self, reference: &str) -> Option<Self> {
        let found =
            self.scope.follow(reference).or_else(|_| self.scope.follow(&decoded(reference)));
        let (schema, scope) = found.ok()?;
        Some(Self { schema, draft: self.draft, scope })
    }

    /// The keywords; none for `true` and `false`.
    pub(super) fn keywords(&self) -> Option<&'a Map<String, Value>> {
        self.schema.as_object()
    }

    /// A keyword's value, if the draft has the keyword.
    pub(super) fn keyword(&self, name: &str) -> Option<&'a Value> {
        let keywords = self.keywords()?;
        if !self.reads(name) || name != "$ref" && self.is_only_a_reference() {
            return None;
        }
        keywords.get(name)
    }

    /// The schemas that a keyword holds.
    pub(super) fn inner(&self, name: &str) -> Vec<Self> {
        let Some(value) = self.keyword(name) else { return Vec::new() };
        keyword::schemas(name, value).map(|schema| self.within(schema)).collect()
    }

    /// The schemas that apply to the same value as this one, references followed.
    pub(super) fn in_place(&self) -> Vec<Self> {
        let Some(keywords) = self.keywords() else { return Vec::new() };
        let names = keywords.iter().filter(|(name, _)| self.keyword(name).is_some());
        let found = names.flat_map(|(name, value)| match value {
            Value::String(reference) if keyword::is_reference(name) => {
                self.follow(reference).into_iter().collect()
            }
            _ if keyword::target(name, value) == Some(keyword::Target::Itself) => self.inner(name),
            _ => Vec::new(),
        });
        found.collect()
    }

    /// Where the schema is in memory: the same for the same part of a document.
    pub(super) fn address(&self) -> usize {
        std::ptr::from_ref(self.schema).addr()
    }

    fn is_seventh(&self) -> bool {
        self.draft == Draft::Draft7
    }

    /// Whether what stands beside a reference doesn't count, as in draft-07.
    fn is_only_a_reference(&self) -> bool {
        let has_reference =
            || self.keywords().is_some_and(|keywords| keywords.contains_key("$ref"));
        self.is_seventh() && has_reference()
    }

    fn reads(&self, name: &str) -> bool {
        match name {
            "prefixItems"
            | "unevaluatedItems"
            | "unevaluatedProperties"
            | "dependentRequired"
            | "dependentSchemas"
            | "$dynamicRef" => !self.is_seventh(),
            "dependencies" => self.is_seventh(),
            _ => true,
        }
    }
}

/// A reference with its percent-encoded bytes decoded.
fn decoded(reference: &str) -> String {
    let mut bytes = Vec::with_capacity(reference.len());
    let mut rest = reference.bytes();
    while let Some(byte) = rest.next() {
        let mut ahead = rest.clone();
        match (byte, ahead.next().and_then(digit), ahead.next().and_then(digit)) {
            (b'%', Some(high), Some(low)) => {
                bytes.push(high << 4 | low);
                rest = ahead;
            }
            _ => bytes.push(byte),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn digit(byte: u8) -> Option<u8> {
    let digit = char::from(byte).to_digit(16)?;
    u8::try_from(digit).ok()
}

#[cfg(test)]
mod tests {
    use super::decoded;

    #[test]
    fn fastmcp_2293_percent_encoded_pointers_are_decoded() {
        for (reference, expected) in [
            ("#/$defs/A%20B", "#/$defs/A B"),
            ("#/$defs/100%25", "#/$defs/100%"),
            ("#/a%2", "#/a%2"),
            ("#/%C3%A9", "#/é"),
        ] {
            assert_eq!(decoded(reference), expected);
        }
    }
}
