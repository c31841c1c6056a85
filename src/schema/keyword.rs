//! Which keywords hold schemas, and to which part of a value those apply.

use serde_json::{Value, map};

/// The part of a value that a keyword's schemas apply to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// The value itself.
    Itself,
    /// The entry of the same name.
    Named,
    /// The item of the same position.
    Positioned,
    /// Every entry of a map.
    Entries,
    /// Every key of a map.
    Keys,
    /// Every item of a list.
    Items,
    /// Nothing until something refers to it.
    Nothing,
}

/// The target of `keyword`'s schemas; none when the keyword holds no schemas.
pub(super) fn target(keyword: &str, value: &Value) -> Option<Target> {
    Some(match keyword {
        "allOf" | "anyOf" | "oneOf" | "not" | "if" | "then" | "else" | "dependentSchemas"
        | "dependencies" => Target::Itself,
        "properties" => Target::Named,
        "prefixItems" => Target::Positioned,
        "items" if value.is_array() => Target::Positioned,
        "items" | "additionalItems" | "unevaluatedItems" | "contains" => Target::Items,
        "additionalProperties" | "unevaluatedProperties" | "patternProperties" => Target::Entries,
        "propertyNames" => Target::Keys,
        "$defs" | "definitions" => Target::Nothing,
        _ => return None,
    })
}

/// Whether `keyword` holds schemas by name, so that its map is none itself.
fn is_named(keyword: &str) -> bool {
    matches!(
        keyword,
        "properties"
            | "patternProperties"
            | "dependentSchemas"
            | "dependencies"
            | "$defs"
            | "definitions"
    )
}

/// The schemas that `keyword` holds in `value`.
pub(super) fn schemas<'a>(keyword: &str, value: &'a Value) -> Schemas<'a> {
    match value {
        Value::Object(entries) if is_named(keyword) => Schemas::Named(entries.values()),
        Value::Array(items) => Schemas::Listed(items.iter()),
        one => Schemas::One(Some(one)),
    }
}

/// See [`schemas`].
pub(super) enum Schemas<'a> {
    One(Option<&'a Value>),
    Listed(std::slice::Iter<'a, Value>),
    Named(map::Values<'a>),
}

impl<'a> Iterator for Schemas<'a> {
    type Item = &'a Value;

    fn next(&mut self) -> Option<&'a Value> {
        match self {
            Self::One(one) => one.take(),
            Self::Listed(items) => items.next(),
            Self::Named(values) => values.next(),
        }
    }
}

/// Whether `keyword` refers to another schema, which then applies to the value itself.
pub(super) fn is_reference(keyword: &str) -> bool {
    matches!(keyword, "$ref" | "$dynamicRef")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{schemas, target};

    #[test]
    fn the_schemas_of_a_keyword_are_found_in_each_of_its_forms() {
        for (keyword, value, count) in [
            ("allOf", json!([true, {}]), 2),
            ("items", json!({"type": "string"}), 1),
            ("items", json!([{}, {}]), 2),
            ("properties", json!({"a": {}, "b": true}), 2),
            ("dependencies", json!({"a": ["b"], "c": {}}), 2),
            ("not", json!(true), 1),
        ] {
            assert!(target(keyword, &value).is_some(), "{keyword}");
            assert_eq!(schemas(keyword, &value).count(), count, "{keyword}");
        }
        assert!(target("const", &json!({"allOf": []})).is_none());
    }
}
