//! The six kinds of JSON values.

use serde_json::Value;

/// A set of kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::schema::typescript) struct Kinds(u8);

impl Kinds {
    pub(in crate::schema::typescript) const NONE: Self = Self(0);
    pub(in crate::schema::typescript) const NULL: Self = Self(1);
    pub(in crate::schema::typescript) const BOOLEAN: Self = Self(2);
    pub(in crate::schema::typescript) const NUMBER: Self = Self(4);
    pub(in crate::schema::typescript) const STRING: Self = Self(8);
    pub(in crate::schema::typescript) const LIST: Self = Self(16);
    pub(in crate::schema::typescript) const OBJECT: Self = Self(32);
    pub(in crate::schema::typescript) const ALL: Self = Self(63);

    /// One set for each kind, in the order in which types name them: what carries most first.
    const EACH: [Self; 6] =
        [Self::OBJECT, Self::LIST, Self::STRING, Self::NUMBER, Self::BOOLEAN, Self::NULL];

    /// The kind of a value.
    pub(in crate::schema::typescript) fn of(value: &Value) -> Self {
        match value {
            Value::Null => Self::NULL,
            Value::Bool(_) => Self::BOOLEAN,
            Value::Number(_) => Self::NUMBER,
            Value::String(_) => Self::STRING,
            Value::Array(_) => Self::LIST,
            Value::Object(_) => Self::OBJECT,
        }
    }

    /// The kind that a schema's `type` names; every kind when the name is unheard of.
    pub(in crate::schema::typescript) fn named(name: &str) -> Self {
        match name {
            "null" => Self::NULL,
            "boolean" => Self::BOOLEAN,
            "number" | "integer" => Self::NUMBER,
            "string" => Self::STRING,
            "array" => Self::LIST,
            "object" => Self::OBJECT,
            _ => Self::ALL,
        }
    }

    pub(in crate::schema::typescript) fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub(in crate::schema::typescript) fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(in crate::schema::typescript) fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    pub(in crate::schema::typescript) fn has(self, other: Self) -> bool {
        self.and(other) == other
    }

    pub(in crate::schema::typescript) fn is_empty(self) -> bool {
        self == Self::NONE
    }

    /// The kinds in it, each by itself.
    pub(in crate::schema::typescript) fn each(self) -> impl Iterator<Item = Self> {
        Self::EACH.into_iter().filter(move |kind| self.has(*kind))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::Kinds;

    #[test]
    fn every_value_has_one_kind() {
        for (value, name) in [
            (json!(null), "null"),
            (json!(true), "boolean"),
            (json!(1), "integer"),
            (json!(1.5), "number"),
            (json!("x"), "string"),
            (json!([]), "array"),
            (json!({}), "object"),
        ] {
            assert_eq!(Kinds::of(&value), Kinds::named(name));
            assert_eq!(Kinds::of(&value).each().count(), 1);
        }
        assert_eq!(Kinds::named("file"), Kinds::ALL);
        assert_eq!(Kinds::ALL.each().fold(Kinds::NONE, Kinds::or), Kinds::ALL);
    }
}
