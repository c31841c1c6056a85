//! Stored tables: what is taken, and that nothing else is.

use mycelium::forage::openapi::{Options, Table, TableError, parse_open_api_table};
use serde_json::{Value, json};

use super::world::{document, parameter, taken};

fn paths(count: usize) -> Value {
    let item = |at: usize| {
        (
            format!("/p{at}/{{id}}"),
            json!({"get": {
                "operationId": format!("op{at}"),
                "parameters": [parameter("id", "path", &json!({"type": "integer"})), parameter("q", "query", &json!({"type": "string"}))],
                "responses": {"200": {"content": {"application/json": {"schema": {"type": "object"}}}}},
            }}),
        )
    };
    Value::Object((0..count).map(item).collect())
}

fn table(count: usize) -> Result<Table, String> {
    let preview = taken(&document(&paths(count)), Options::default());
    let selectors: Vec<_> = preview.offered().iter().map(|found| found.selector.clone()).collect();
    preview.select(&selectors).map_err(|error| error.to_string())
}

#[test]
fn a_table_has_1_to_64_operations() {
    assert!(table(1).is_ok() && table(64).is_ok());
    assert!(table(65).unwrap_err().contains("1 to 64"));
    assert_eq!(parse_open_api_table(&json!([])), Err(TableError::Count { count: 0 }));
    assert!(matches!(parse_open_api_table(&json!({})), Err(TableError::Malformed { .. })));
}

#[test]
fn a_table_has_at_most_512_kib() {
    let operations = |bytes: usize| {
        let mut operations: Vec<Value> =
            serde_json::from_str::<Value>(table(64).unwrap().to_json()).unwrap()["operations"]
                .as_array()
                .unwrap()
                .clone();
        for operation in &mut operations {
            let text = "d".repeat(2_000);
            operation["output"] = json!({"anyOf": vec![json!({"type": "object", "description": text}); bytes / 64 / 2_050]});
        }
        parse_open_api_table(&Value::Array(operations))
    };
    assert!(operations(400 * 1_024).is_ok());
    assert!(matches!(operations(600 * 1_024), Err(TableError::TooLarge { .. })));
}

#[test]
fn the_digest_is_of_the_operations_in_whatever_order() {
    let preview = taken(&document(&paths(3)), Options::default());
    let one = preview.select(&["GET /p0/{id}", "GET /p2/{id}", "GET /p1/{id}"]).unwrap();
    let other = preview.select(&["GET /p2/{id}", "GET /p1/{id}", "GET /p0/{id}"]).unwrap();
    assert_eq!((one.digest(), one.to_json()), (other.digest(), other.to_json()));
    let fewer = preview.select(&["GET /p2/{id}", "GET /p1/{id}"]).unwrap();
    assert_ne!(one.digest(), fewer.digest());
    assert_eq!(one.digest().to_string().len(), 64);
    // Stable: the same for ever, as long as the form is of this version.
    let known = preview.select(&["GET /p0/{id}"]).unwrap().digest().to_string();
    assert_eq!(known, STABLE);
}

/// The digest of the first operation.
const STABLE: &str = "30ed145c0445493aacdb0bfbdd37c5ee29b4bbf7b839fd642ffb1ba53a973a74";

#[test]
fn two_operations_of_one_name_are_refused() {
    let stored: Value = serde_json::from_str(table(2).unwrap().to_json()).unwrap();
    let mut operations = stored["operations"].as_array().unwrap().clone();
    operations[1]["name"] = operations[0]["name"].clone();
    let refused = parse_open_api_table(&Value::Array(operations.clone())).unwrap_err();
    assert_eq!(refused, TableError::Duplicate { name: "op0".to_owned() });
    operations[1] = operations[0].clone();
    operations[1]["name"] = json!("other");
    assert!(matches!(
        parse_open_api_table(&Value::Array(operations)),
        Err(TableError::Duplicate { .. })
    ));
}

#[test]
fn a_table_that_was_tampered_with_is_refused() {
    let text = table(2).unwrap().to_json().to_owned();
    assert!(Table::read(&text).is_ok());
    assert_eq!(Table::read(&text.replace("op0", "op9")), Err(TableError::Tampered {}));
    for (part, other) in [
        ("/p0/{id}", "//evil.example/{id}"),
        ("\"GET\"", "\"TRACE\""),
        ("\"GET\"", "\"get\""),
        ("\"version\":1", "\"version\":2"),
        ("\"thirdParty\":true", "\"thirdParty\":false"),
        ("\"style\":\"form\"", "\"style\":\"matrix\""),
        ("\"in\":\"query\"", "\"in\":\"cookie\""),
        ("\"additionalProperties\":false", "\"additionalProperties\":true"),
        ("\"op0\"", "\"then\""),
        ("\"op0\"", "\"__proto__\""),
        ("\"answer\":\"json\"", "\"answer\":\"json\",\"server\":\"https://evil.example\""),
        ("\"type\":\"integer\"", "\"type\":\"integer\",\"pattern\":\"a\""),
        ("\"type\":\"integer\"", "\"$ref\":\"#\""),
        ("\"required\":true", "\"required\":false"),
    ] {
        let changed = text.replacen(part, other, 1);
        assert_ne!(changed, text, "{part}");
        let refused = Table::read(&changed).unwrap_err();
        assert!(
            !matches!(refused, TableError::Tampered {}),
            "{other}: refused by its own rule: {refused}"
        );
    }
    for cut in [0, 1, text.len() / 2, text.len() - 1] {
        assert!(matches!(Table::read(&text[..cut]), Err(TableError::Malformed { .. })));
    }
}

#[test]
fn a_header_parameter_in_a_table_is_one_that_a_program_may_send() {
    let stored: Value = serde_json::from_str(table(1).unwrap().to_json()).unwrap();
    for (name, sound) in [
        ("X-Trace", true),
        ("Authorization", false),
        ("Cookie", false),
        ("a b", false),
        ("x-forwarded-for", false),
    ] {
        let mut operations = stored["operations"].clone();
        let parameter = json!({"name": name, "input": "h", "in": "header", "style": "simple", "explode": false, "required": false});
        operations[0]["parameters"].as_array_mut().unwrap().push(parameter);
        operations[0]["input"]["properties"]["h"] = json!({"type": "string"});
        assert_eq!(parse_open_api_table(&operations).is_ok(), sound, "{name}");
    }
}
