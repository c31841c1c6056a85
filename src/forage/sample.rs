//! An input that an operation takes, made from its schema.

use serde_json::{Map, Value};

use crate::schema::Schema;

/// How deep a sample may be.
const DEPTH: usize = 6;
/// Bytes of a sample that still reads as one.
const BYTES: usize = 300;

/// What a string is where nothing says more.
const TEXT: &str = "text";
/// Its length.
const TEXT_UNITS: u64 = 4;

/// Keywords that a sample keeps by the way it is made, or is seen to keep, or that bind no
/// value.
const KEPT: [&str; 20] = [
    "$schema",
    "type",
    "title",
    "description",
    "properties",
    "required",
    "items",
    "minItems",
    "minimum",
    "format",
    "deprecated",
    "readOnly",
    "writeOnly",
    "additionalProperties",
    "maxItems",
    "uniqueItems",
    "minLength",
    "maxLength",
    "maximum",
    "$comment",
];

/// A value that `schema` takes: the author's own where there is one, and no more than what is
/// required; none when no short one is found.
#[must_use]
pub fn sample(schema: &Schema) -> Option<Value> {
    let document = schema.document();
    let mut maker = Maker { root: document, certain: true };
    let value = maker.make(document, DEPTH)?;
    (maker.certain || schema.validate(&value).is_ok()).then_some(value)
}

/// The same as short text.
pub(super) fn text(schema: &Schema) -> Option<String> {
    let text = sample(schema)?.to_string();
    (text.len() <= BYTES).then_some(text)
}

/// Makes a value, and notes whether all that binds it was looked at. Compiling a schema to
/// ask it takes a hundred times as long.
struct Maker<'a> {
    root: &'a Value,
    certain: bool,
}

impl<'a> Maker<'a> {
    fn make(&mut self, schema: &'a Value, depth: usize) -> Option<Value> {
        let depth = depth.checked_sub(1)?;
        let Value::Object(schema) = schema else {
            return (schema == &Value::Bool(true)).then(empty);
        };
        let one_of = listed_text(schema);
        let is_kept = |keyword: &str| KEPT.contains(&keyword) || keyword == "enum" && one_of;
        self.certain &= schema.keys().all(|keyword| is_kept(keyword));
        if let Some(own) = authors_own(schema) {
            return Some(own.clone());
        }
        if let Some(reference) = schema.get("$ref") {
            return self.make(self.root.pointer(reference.as_str()?.strip_prefix('#')?)?, depth);
        }
        if let Some(Value::Array(choices)) = schema.get("anyOf").or_else(|| schema.get("oneOf")) {
            return choices.iter().find_map(|choice| self.make(choice, depth));
        }
        match kind(schema) {
            "string" => Some(self.string(schema)),
            "integer" | "number" => self.number(schema),
            "boolean" => Some(Value::from(true)),
            "null" => Some(Value::Null),
            "array" => self.array(schema, depth),
            _ => self.object(schema, depth),
        }
    }

    fn string(&mut self, schema: &Map<String, Value>) -> Value {
        let bound =
            |keyword: &str, default| schema.get(keyword).map_or(Some(default), Value::as_u64);
        let (least, most) = (bound("minLength", 0), bound("maxLength", u64::MAX));
        let is_within =
            least.zip(most).is_some_and(|(least, most)| (least..=most).contains(&TEXT_UNITS));
        self.certain &= is_within;
        Value::from(TEXT)
    }

    fn number(&mut self, schema: &Map<String, Value>) -> Option<Value> {
        let bound =
            |keyword: &str, default| schema.get(keyword).map_or(Some(default), Value::as_i64);
        let (least, most) = (bound("minimum", 1), bound("maximum", i64::MAX));
        self.certain &= least.zip(most).is_some_and(|(least, most)| least <= most);
        Some(schema.get("minimum").cloned().unwrap_or_else(|| 1.into()))
    }

    fn array(&mut self, schema: &'a Map<String, Value>, depth: usize) -> Option<Value> {
        self.certain &= schema.get("maxItems").is_none();
        let least = schema.get("minItems").and_then(Value::as_u64).unwrap_or(0);
        match (least, schema.get("items")) {
            (0, _) => Some(Value::Array(Vec::new())),
            (1, Some(items)) => Some(Value::Array(vec![self.make(items, depth)?])),
            _ => None,
        }
    }

    fn object(&mut self, schema: &'a Map<String, Value>, depth: usize) -> Option<Value> {
        let Some(Value::Array(required)) = schema.get("required") else { return Some(empty()) };
        let properties = schema.get("properties");
        let mut members = Map::new();
        for key in required {
            let key = key.as_str()?;
            let declared = properties.and_then(|all| all.get(key));
            self.certain &= declared.is_some();
            members
                .insert(key.to_owned(), self.make(declared.unwrap_or(&Value::Bool(true)), depth)?);
        }
        Some(Value::Object(members))
    }
}

fn empty() -> Value {
    Value::Object(Map::new())
}

fn authors_own(schema: &Map<String, Value>) -> Option<&Value> {
    let first = |key: &str| schema.get(key).and_then(Value::as_array).and_then(|all| all.first());
    let said = first("examples").or_else(|| schema.get("default"));
    said.or_else(|| schema.get("const")).or_else(|| first("enum"))
}

