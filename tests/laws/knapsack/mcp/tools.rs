//! The tools that real servers list.

use std::collections::BTreeSet;

use mycelium::{Catalog, schema::typescript::declare, testing::Reply};
use serde_json::{Value, json};

use super::fake::{Fake, Speaks, World, with};
use crate::schema::suite::{corpus, documents};

const BOUND: usize = 1 << 20;

/// Where the compiler's tests find them.
fn write(cases: &[Value]) {
    let folder = std::path::PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("target/typescript");
    std::fs::create_dir_all(&folder).unwrap();
    let text = serde_json::to_string(cases).unwrap();
    std::fs::write(folder.join("mcp-servers.json"), text).unwrap();
}

fn declared(server: &str, catalog: &Catalog) -> Vec<Value> {
    let mut cases = Vec::new();
    for entry in catalog.entries() {
        let operation = entry.operation();
        for schema in
            [Some(operation.input_schema()), operation.output_schema()].into_iter().flatten()
        {
            let declaration = declare(schema, "T", BOUND).unwrap();
            let name = format!("{server} {}", entry.path());
            cases.push(json!({"name": name, "declaration": declaration.text(), "accepts": [], "rejects": []}));
        }
    }
    cases
}

/// Each tool of each server, listed once, callable by its own name, its types to be compiled.
#[test]
fn every_tool_of_every_server_is_listed_once_described_and_called() {
    let Some(folder) = corpus("mcp-tools") else { return };
    let (mut servers, mut tools, mut wide, mut cases) = (0, 0, 0, Vec::new());
    for (server, record) in documents(&folder) {
        let pages = record["pages"].as_array().unwrap();
        let listed: Vec<Value> =
            pages.iter().flat_map(|page| page["tools"].as_array().unwrap().clone()).collect();
        let own: BTreeSet<String> =
            listed.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect();
        let fake = Fake::new(Speaks::Both, listed.clone()).answering(|called| -> Reply {
            // A tool's own schema may ask for more than this: that failure hands the name over.
            with(called, &json!({"structuredContent": {"called": called.name}}))
        });
        fake.page.set(7);
        let world = World::new(&fake);
        let catalog = world.catalog().unwrap_or_else(|error| panic!("{server}: {error}"));
        assert_eq!(catalog.entries().len(), own.len(), "{server}");
        let mut called = BTreeSet::new();
        for entry in catalog.entries() {
            let operation = entry.operation();
            assert!(operation.is_third_party());
            let input = valid(operation.input_schema());
            let path = entry.path().strip_prefix("mcp.fake.").unwrap().to_owned();
            let answer = match world.call_of(&catalog, &path, input) {
                Ok(answer) => answer,
                Err(failure) => {
                    failure.raw().unwrap_or_else(|| panic!("{server} {path}: {failure}")).clone()
                }
            };
            called.insert(answer["called"].as_str().unwrap().to_owned());
            wide += usize::from(operation.instructions().is_some());
        }
        assert_eq!(called, own, "{server}");
        (servers, tools) = (servers + 1, tools + own.len());
        cases.extend(declared(&server, &catalog));
    }
    assert_eq!((servers, tools), (20, 328));
    println!("corpus mcp-tools (servers): run {tools} passed {tools} skipped 0, {wide} by object");
    write(&cases);
}

/// A value that the schema takes.
fn valid(schema: &mycelium::Schema) -> Value {
    let (accepts, _) = crate::typescript::values::values(schema.document());
    let text = accepts.iter().map(|text| serde_json::from_str(text.as_str().unwrap()).unwrap());
    let mut values =
        text.filter(|value: &Value| value.is_object() && schema.validate(value).is_ok());
    values.next().unwrap_or_else(|| json!({}))
}
