//! The same schema with fewer levels.
//!
//! Documents inherit by `allOf`, and each ancestor costs levels that say nothing: what
//! can stand side by side in one schema is put there. No value is let through that
//! wasn't, and none is refused that was let through.

use serde_json::{Map, Value};

type Schema = Map<String, Value>;

/// Keywords that only tell the reader something.
const TOLD: &[&str] = &[
    "default",
    "deprecated",
    "description",
    "format",
    "readOnly",
    "title",
    "writeOnly",
    "x-contentEncoding",
    "x-contentMediaType",
    "x-pattern",
];

/// Keywords whose meaning depends on others beside them, by the groups that depend on
/// each other.
const GROUPS: &[&[&str]] = &[
    &["additionalProperties", "properties"],
    &["items", "prefixItems", "contains", "minContains", "maxContains"],
    &["if", "then", "else"],
];

/// Keywords whose meaning depends on everything beside them.
const UNEVALUATED: &[&str] = &["unevaluatedItems", "unevaluatedProperties"];

/// Simplifies a schema without references. The recursion is as deep as the schema.
pub(super) fn simplify(schema: Value) -> Value {
    let Value::Object(schema) = schema else { return schema };
    let mut simple = Schema::new();
    for (key, value) in schema {
        let value = match key.as_str() {
            "properties" | "dependentSchemas" => named(value),
            "allOf" | "anyOf" | "oneOf" | "prefixItems" => listed(value),
            "items"
            | "additionalProperties"
            | "not"
            | "contains"
            | "propertyNames"
            | "if"
            | "then"
            | "else"
            | "unevaluatedItems"
            | "unevaluatedProperties" => simplify(value),
            _ => value,
        };
        simple.insert(key, value);
    }
    Value::Object(one_value(joined(simple)))
}

fn named(schemas: Value) -> Value {
    match schemas {
        Value::Object(schemas) => {
            schemas.into_iter().map(|(name, schema)| (name, simplify(schema))).collect()
        }
        other => other,
    }
}

fn listed(schemas: Value) -> Value {
    match schemas {
        Value::Array(schemas) => schemas.into_iter().map(simplify).collect(),
        other => other,
    }
}

/// An enumeration of one value is that value.
fn one_value(mut schema: Schema) -> Schema {
    let one = match schema.get("enum") {
        Some(Value::Array(values)) if !schema.contains_key("const") => match values.as_slice() {
            [one] => Some(one.clone()),
            _ => None,
        },
        _ => None,
    };
    if let Some(one) = one {
        schema.remove("enum");
        schema.insert("const".to_owned(), one);
    }
    schema
}

/// The schema with the members of its `allOf` beside its own keywords, as far as they can
/// stand there.
fn joined(mut schema: Schema) -> Schema {
    let members = match schema.remove("allOf") {
        Some(Value::Array(members)) => members,
        Some(other) => {
            schema.insert("allOf".to_owned(), other);
            return schema;
        }
        None => return schema,
    };
    // What stands beside `allOf` is nearer to the reader than what its members tell.
    let told: Schema = TOLD.iter().filter_map(|key| schema.remove_entry(*key)).collect();
    let mut rest = Vec::new();
    for member in members {
        match member {
            Value::Bool(true) => {}
            Value::Object(member) => {
                if let Err(member) = join(&mut schema, member) {
                    rest.push(Value::Object(member));
                }
            }
            other => rest.push(other),
        }
    }
    if let Some(Value::Array(inner)) = schema.get_mut("allOf") {
        inner.append(&mut rest);
    } else if !rest.is_empty() {
        schema.insert("allOf".to_owned(), Value::Array(rest));
    }
    schema.extend(told);
    schema
}

/// Puts the keywords of `other` into `schema`, or gives it back.
fn join(schema: &mut Schema, other: Schema) -> Result<(), Schema> {
    if !can_join(schema, &other) {
        return Err(other);
    }
    for (key, value) in other {
        let Some(own) = schema.remove(&key) else {
            schema.insert(key, value);
            continue;
        };
        let both = match (key.as_str(), own, value) {
            ("properties", Value::Object(own), Value::Object(value)) => properties(own, value),
            ("required" | "allOf", Value::Array(own), Value::Array(value)) => union(own, value),
            ("type", own, value) => types(&own, &value).unwrap_or(own),
            (_, _, value) => value,
        };
        schema.insert(key, both);
    }
    Ok(())
}

/// Whether both mean together what they mean apart.
fn can_join(schema: &Schema, other: &Schema) -> bool {
    let has = |schema: &Schema, keys: &[&str]| keys.iter().any(|key| schema.contains_key(*key));
    if has(schema, UNEVALUATED) || has(other, UNEVALUATED) {
        return false;
    }
    let open = |schema: &Schema| !schema.contains_key("additionalProperties");
    let apart = |group: &&[&str]| {
        let only_properties = group.contains(&"properties") && open(schema) && open(other);
        only_properties || !has(schema, group) || !has(other, group)
    };
    if !GROUPS.iter().all(apart) {
        return false;
    }
    other.iter().all(|(key, value)| match schema.get(key) {
        None => true,
        Some(_) if TOLD.contains(&key.as_str()) => true,
        Some(own) => match key.as_str() {
            "properties" => own.is_object() && value.is_object(),
            "required" | "allOf" => own.is_array() && value.is_array(),
            "type" => types(own, value).is_some(),
            _ => own == value,
        },
    })
}

fn properties(mut own: Schema, other: Schema) -> Value {
    for (name, schema) in other {
        let both = match own.remove(&name) {
            None => schema,
            Some(first) => together(first, schema),
        };
        own.insert(name, both);
    }
    Value::Object(own)
}

