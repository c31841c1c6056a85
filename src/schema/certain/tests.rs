//! What is certain is so by the reader and the validator, which are asked about every text here.

mod texts;

use std::{fs, path::PathBuf};

use proptest::prelude::*;
use serde_json::{Value, json};

use super::Plan;
use crate::{
    json::{DEPTH, parse_input, parse_known},
    schema::Schema,
};
use texts::{Chance, document, guided, near};

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
    let maps = |levels: usize| format!("{}1{}", "{\"a\":".repeat(levels), "}".repeat(levels));
    let anything = schema(json!({"minProperties": 0}));
    assert!(certain(&anything, &deep(DEPTH)) && certain(&anything, &maps(DEPTH)));
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
        &maps(DEPTH + 1),
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
    assert!(taken == 0 || known > 300, "{known}");
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
    let (mut taken, mut known) = (0, 0);
    let files = corpus("mcp-tools").unwrap_or_default();
    let mut found = Vec::new();
    files.iter().for_each(|file| written(file, &["inputSchema", "outputSchema"], &mut found));
    let mut chance = Chance(2);
    for schema in found.into_iter().filter_map(|document| Schema::new(document.clone()).ok()) {
        let (more, sure) = tell(&mut chance, &schema, 12);
        (taken, known) = (taken + more, known + sure);
    }
    assert!(taken == 0 || known * 10 > taken * 9, "{known} of {taken}");
}
