//! What intake costs grows with the document and with nothing else.

use std::time::{Duration, Instant};

use mycelium::forage::openapi::{Options, normalize_open_api};
use serde_json::{Value, json};

use super::corpus::options;

/// A document whose operations all reach one chain of schemas, each of which refers to
/// the one before it twice.
fn document(operations: usize) -> Value {
    let mut schemas = serde_json::Map::new();
    let mut paths = serde_json::Map::new();
    for at in 0..operations {
        let before = json!({"$ref": format!("#/components/schemas/s{}", at.saturating_sub(1))});
        let schema = if at == 0 {
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
            let text = document(operations).to_string();
            let text = if yaml { format!("# YAML\n{text}") } else { text };
            times.push(fastest(&text, &options(true)));
        }
        println!("openapi: intake of 125, 250, 500 operations (yaml: {yaml}): {times:?}");
        assert!(times[2] < times[0] * 10, "{times:?}");
    }
}
