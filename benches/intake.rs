//! How long an OpenAPI document takes to be taken in, at three sizes.
//!
//! `cargo bench --bench intake` prints a table. What takes more than six times as long for
//! four times as many operations fails.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::disallowed_methods,
    clippy::exit,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a bench that fails is one that panics"
)]

use std::{
    process::exit,
    time::{Duration, Instant},
};

use mycelium::forage::openapi::{Formats, Options, Serialization, normalize_open_api};
use serde_json::{Value, json};

const SIZES: [usize; 3] = [125, 250, 500];

/// The most that four times as many may take, in times.
const LINEAR: u32 = 6;

/// Schemas that refer to one another in a row. With the longest the last operation would
/// expand to 2^500 nodes.
const CHAINS: [usize; 2] = [10, 500];

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

fn main() {
    let mut options = Options::default();
    options.formats = Formats::Annotate;
    options.serialization = Serialization::Full;
    let mut grown = false;
    println!("| document | 125 operations | 250 | 500 |\n| --- | ---: | ---: | ---: |");
    for (name, begin) in [("JSON", ""), ("YAML", "# YAML\n")] {
        for length in CHAINS {
            let times = SIZES.map(|operations| {
                fastest(&format!("{begin}{}", document(operations, length)), &options)
            });
            grown |= times[2] > times[0] * LINEAR;
            let [small, middle, large] = times.map(|time| time.as_secs_f64() * 1e3);
            println!(
                "| {name}, chains of {length} | {small:.1} ms | {middle:.1} ms | {large:.1} ms |"
            );
        }
    }
    if grown {
        println!("intake grows faster than its document");
        exit(1);
    }
}