/// Whether the first of the values that are listed is surely taken: it is a text, and beside
/// the list only the kind binds it.
fn listed_text(schema: &Map<String, Value>) -> bool {
    let first = schema.get("enum").and_then(|listed| listed.get(0));
    let others = ["minLength", "maxLength", "const", "default", "examples"];
    first.is_some_and(Value::is_string)
        && schema.get("type").is_none_or(|kind| kind == "string")
        && !others.iter().any(|other| schema.contains_key(*other))
}

fn kind(schema: &Map<String, Value>) -> &str {
    match schema.get("type") {
        Some(Value::String(kind)) => kind,
        Some(Value::Array(kinds)) => kinds.first().and_then(Value::as_str).unwrap_or_default(),
        _ => "object",
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::sample;
    use crate::schema::Schema;

    #[test]
    fn a_sample_is_always_what_its_schema_takes() {
        let string = json!({"type": "string"});
        for (document, expected) in [
            (json!(true), Some(json!({}))),
            (json!({"type": "object"}), Some(json!({}))),
            (json!({"properties": {"a": string}, "required": ["a"]}), Some(json!({"a": "text"}))),
            (json!({"type": "string", "minLength": 9}), None),
            (json!({"type": "string", "maxLength": 2}), None),
            (json!({"type": "string", "minLength": 4, "maxLength": 4}), Some(json!("text"))),
            (json!({"type": "string", "maxLength": 3}), None),
            (json!({"type": "string", "pattern": "^t"}), Some(json!("text"))),
            (json!({"type": "integer", "minimum": 3}), Some(json!(3))),
            (json!({"type": "integer", "minimum": 3.5}), None),
            (json!({"type": "number", "maximum": 0}), None),
            (json!({"type": "string", "default": 1}), None),
            (json!({"type": "array", "maxItems": 0, "minItems": 1, "items": true}), None),
            (json!({"type": "array", "items": string, "minItems": 1}), Some(json!(["text"]))),
            (json!({"required": ["a"], "additionalProperties": false}), None),
            (json!({"required": ["a"], "properties": {"a": {"not": {}}}}), None),
            (json!({"type": "integer", "minimum": -3, "maximum": -3}), Some(json!(-3))),
            (json!({"type": "integer", "minimum": -3, "maximum": -4}), None),
            (json!({"enum": ["x", "y"]}), Some(json!("x"))),
            (json!({"type": "string", "enum": ["x"]}), Some(json!("x"))),
            (json!({"type": "string", "enum": ["x"], "maxLength": 0}), None),
            (json!({"type": "integer", "enum": ["x"]}), None),
            (json!({"enum": ["x"], "default": 1}), None),
            (json!({"$ref": "#/$defs/a", "$defs": {"a": {"const": 4}}}), Some(json!(4))),
            (json!({"anyOf": [false, string]}), Some(json!("text"))),
            (json!(false), None),
        ] {
            let schema = Schema::new(document.clone()).unwrap();
            let made = sample(&schema);
            assert_eq!(made, expected, "{document}");
            assert!(made.is_none_or(|value| schema.validate(&value).is_ok()), "{document}");
        }
    }

    #[test]
    fn what_strings_and_numbers_are_ordinarily_bound_by_needs_no_validator() {
        let document = json!({
            "type": "object",
            "properties": {
                "query": {"type": "string", "minLength": 1, "maxLength": 100},
                "page": {"type": "integer", "minimum": 1, "maximum": 50},
                "kind": {"type": "string", "enum": ["a", "b"]},
            },
            "required": ["query", "page", "kind"],
        });
        let mut maker = super::Maker { root: &document, certain: true };
        let made = maker.make(&document, super::DEPTH);
        assert_eq!(made, Some(json!({"query": "text", "page": 1, "kind": "a"})));
        assert!(maker.certain);
    }

    /// A schema of one property with some of the keywords that a sample looks at.
    fn bound() -> impl Strategy<Value = Value> {
        let kind =
            prop::sample::select(vec!["string", "integer", "number", "array", "object", "null"]);
        let number = |keyword: &'static str| {
            prop::option::of((-1_i64..6).prop_map(move |number| (keyword, json!(number))))
        };
        let length = |keyword: &'static str| {
            prop::option::of((0_u8..6).prop_map(move |number| (keyword, json!(number))))
        };
        let listed = prop::option::of(prop::sample::select(vec![
            json!(["a"]),
            json!([1]),
            json!([null, "a"]),
        ]));
        let own = prop::option::of(prop::sample::select(vec![json!("a"), json!(2)]));
        (
            prop::option::of(kind.prop_map(|kind| ("type", json!(kind)))),
            (number("minimum"), number("maximum"), length("minLength"), length("maxLength")),
            (length("minItems"), length("maxItems")),
            listed.prop_map(|listed| listed.map(|listed| ("enum", listed))),
            own.prop_map(|own| own.map(|own| ("default", own))),
        )
            .prop_map(|(kind, (a, b, c, d), (e, f), listed, own)| {
                let all = [kind, a, b, c, d, e, f, listed, own].into_iter().flatten();
                Value::Object(all.map(|(keyword, value)| (keyword.to_owned(), value)).collect())
            })
    }

    proptest! {
        #[test]
        fn a_sample_is_taken_whatever_binds_it(one in bound()) {
            let document = json!({"type": "object", "properties": {"one": one}, "required": ["one"]});
            let schema = Schema::new(document).unwrap();
            if let Some(made) = sample(&schema) {
                prop_assert!(schema.validate(&made).is_ok(), "{made} {}", schema.text());
            }
        }
    }
}
