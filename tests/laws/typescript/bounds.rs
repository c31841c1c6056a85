//! However large or deep a schema is, its type is bounded, or refused in words.

use std::thread;

use mycelium::schema::{
    Schema,
    typescript::{ProjectionError, declare, declare_document, inline},
};
use serde_json::{Map, Value, json};

/// The stack that WebAssembly is linked with. Frames that aren't optimized are larger.
const STACK: usize = if cfg!(debug_assertions) { 4 << 20 } else { 1 << 20 };

fn on_a_small_stack(work: impl FnOnce() + Send + 'static) {
    thread::Builder::new().stack_size(STACK).spawn(work).unwrap().join().unwrap();
}

/// `count` definitions, each `of` the one before it.
fn definitions(count: usize, of: impl Fn(Value) -> Value) -> Value {
    let mut defs = Map::from_iter([("d0".to_owned(), json!({"type": "integer"}))]);
    for number in 1..=count {
        let before = json!({"$ref": format!("#/$defs/d{}", number - 1)});
        defs.insert(format!("d{number}"), of(before));
    }
    json!({"$ref": format!("#/$defs/d{count}"), "$defs": defs})
}

#[test]
fn a_declaration_is_never_longer_than_its_bound() {
    let document = json!({"enum": (0..1_000).collect::<Vec<_>>()});
    let schema = Schema::new(document).unwrap();
    let whole = declare(&schema, "T", 10_000).unwrap();
    let length = whole.text().len();
    assert_eq!(declare(&schema, "T", length).unwrap(), whole);
    let refused = declare(&schema, "T", length - 1).unwrap_err();
    assert_eq!(refused, ProjectionError::TooLarge { bound: length - 1 });
    assert_eq!(inline(&schema, 100), None);
}

#[test]
fn the_longest_way_into_a_schema_fits_a_small_stack() {
    on_a_small_stack(|| {
        let lists = definitions(120, |before| json!({"type": "array", "items": before}));
        let schema = Schema::new(lists).unwrap();
        assert_eq!(inline(&schema, 1_000).unwrap(), format!("number{}", "[]".repeat(120)));
    });
}

#[test]
fn doubling_references_that_no_schema_may_have_end_all_the_same() {
    on_a_small_stack(|| {
        for of in [
            |before: Value| json!({"allOf": [before, before]}),
            |before: Value| json!({"type": "array", "prefixItems": [before, before]}),
            |before: Value| json!({"anyOf": [before, {"type": "array", "items": before}]}),
        ] {
            let document = definitions(40, of);
            assert!(Schema::new(document.clone()).is_err());
            let refused = declare_document(&document, "T", 1 << 20).unwrap_err();
            assert!(refused.to_string().contains(": "), "{refused}");
        }
    });
}

#[test]
fn one_line_refuses_what_refers_to_itself() {
    let schema = Schema::new(json!({"type": "array", "items": {"$ref": "#"}})).unwrap();
    assert_eq!(inline(&schema, 1_000), None);
}

#[test]
fn what_is_no_schema_has_a_type_all_the_same() {
    for (document, expected) in [
        (json!(1), "type T = unknown;"),
        (json!({"type": 7, "properties": [1], "required": {}, "items": 3}), "type T = unknown;"),
        (json!({"type": "file"}), "type T = unknown;"),
        (json!({"$ref": 7, "allOf": {"a": 1}, "anyOf": "x", "enum": 3}), "type T = unknown;"),
        (
            json!({"type": "object", "properties": {"a": {"$ref": "https://x.example/y.json"}}, "required": ["a"], "additionalProperties": false}),
            "type T = {\n  a: unknown;\n};",
        ),
    ] {
        assert_eq!(declare_document(&document, "T", 1_000).unwrap().text(), expected, "{document}");
    }
}

#[test]
fn a_type_is_the_same_every_time() {
    let document = json!({
        "$defs": {"N": {"type": "object", "properties": {"next": {"$ref": "#/$defs/N"}}}, "M/N": {"type": "array", "items": {"$ref": "#/$defs/M~1N"}}},
        "type": "object", "properties": {"a": {"$ref": "#/$defs/N"}, "b": {"$ref": "#/$defs/M~1N"}},
    });
    let texts = [0; 3].map(|_| {
        let schema = Schema::new(document.clone()).unwrap();
        declare(&schema, "a$b_Input", 10_000).unwrap().text().to_owned()
    });
    assert_eq!(texts[0], texts[1]);
    assert_eq!(texts[1], texts[2]);
    assert!(texts[0].contains("\ntype a$b_Input$N = "), "{}", texts[0]);
}
