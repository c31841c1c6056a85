//! What intake costs grows with the document and with nothing else.

#![allow(clippy::disallowed_methods, reason = "it measures, and never runs in the Worker")]

use std::time::{Duration, Instant};

use mycelium::forage::openapi::{Options, normalize_open_api};
use serde_json::{Value, json};

use super::corpus::options;

/// A document whose operations reach chains of schemas, each of which refers to the one
/// before it twice. A chain has `length` schemas.
fn document(operations: usize, length: usize) -> Value {
    let mut schemas = serde_json::Map::new();
    let mut paths = serde_json::Map::new();
    for at in 0..operations {
        let before = json!({"$ref": format!("#/components/schemas/s{}", at.saturating_sub(1))});
        let schema = if at % length == 0 {
            json!({"type": "object", "properties": {"id": {"type": "string"}}})
        } else {
            json!({"type": "object", "properties": {"one": before, "other": before, "text": {"type": "string"}}})
        };
        schemas.insert(format!("s{at}"), schema);
        let content = json!({"application/json": {"schema": {"$ref": format!("#/components/schemas/s{at}")}}});
        paths.insert(
            format!("/p{at}"),
            json!({"post": {
                "requestBody": {"content": content}, "responses": {"200": {"content": content}},
            }}),
        );
    }
    json!({"openapi": "3.0.0", "paths": paths, "components": {"schemas": schemas}})
}

fn fastest(text: &str, options: &Options) -> Duration {
    let once = || {
        let start = Instant::now();
        let preview = normalize_open_api(text, options.clone()).unwrap();
        assert!(preview.offered().len() + preview.unsupported().len() >= 100);
        start.elapsed()
    };
    (0..5).map(|_| once()).min().unwrap()
}

#[test]
fn intake_grows_with_the_document() {
    for yaml in [false, true] {
        let mut times = Vec::new();
        for operations in [125, 250, 500] {
            let text = document(operations, 10).to_string();
            let text = if yaml { format!("# YAML\n{text}") } else { text };
            times.push(fastest(&text, &options(true)));
        }
        println!("openapi: intake of 125, 250, 500 operations (yaml: {yaml}): {times:?}");
        assert!(times[2] < times[0] * 6, "{times:?}");
    }
}

#[test]
fn intake_grows_with_what_operations_reach_and_not_with_what_that_expands_to() {
    // The last of them would expand to 2^500 nodes.
    let text = document(500, 500).to_string();
    let time = fastest(&text, &options(true));
    println!("openapi: intake of 500 operations that share 500 schemas: {time:?}");
    assert!(time < fastest(&document(500, 10).to_string(), &options(true)) * 20, "{time:?}");
}
