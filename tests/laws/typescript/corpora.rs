//! Declares every schema of the corpora, with values that its type should take and refuse.

use std::{fs, path::PathBuf};

use mycelium::schema::{
    Schema,
    typescript::{declare, declare_document},
};
use serde_json::{Value, json};

use super::{generated, values::values};
use crate::schema::suite::{corpus, documents};

const BOUND: usize = 1 << 20;

/// Where the compiler's tests find them.
fn write(name: &str, cases: &[Value]) {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("target/typescript");
    fs::create_dir_all(&folder).unwrap();
    let text = serde_json::to_string(cases).unwrap();
    fs::write(folder.join(format!("{name}.json")), text).unwrap();
}

fn case(name: String, document: &Value, accepts: &[Value], rejects: &[Value]) -> Value {
    let declared = match Schema::new(document.clone()) {
        Ok(schema) => declare(&schema, "T", BOUND),
        Err(_) => declare_document(document, "T", BOUND),
    };
    let declaration = declared.unwrap_or_else(|error| panic!("{name}: {error}"));
    json!({"name": name, "declaration": declaration.text(), "accepts": accepts, "rejects": rejects})
}

#[test]
fn the_written_cases_are_declared() {
    let Some(folder) = corpus("guest-code") else { return };
    let file: Value =
        serde_json::from_slice(&fs::read(folder.join("ts-schemas.json")).unwrap()).unwrap();
    let list = |case: &Value, key: &str| case[key].as_array().unwrap().clone();
    let cases: Vec<_> = file["cases"]
        .as_array()
        .unwrap()
        .iter()
        .map(|written| {
            let (accepts, rejects) = (list(written, "accepts"), list(written, "rejects"));
            case(
                written["name"].as_str().unwrap().to_owned(),
                &written["schema"],
                &accepts,
                &rejects,
            )
        })
        .collect();
    assert_eq!(cases.len(), 45);
    write("ts-schemas", &cases);
}

#[test]
fn the_schemas_that_servers_publish_are_declared() {
    let Some(folder) = corpus("mcp-tools") else { return };
    let mut cases = Vec::new();
    for (server, record) in documents(&folder) {
        let pages = record["pages"].as_array().unwrap();
        for tool in pages.iter().flat_map(|page| page["tools"].as_array().unwrap()) {
            for key in
                ["inputSchema", "outputSchema"].into_iter().filter(|key| !tool[*key].is_null())
            {
                let (accepts, rejects) = values(&tool[key]);
                let name = format!("{server} {} {key}", tool["name"]);
                cases.push(case(name, &tool[key], &accepts, &rejects));
            }
        }
    }
    assert_eq!(cases.len(), 447);
    let empty: Vec<_> = cases
        .iter()
        .filter(|case| case["accepts"] == json!([]))
        .map(|case| case["name"].clone())
        .collect();
    assert!(empty.is_empty(), "no valid value was found for {empty:?}");
    write("mcp-tools", &cases);
}

#[test]
fn the_official_suite_is_declared() {
    let Some(folder) = corpus("json-schema") else { return };
    let mut cases = Vec::new();
    for (file, groups) in documents(&folder.join("tests/draft2020-12")) {
        for group in groups.as_array().unwrap() {
            let tests = group["tests"].as_array().unwrap();
            let texts = |valid: bool| {
                let tests = tests.iter().filter(|test| test["valid"] == valid);
                tests.map(|test| Value::from(test["data"].to_string())).collect::<Vec<_>>()
            };
            let name = format!("{file} / {}", group["description"].as_str().unwrap());
            cases.push(case(name, &group["schema"], &texts(true), &texts(false)));
        }
    }
    write("json-schema", &cases);
}

#[test]
fn schemas_made_by_dice_are_declared() {
    let cases: Vec<_> = generated::schemas(1_500)
        .into_iter()
        .enumerate()
        .map(|(number, document)| {
            let (accepts, rejects) = generated::values(number, &document);
            let name = format!("number {number}: {document}");
            case(name, &document, &accepts, &rejects)
        })
        .collect();
    write("generated", &cases);
}
