//! What is certain is so by the reader and the validator, which are asked about every text here.

use std::{fs, path::PathBuf};

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::Plan;
use crate::{
    json::{DEPTH, parse_input, parse_known},
    schema::Schema,
};

/// Whether it is certain; what is has to be true.
fn certain(schema: &Schema, text: &str) -> bool {
    let certain = schema.certainly_takes(text);
    if certain {
        let value = parse_input(text, usize::MAX);
        let value = value.unwrap_or_else(|error| panic!("{error}: {text}"));
        let taken = schema.validate(&value);
        assert!(taken.is_ok(), "{}\n{text}\n{taken:?}", schema.text());
        let known = parse_known(text).unwrap();
        assert_eq!(known.to_string(), value.to_string(), "{text}");
    }
    certain
}

fn valid(schema: &Schema, text: &str) -> bool {
    parse_input(text, usize::MAX).is_ok_and(|value| schema.validate(&value).is_ok())
}

fn schema(document: Value) -> Schema {
    Schema::new(document).unwrap()
}

#[test]
fn ordinary_texts_are_certain() {
    for (document, text) in [
        (json!(true), r#" [1, -2.5, "x\n\u00e9", {"a": null, "b": [true, false]}] "#),
        (json!({"type": ["string", "null"], "minLength": 2, "maxLength": 3}), r#""é\n""#),
        (json!({"enum": ["a", 1, null, true]}), "1"),
        (json!({"enum": ["a", 1, null, true]}), r#""a""#),
        (json!({"const": true}), "true"),
        (json!({"type": "integer", "minimum": i64::MIN, "maximum": u64::MAX}), "-3"),
        (json!({"exclusiveMinimum": 0, "maximum": 0.3}), "0.3"),
        (json!({"prefixItems": [{"type": "string"}], "items": {"type": "integer"}}), r#"["x",1]"#),
        (json!({"anyOf": [{"type": "integer"}, {"maxLength": 1}], "title": "t"}), r#""x""#),
        (json!({"oneOf": [{"type": "integer"}, {"type": "string"}]}), r#""x""#),
        (
            json!({"allOf": [{"required": ["a"]}, {"properties": {"b": {"type": "null"}}}]}),
            r#"{"b":null,"a":1}"#,
        ),
        (
            json!({"additionalProperties": {"type": "integer"}, "minProperties": 2}),
            r#"{"x":1,"y":2}"#,
        ),
        (
            json!({"$ref": "#/$defs/n", "$defs": {"n": {"properties": {"n": {"$ref": "#/$defs/n"}}, "additionalProperties": false}}}),
            r#"{"n":{"n":{}}}"#,
        ),
        (json!({"properties": {"a": {"pattern": "x"}}}), r#"{"b":1}"#),
    ] {
        let schema = schema(document);
        assert!(certain(&schema, text), "{} {text}", schema.text());
    }
}

#[test]
fn what_is_wrong_or_odd_is_left_to_the_reader_and_the_validator() {
    let deep = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    let anything = schema(json!({"minProperties": 0}));
    assert!(certain(&anything, &deep(DEPTH)));
    for text in [
        "",
        " ",
        "1 2",
        "[1,]",
        "[,1]",
        "{\"a\":1,}",
        "{,}",
        "{\"a\"}",
        "{a:1}",
        "[1",
        "{\"a\":1",
        "\"a",
        "\"\t\"",
        "\"\\x\"",
        "\"\\u12g4\"",
        "\"\\ud800\"",
        "\"\\udc00\"",
        "\"\\",
        "\"\\u12",
        "01",
        "-",
        "-01",
        "1.",
        ".5",
        "+1",
        "1e400",
        "1e",
        "tru",
        "nul",
        "truex",
        "NaN",
        "-0",
        "18446744073709551617",
        "123456789012345678901234567890",
        "\u{feff}1",
        "[1]\u{0}",
        r#"{"a":1,"a":2}"#,
        r#"{"a":1,"\u0061":2}"#,
        r#"[{"b":{"x":1,"y":2,"x":1}}]"#,
        r#"{"__proto__":1}"#,
        r#"{"\u005f_proto__":1}"#,
        &deep(DEPTH + 1),
        &deep(100_000),
        &"{\"a\":".repeat(100_000),
    ] {
        assert!(!certain(&anything, text), "{text}");
    }
    let named = schema(json!({"properties": {"a": {}, "__proto__": {}}}));
    for text in [r#"{"a":1,"a":1}"#, r#"{"__proto__":1}"#, r#"{"a":1,"\u0061":1}"#] {
        assert!(!certain(&named, text), "{text}");
    }
}

#[test]
fn a_keyword_that_is_not_known_makes_nothing_certain() {
    for (keyword, value) in [
        ("not", json!({"type": "string"})),
        ("pattern", json!("x")),
        ("multipleOf", json!(2)),
        ("uniqueItems", json!(true)),
        ("contains", json!({"type": "string"})),
        ("patternProperties", json!({"a": {}})),
        ("propertyNames", json!({"maxLength": 1})),
        ("dependentRequired", json!({"a": ["b"]})),
        ("if", json!({"type": "string"})),
        ("unevaluatedItems", json!(false)),
        ("oneOf", json!([{"type": "number"}, {"type": "integer"}])),
        ("oneOf", json!([{"maximum": 1}, {"type": "string"}])),
    ] {
        let schema = schema(json!({keyword: value}));
        for text in ["1", "[]", "{}", "\"y\""] {
            assert!(!certain(&schema, text), "{keyword} {text}");
        }
    }
}

#[test]
fn a_pattern_that_cannot_be_compiled_is_still_told() {
    let schema = schema(json!({"properties": {"a": {"pattern": "["}}}));
    assert!(!schema.certainly_takes("{}"));
}

#[test]
fn branches_without_end_are_given_up() {
    let again = json!([{"$ref": "#"}, {"$ref": "#"}, {"$ref": "#"}]);
    for choice in ["anyOf", "allOf"] {
        let schema = schema(json!({"type": ["array", "string"], "items": {choice: again.clone()}}));
        for leaf in ["1", "\"x\""] {
            let text = format!("{}{leaf}{}", "[".repeat(100), "]".repeat(100));
            let plan = Plan::of(schema.reading().0, schema.document()).unwrap();
            // It ends, and soon: the validator alone could say more.
            assert!(!plan.certainly_takes(&text) || choice == "anyOf" && leaf == "\"x\"");
        }
    }
}

/// Numbers without end, from a seed.
struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((self.0 >> 33) % u64::try_from(bound.max(1)).unwrap()).unwrap()
    }

    fn one<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }
}

const NAMES: [&str; 5] = ["a", "b", "id", "é", "kind"];
const STRINGS: [&str; 7] = ["", "a", "b", "é😀", "\n", "long enough a text", "\u{7f}\"\\"];

fn leaf(chance: &mut Chance) -> Value {
    match chance.below(9) {
        0 => json!(null),
        1 => json!(chance.below(2) == 0),
        2 => json!(chance.below(5)),
        3 => json!(-3),
        4 => json!(f64::from(u32::try_from(chance.below(9)).unwrap()) / 4.0),
        5 => chance
            .one(&[
                json!(u64::MAX),
                json!(9_007_199_254_740_993_u64),
                json!(0.1),
                json!(1e300),
                json!(5.0),
            ])
            .clone(),
        _ => json!(chance.one(&STRINGS)),
    }
}

/// A document of the known keywords and a few others.
fn document(chance: &mut Chance, levels: usize) -> Value {
    if levels == 0 || chance.below(12) == 0 {
        return chance
            .one(&[
                json!(true),
                json!({}),
                json!({"type": "string"}),
                json!({"$ref": "#/$defs/d"}),
                json!(false),
            ])
            .clone();
    }
    let mut made = Map::new();
    for _ in 0..1 + chance.below(3) {
        let below = levels - 1;
        let count = 1 + chance.below(3);
        let (keyword, value) = match chance.below(21) {
            0..=3 => {
                (
                    "type",
                    json!(chance.one(&[
                        "object", "array", "string", "number", "integer", "null", "boolean"
                    ])),
                )
            }
            4 => ("type", json!(["array", "object", "string", "integer"])),
            5..=7 => (
                "properties",
                Value::Object(
                    NAMES
                        .iter()
                        .take(count)
                        .map(|name| ((*name).to_owned(), document(chance, below)))
                        .collect(),
                ),
            ),
            8 => ("required", json!(NAMES[..count])),
            9 => ("additionalProperties", document(chance, below)),
            10 => ("items", document(chance, below)),
            11 => ("prefixItems", (0..count).map(|_| document(chance, below)).collect()),
            12 => ("anyOf", (0..count).map(|_| document(chance, below)).collect()),
            13 => ("oneOf", (0..count).map(|_| document(chance, below)).collect()),
            14 => ("allOf", (0..count).map(|_| document(chance, below)).collect()),
            15 => ("enum", json!([leaf(chance), "q", 7.0, [1]])),
            16 => ("const", leaf(chance)),
            17 => (
                *chance.one(&[
                    "minLength",
                    "maxLength",
                    "minItems",
                    "maxItems",
                    "minProperties",
                    "maxProperties",
                ]),
                json!(chance.below(4)),
            ),
            18 => (
                *chance.one(&["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"]),
                chance
                    .one(&[json!(0), json!(1), json!(0.5), json!(-3), json!(u64::MAX), json!(0.1)])
                    .clone(),
            ),
            19 => ("$ref", json!("#/$defs/d")),
            _ => chance
                .one(&[
                    ("not", json!({"type": "null"})),
                    ("uniqueItems", json!(true)),
                    ("multipleOf", json!(2)),
                    ("format", json!("date")),
                    ("propertyNames", json!({"type": "string"})),
                ])
                .clone(),
        };
        made.insert(keyword.to_owned(), value);
    }
    Value::Object(made)
}

/// A value that the schema may well take.
fn guided(chance: &mut Chance, root: &Value, schema: &Value, levels: usize) -> Value {
    let Some(keywords) = schema.as_object().filter(|_| levels > 0) else { return leaf(chance) };
    if let Some(target) = keywords.get("$ref").and_then(Value::as_str) {
        let target = root.pointer(target.trim_start_matches('#')).unwrap_or(&Value::Null);
        return guided(chance, root, target, levels - 1);
    }
    if let Some(value) = keywords.get("const") {
        return value.clone();
    }
    for listed in ["enum", "anyOf", "oneOf", "allOf"] {
        if let Some(all) =
            keywords.get(listed).and_then(Value::as_array).filter(|_| chance.below(4) > 0)
        {
            let one = chance.one(all);
            return if listed == "enum" {
                one.clone()
            } else {
                guided(chance, root, one, levels - 1)
            };
        }
    }
    let kind = match keywords.get("type") {
        Some(Value::Array(all)) => chance.one(all).clone(),
        Some(one) => one.clone(),
        None if keywords.contains_key("properties") => json!("object"),
        None if keywords.contains_key("items") => json!("array"),
        None => return leaf(chance),
    };
    match kind.as_str().unwrap_or_default() {
        "object" => {
            let mut made = Map::new();
            let required = keywords.get("required").and_then(Value::as_array);
            for name in required.into_iter().flatten().filter_map(Value::as_str) {
                made.insert(name.to_owned(), leaf(chance));
            }
            for (name, held) in
                keywords.get("properties").and_then(Value::as_object).into_iter().flatten()
            {
                if made.contains_key(name) || chance.below(3) > 0 {
                    made.insert(name.clone(), guided(chance, root, held, levels - 1));
                }
            }
            if chance.below(4) == 0 {
                made.insert("more".to_owned(), leaf(chance));
            }
            Value::Object(made)
        }
        "array" => {
            let held = keywords.get("items").unwrap_or(&Value::Null);
            (0..chance.below(4)).map(|_| guided(chance, root, held, levels - 1)).collect()
        }
        "string" => json!(chance.one(&STRINGS)),
        "integer" => json!(chance.below(9)),
        "number" => json!(f64::from(u32::try_from(chance.below(9)).unwrap()) / 4.0),
        "boolean" => json!(true),
        _ => json!(null),
    }
}

/// The text with one thing changed, taken out or put in.
fn near(chance: &mut Chance, text: &str) -> String {
    let mut all: Vec<char> = text.chars().collect();
    let at = chance.below(all.len());
    match chance.below(4) {
        0 => drop(all.drain(at..at + usize::from(!all.is_empty()))),
        1 => all.insert(
            at,
            *chance.one(&['"', '\\', ',', ':', '0', '1', '.', 'e', '-', '{', ']', ' ', 'é', '\n']),
        ),
        2 => {
            // A member or an item twice.
            let end = (at + 1 + chance.below(12)).min(all.len());
            let part: Vec<char> = all.get(at..end).unwrap_or_default().to_vec();
            all.splice(at..at, part);
        }
        _ => {
            if let Some(held) = all.get_mut(at) {
                *held = *chance.one(&['"', 'u', '}', '5', ' ', 'a', 'b']);
            }
        }
    }
    all.into_iter().collect()
}

/// How many texts are valid, and how many of them certain; near misses are looked at too.
fn tell(chance: &mut Chance, schema: &Schema, values: usize) -> (usize, usize) {
    let (mut taken, mut known) = (0, 0);
    for _ in 0..values {
        let value = guided(chance, schema.document(), schema.document(), 6);
        for text in [value.to_string(), serde_json::to_string_pretty(&value).unwrap()] {
            known += usize::from(certain(schema, &text));
            taken += usize::from(valid(schema, &text));
            for _ in 0..4 {
                certain(schema, &near(chance, &text));
            }
        }
    }
    (taken, known)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn what_is_certain_of_any_schema_is_true(seed: u64, seventh: bool) {
        let mut chance = Chance(seed);
        let mut made = document(&mut chance, 3);
        if let Some(keywords) = made.as_object_mut() {
            keywords.insert("$defs".to_owned(), json!({"d": document(&mut chance, 2)}));
            if seventh {
                keywords.insert("$schema".to_owned(), json!("http://json-schema.org/draft-07/schema#"));
            }
        }
        if let Ok(schema) = Schema::new(made) {
            tell(&mut chance, &schema, 6);
        }
    }
}

/// A folder beside the checkout.
fn corpus(name: &str) -> Option<Vec<Value>> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/corpora").join(name);
    let files = fs::read_dir(folder).ok()?.map(|file| file.unwrap().path());
    Some(
        files
            .filter(|path| path.is_file())
            .map(|path| serde_json::from_slice(&fs::read(path).unwrap()).unwrap())
            .collect(),
    )
}

#[test]
fn what_is_certain_in_the_official_suite_is_true() {
    let (mut taken, mut known) = (0, 0);
    let mut chance = Chance(1);
    for group in corpus("json-schema/tests/draft2020-12")
        .iter()
        .flatten()
        .flat_map(|file| file.as_array().unwrap())
    {
        let Ok(schema) = Schema::new(group["schema"].clone()) else { continue };
        for test in group["tests"].as_array().unwrap() {
            let text = test["data"].to_string();
            taken += usize::from(valid(&schema, &text));
            known += usize::from(certain(&schema, &text));
            for _ in 0..20 {
                certain(&schema, &near(&mut chance, &text));
            }
        }
    }
    println!("the official suite: of {taken} valid texts {known} certain");
    assert!(taken == 0 || known > 150, "{known}");
}

/// Every schema that is written somewhere in a value under one of the names.
fn written<'a>(value: &'a Value, names: &[&str], found: &mut Vec<&'a Value>) {
    match value {
        Value::Object(members) => {
            for (name, held) in members {
                if names.contains(&name.as_str()) {
                    found.push(held);
                }
                written(held, names, found);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| written(item, names, found)),
        _ => {}
    }
}

#[test]
fn what_is_certain_of_published_tools_is_true_and_most_is() {
    let (mut taken, mut known, mut schemas) = (0, 0, 0);
    let files = corpus("mcp-tools").unwrap_or_default();
    let mut found = Vec::new();
    files.iter().for_each(|file| written(file, &["inputSchema", "outputSchema"], &mut found));
    let mut chance = Chance(2);
    for schema in found.into_iter().filter_map(|document| Schema::new(document.clone()).ok()) {
        let (more, sure) = tell(&mut chance, &schema, 12);
        (taken, known, schemas) = (taken + more, known + sure, schemas + 1);
    }
    println!("{schemas} published schemas: of {taken} valid texts {known} certain");
    assert!(taken == 0 || known * 10 > taken * 7, "{known} of {taken}");
}