/// One schema for two that apply to the same property.
fn together(first: Value, second: Value) -> Value {
    let all = Value::Array(vec![first, second]);
    Value::Object(joined(Schema::from_iter([("allOf".to_owned(), all)])))
}

fn union(mut own: Vec<Value>, other: Vec<Value>) -> Value {
    for value in other {
        if !own.contains(&value) {
            own.push(value);
        }
    }
    Value::Array(own)
}

/// The types that are in both, if that is plain.
fn types(one: &Value, other: &Value) -> Option<Value> {
    if one == other {
        return Some(one.clone());
    }
    let names = |value: &Value| match value {
        Value::Array(names) => names.clone(),
        name => vec![name.clone()],
    };
    let (one, other) = (names(one), names(other));
    // An integer is a number too.
    let numeric = |name: &Value| matches!(name.as_str(), Some("integer" | "number"));
    if one.iter().any(numeric) || other.iter().any(numeric) {
        return None;
    }
    let mut both: Vec<Value> = one.into_iter().filter(|name| other.contains(name)).collect();
    match both.len() {
        0 => None,
        1 => both.pop(),
        _ => Some(Value::Array(both)),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::simplify;
    use crate::schema::Schema;

    #[test]
    fn inheritance_costs_no_level() {
        let base =
            json!({"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]});
        let mini =
            json!({"allOf": [base, {"properties": {"name": {"enum": ["x"]}}}], "description": "m"});
        let full =
            json!({"type": "object", "allOf": [mini, {"description": "f"}, {}], "title": "t"});
        let expected = json!({
            "type": "object", "title": "t", "description": "f", "required": ["id"],
            "properties": {"id": {"type": "string"}, "name": {"const": "x"}},
        });
        assert_eq!(simplify(full), expected);
    }

    #[test]
    fn what_depends_on_its_place_stays_there() {
        for schema in [
            json!({"allOf": [{"additionalProperties": false}, {"properties": {"a": {}}}]}),
            json!({"allOf": [{"items": {"type": "string"}}, {"prefixItems": [{}]}]}),
            json!({"allOf": [{"if": {"const": 1}}, {"then": false}]}),
            json!({"unevaluatedProperties": false, "allOf": [{"properties": {"a": {}}}]}),
            json!({"allOf": [{"type": "integer"}, {"type": "number"}]}),
            json!({"allOf": [{"enum": [1, 2]}, {"enum": [2, 3]}]}),
        ] {
            let simple = simplify(schema.clone());
            assert!(simple.get("allOf").is_some(), "{schema} -> {simple}");
        }
    }

    fn schemas() -> impl Strategy<Value = Value> {
        let types = prop_oneof![
            Just(json!("object")),
            Just(json!("string")),
            Just(json!("integer")),
            Just(json!("number")),
            Just(json!(["object", "null"])),
            Just(json!(["string", "null"])),
        ];
        let leaf = prop_oneof![
            Just(json!({})),
            types.clone().prop_map(|types| json!({"type": types})),
            Just(json!({"enum": ["x"]})),
            Just(json!({"enum": ["x", 1]})),
            Just(json!({"description": "d"})),
            Just(json!({"minLength": 2, "format": "f"})),
            Just(json!({"required": ["a"]})),
            Just(json!({"const": 1})),
        ];
        leaf.prop_recursive(4, 24, 3, move |inner| {
            let map = prop::collection::btree_map("[ab]", inner.clone(), 0..3);
            let all = prop::collection::vec(inner.clone(), 1..4);
            prop_oneof![
                (types.clone(), map.clone(), prop::bool::ANY).prop_map(|(types, map, closed)| {
                    let mut schema = json!({"type": types, "properties": map});
                    if closed {
                        schema["additionalProperties"] = json!(false);
                    }
                    schema
                }),
                map.prop_map(|map| json!({"properties": map, "required": ["a"]})),
                (all.clone(), types.clone())
                    .prop_map(|(all, types)| json!({"allOf": all, "type": types})),
                all.clone().prop_map(|all| json!({"allOf": all})),
                all.clone().prop_map(|all| json!({"anyOf": all, "title": "t"})),
                (inner.clone(), all).prop_map(|(items, all)| json!({"items": items, "allOf": all})),
                inner.clone().prop_map(|not| json!({"not": not})),
                (inner.clone(), inner)
                    .prop_map(|(first, rest)| json!({"prefixItems": [first], "items": rest})),
            ]
        })
    }

    fn values() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(json!("x")),
            Just(json!("xyz")),
            Just(json!(1)),
            Just(json!(1.5)),
            Just(json!(null)),
        ];
        leaf.prop_recursive(3, 12, 3, |inner| {
            prop_oneof![
                prop::collection::btree_map("[abc]", inner.clone(), 0..4)
                    .prop_map(|map| json!(map)),
                prop::collection::vec(inner, 0..3).prop_map(|items| json!(items)),
            ]
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]
        #[test]
        fn a_simple_schema_lets_through_what_the_other_does(
            schema in schemas(),
            values in prop::collection::vec(values(), 24),
        ) {
            let simple = simplify(schema.clone());
            let (before, after) = (Schema::new(schema), Schema::new(simple.clone()));
            // Only a schema that is too deep is refused, and a simple one is no deeper.
            let Ok(before) = before else { return Ok(()) };
            let after = after.unwrap();
            for value in values {
                prop_assert_eq!(
                    before.validate(&value).is_ok(), after.validate(&value).is_ok(),
                    "{} -> {} for {}", before.document(), simple, value
                );
            }
            prop_assert_eq!(simplify(simple.clone()), simple);
        }
    }
}
