//! The deepest values against the most nested schemas, on a small stack.

use std::thread;

use mycelium::{
    json::{DEPTH, encode_output, parse_input},
    schema::{NESTED, NESTED_IN_CYCLE, Schema},
};
use serde_json::{Map, Value, json};

/// The stack that WebAssembly is linked with. Frames that aren't optimized are three times as large.
const STACK: usize = if cfg!(debug_assertions) { 4 << 20 } else { 1 << 20 };

fn on_a_small_stack(work: impl FnOnce() + Send + 'static) {
    thread::Builder::new().stack_size(STACK).spawn(work).unwrap().join().unwrap();
}

fn deep_list(leaf: &str) -> String {
    format!("{}{leaf}{}", "[".repeat(DEPTH), "]".repeat(DEPTH))
}

/// A list of itself, with as many schemas for each item as a cycle may nest.
fn recursive(choice: &str) -> Value {
    let end = json!({"$ref": "#"});
    let nested = |inner| json!({choice: [{"type": "boolean"}, inner]});
    let item = match choice {
        "allOf" => (1..NESTED_IN_CYCLE).fold(end, |inner, _| json!({"allOf": [true, inner]})),
        _ => (1..NESTED_IN_CYCLE).fold(end, |inner, _| nested(inner)),
    };
    json!({"type": ["array", "integer"], "items": item, "unevaluatedItems": {"type": "array"}})
}

#[test]
fn the_deepest_value_fits_a_small_stack() {
    for choice in ["allOf", "anyOf", "oneOf"] {
        on_a_small_stack(move || {
            let schema = Schema::new(recursive(choice)).unwrap();
            for leaf in ["1", "\"x\"", "null"] {
                let value = parse_input(&deep_list(leaf), 1_000).unwrap();
                assert_eq!(schema.validate(&value).is_ok(), leaf == "1", "{choice} {leaf}");
                assert!(encode_output(&value, 1_000).is_ok());
            }
        });
    }
}

#[test]
fn the_most_nested_schema_fits_a_small_stack() {
    on_a_small_stack(|| {
        let mut defs = Map::new();
        defs.insert("d0".to_owned(), json!({"type": "integer"}));
        for number in 1..NESTED {
            let before = format!("#/$defs/d{}", number - 1);
            defs.insert(format!("d{number}"), json!({"$ref": before}));
        }
        let last = format!("#/$defs/d{}", NESTED - 1);
        let schema = Schema::new(json!({"$ref": last, "$defs": defs})).unwrap();
        assert!(schema.validate(&json!(1)).is_ok());
        assert!(schema.validate(&json!("x")).is_err());
    });
}

#[test]
fn the_longest_way_into_a_schema_fits_a_small_stack() {
    on_a_small_stack(|| {
        let mut defs = Map::new();
        defs.insert("d0".to_owned(), json!({"type": "integer"}));
        for number in 1..=120 {
            let before = json!({"$ref": format!("#/$defs/d{}", number - 1)});
            defs.insert(format!("d{number}"), json!({"type": "array", "items": before}));
        }
        let schema = Schema::new(json!({"$ref": "#/$defs/d120", "$defs": defs})).unwrap();
        let nested = |leaf: Value| (0..120).fold(leaf, |inner, _| json!([inner]));
        assert!(schema.validate(&nested(json!(1))).is_ok());
        assert!(schema.validate(&nested(json!("x"))).is_err());
    });
}
