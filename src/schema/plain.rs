//! Schemas that are plainly schemas, told without the meta-schema.
//!
//! Most are made of a few keywords, and the meta-schema takes longer over them than
//! everything else that is done when they are defined. What isn't plain here isn't
//! wrong: the [meta-schema](super::meta) says.

use serde_json::{Map, Value};

/// Whether `schema` has only keywords that are the same in every draft of ours, each with a
/// value that each draft takes. Its depth is bounded already.
pub(super) fn is_plainly_a_schema(schema: &Value) -> bool {
    match schema {
        Value::Bool(_) => true,
        Value::Object(keywords) => keywords.iter().all(|(keyword, value)| plain(keyword, value)),
        _ => false,
    }
}

fn plain(keyword: &str, value: &Value) -> bool {
    match keyword {
        "title" | "description" | "format" | "$comment" => value.is_string(),
        "default" | "const" => true,
        "examples" => value.is_array(),
        "readOnly" | "writeOnly" | "uniqueItems" => value.is_boolean(),
        "type" => is_type(value),
        "enum" => value.as_array().is_some_and(|values| !values.is_empty() && distinct(values)),
        "required" => value.as_array().is_some_and(|names| strings(names) && distinct(names)),
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" => value.is_number(),
        "minLength" | "maxLength" | "minItems" | "maxItems" | "minProperties" | "maxProperties" => {
            value.is_u64()
        }
        // A list of schemas means another thing in each draft.
        "items"
        | "additionalProperties"
        | "not"
        | "contains"
        | "propertyNames"
        | "if"
        | "then"
        | "else" => is_plainly_a_schema(value),
        "anyOf" | "allOf" | "oneOf" => value
            .as_array()
            .is_some_and(|all| !all.is_empty() && all.iter().all(is_plainly_a_schema)),
        "properties" | "$defs" | "definitions" => {
            value.as_object().is_some_and(|all: &Map<_, _>| all.values().all(is_plainly_a_schema))
        }
        _ => false,
    }
}

const TYPES: [&str; 7] = ["array", "boolean", "integer", "null", "number", "object", "string"];

fn is_type(value: &Value) -> bool {
    let known = |name: &Value| name.as_str().is_some_and(|name| TYPES.contains(&name));
    match value {
        Value::Array(names) => !names.is_empty() && names.iter().all(known) && distinct(names),
        name => known(name),
    }
}

fn strings(values: &[Value]) -> bool {
    values.iter().all(Value::is_string)
}

/// How many values are compared each with each.
const COMPARED: usize = 32;

/// Whether they are few strings and no two are the same; numbers have more than one spelling.
fn distinct(values: &[Value]) -> bool {
    values.len() <= COMPARED
        && strings(values)
        && values.iter().enumerate().all(|(at, value)| !values.iter().take(at).any(|v| v == value))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Map, Value, json};

    use super::is_plainly_a_schema;
    use crate::schema::{Schema, meta};

    #[test]
    fn ordinary_schemas_are_plain() {
        for schema in [
            json!(true),
            json!({}),
            json!({
                "type": "object",
                "title": "T",
                "properties": {
                    "id": {"type": ["integer", "null"], "minimum": 0, "description": "d"},
                    "tags": {"type": "array", "items": {"enum": ["a", "b"]}, "maxItems": 3},
                    "any": {"anyOf": [{"type": "string", "maxLength": 9}, {"const": 1}]},
                },
                "required": ["id"],
                "additionalProperties": false,
                "$defs": {"x": {"not": {"default": null}}},
            }),
        ] {
            assert!(is_plainly_a_schema(&schema), "{schema}");
        }
    }

    #[test]
    fn what_is_no_schema_is_not_plain() {
        for wrong in [
            json!(null),
            json!([]),
            json!({"type": "objekt"}),
            json!({"type": []}),
            json!({"type": ["string", "string"]}),
            json!({"required": ["a", "a"]}),
            json!({"required": [1]}),
            json!({"minLength": -1}),
            json!({"minLength": 1.5}),
            json!({"minimum": "1"}),
            json!({"anyOf": []}),
            json!({"properties": []}),
            json!({"properties": {"a": 1}}),
            json!({"items": {"uniqueItems": 1}}),
            json!({"description": 1}),
            json!({"examples": 1}),
        ] {
            assert!(!is_plainly_a_schema(&wrong), "{wrong}");
            assert!(Schema::new(wrong.clone()).is_err(), "{wrong}");
        }
    }

    /// A value that may or may not do for a keyword.
    fn value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(json!(null)),
            any::<bool>().prop_map(Value::from),
            (-2_i64..3).prop_map(Value::from),
            (0_u8..8).prop_map(|number| json!(f64::from(number) / 2.0)),
            prop::sample::select(super::TYPES.to_vec()).prop_map(Value::from),
            Just(json!("x")),
            Just(json!({})),
        ];
        leaf.prop_recursive(4, 32, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::vec((keyword(), inner), 0..4)
                    .prop_map(|all| Value::Object(all.into_iter().collect::<Map<_, _>>())),
            ]
        })
    }

    fn keyword() -> impl Strategy<Value = String> {
        let keywords = [
            "title",
            "description",
            "format",
            "$comment",
            "default",
            "const",
            "examples",
            "readOnly",
            "writeOnly",
            "uniqueItems",
            "type",
            "enum",
            "required",
            "minimum",
            "maximum",
            "exclusiveMinimum",
            "exclusiveMaximum",
            "minLength",
            "maxLength",
            "minItems",
            "maxItems",
            "minProperties",
            "maxProperties",
            "items",
            "additionalProperties",
            "not",
            "contains",
            "propertyNames",
            "if",
            "then",
            "else",
            "anyOf",
            "allOf",
            "oneOf",
            "properties",
            "$defs",
            "definitions",
            "deprecated",
            "x-own",
        ];
        prop::sample::select(keywords.to_vec()).prop_map(str::to_owned)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1_000))]

        #[test]
        fn what_is_plain_the_meta_schema_of_every_draft_takes(schema in value()) {
            if is_plainly_a_schema(&schema) {
                for draft in [referencing::Draft::Draft202012, referencing::Draft::Draft7] {
                    prop_assert!(meta::by_meta_schema(draft, &schema).is_ok(), "{schema}");
                }
            }
        }
    }
}
