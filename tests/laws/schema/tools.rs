//! The schemas that real MCP servers publish.

use mycelium::schema::Schema;
use serde_json::{Value, json};

use super::suite::{corpus, documents};

fn schemas(record: &Value) -> Vec<(String, Value)> {
    let pages = record["pages"].as_array().unwrap();
    let tools = pages.iter().flat_map(|page| page["tools"].as_array().unwrap());
    let held = tools.flat_map(|tool| {
        ["inputSchema", "outputSchema"].map(|key| (tool["name"].to_string(), tool[key].clone()))
    });
    held.filter(|(_, schema)| !schema.is_null()).collect()
}

#[test]
fn every_published_schema_is_taken() {
    let Some(folder) = corpus("mcp-tools") else { return };
    let mut run = 0;
    for (server, record) in documents(&folder) {
        for (tool, document) in schemas(&record) {
            run += 1;
            let schema =
                Schema::new(document).unwrap_or_else(|error| panic!("{server} {tool}: {error}"));
            assert!(schema.validate(&json!(1)).is_err(), "{server} {tool}");
        }
    }
    println!("corpus mcp-tools (schemas): run {run} passed {run} skipped 0");
    assert_eq!(run, 447);
}
