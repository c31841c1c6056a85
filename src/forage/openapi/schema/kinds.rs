//! Which kinds of value a schema lets through, as far as can be told without checking.

use serde_json::Value;

use crate::forage::openapi::document::{Document, Part, Version};

/// A set of kinds of value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::forage::openapi) struct Kinds(u8);

/// How many schemas are looked at before every kind counts as possible.
const FUEL: u32 = 256;

/// How many schemas within each other are looked at.
const DEPTH: u32 = 32;

impl Kinds {
    const NULL: Self = Self(1);
    const BOOLEAN: Self = Self(2);
    const NUMBER: Self = Self(4);
    const TEXT: Self = Self(8);
    const LIST: Self = Self(16);
    const MAP: Self = Self(32);
    const ALL: Self = Self(63);
    const NONE: Self = Self(0);

    /// The kinds that the schema in `part` may let through; never too few.
    pub(in crate::forage::openapi) fn of(document: &Document, part: &Part<'_>) -> Self {
        Look { document, fuel: FUEL }.schema(part, DEPTH)
    }

    /// Whether each is a text, a number, a boolean or null.
    pub(in crate::forage::openapi) fn are_scalar(self) -> bool {
        !self.may_be(Self::LIST) && !self.may_be(Self::MAP)
    }

    /// Whether none is a text, a number or a boolean.
    pub(in crate::forage::openapi) fn are_nested(self) -> bool {
        !self.may_be(Self(Self::BOOLEAN.0 | Self::NUMBER.0 | Self::TEXT.0))
    }

    /// Whether one is a map.
    pub(in crate::forage::openapi) fn may_be_map(self) -> bool {
        self.may_be(Self::MAP)
    }

    fn may_be(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    fn of_value(value: &Value) -> Self {
        match value {
            Value::Null => Self::NULL,
            Value::Bool(_) => Self::BOOLEAN,
            Value::Number(_) => Self::NUMBER,
            Value::String(_) => Self::TEXT,
            Value::Array(_) => Self::LIST,
            Value::Object(_) => Self::MAP,
        }
    }

    fn of_type(name: &Value) -> Self {
        match name.as_str() {
            Some("null") => Self::NULL,
            Some("boolean") => Self::BOOLEAN,
            Some("number" | "integer") => Self::NUMBER,
            Some("string") => Self::TEXT,
            Some("array") => Self::LIST,
            Some("object") => Self::MAP,
            _ => Self::ALL,
        }
    }
}

struct Look<'a> {
    document: &'a Document,
    fuel: u32,
}

impl Look<'_> {
    fn schema(&mut self, part: &Part<'_>, depth: u32) -> Kinds {
        let (Some(fuel), Some(depth)) = (self.fuel.checked_sub(1), depth.checked_sub(1)) else {
            return Kinds::ALL;
        };
        self.fuel = fuel;
        let mut kinds = self.own(part);
        let beside = self.document.version() == Version::V31;
        if let Some(reference) = part.value.get("$ref") {
            let Ok(target) = self.document.target(reference) else { return Kinds::ALL };
            let target = self.schema(&target, depth);
            if !beside {
                return target;
            }
            kinds = kinds.and(target);
        }
        for all in part.get("allOf").iter().flat_map(Part::items) {
            kinds = kinds.and(self.schema(&all, depth));
        }
        for choice in ["anyOf", "oneOf"] {
            let Some(choices) = part.get(choice) else { continue };
            let any = choices.items().map(|choice| self.schema(&choice, depth));
            kinds = kinds.and(any.fold(Kinds::NONE, Kinds::or));
        }
        kinds
    }

    /// By the keywords that say it themselves.
    fn own(&self, part: &Part<'_>) -> Kinds {
        let mut kinds = match part.value.get("type") {
            Some(Value::Array(names)) => {
                names.iter().map(Kinds::of_type).fold(Kinds::NONE, Kinds::or)
            }
            Some(name) => Kinds::of_type(name),
            None => Kinds::ALL,
        };
        let nullable = part.value.get("nullable") == Some(&Value::Bool(true));
        if nullable && self.document.version() == Version::V30 {
            kinds = kinds.or(Kinds::NULL);
        }
        if let Some(Value::Array(values)) = part.value.get("enum") {
            kinds = kinds.and(values.iter().map(Kinds::of_value).fold(Kinds::NONE, Kinds::or));
        }
        if let Some(value) = part.value.get("const") {
            kinds = kinds.and(Kinds::of_value(value));
        }
        kinds
    }
}
