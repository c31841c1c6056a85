//! What went wrong elsewhere, each as a law here.

use mycelium::forage::openapi::{Options, Serialization};
use serde_json::{Value, json};

use super::{
    corpus::options,
    world::{codes, connected, document, document_30, parameter, taken, url},
};

fn string() -> Value {
    json!({"type": "string"})
}

#[test]
fn a_referenced_parameter_and_one_on_the_path_item_are_sent() {
    let mut api = document(&json!({"/repos/{owner}/{repo}": {
        "parameters": [parameter("owner", "path", &string())],
        "get": {"parameters": [{"$ref": "#/components/parameters/repo"}], "responses": {}},
    }}));
    api["components"]["parameters"]["repo"] = parameter("repo", "path", &string());
    let sent = url(&api, Options::default(), json!({"owner": "a", "repo": "b"}));
    assert_eq!(sent.as_deref(), Ok("/repos/a/b"));
}

#[test]
fn two_operations_never_share_a_name() {
    let get = |id: &str| json!({"get": {"operationId": id, "responses": {}}});
    let api =
        document(&json!({"/a": get("repos/get"), "/b": get("repos.get"), "/c": get("repos_get")}));
    let preview = taken(&api, Options::default());
    let mut names: Vec<_> = preview.offered().iter().map(|found| found.name.as_str()).collect();
    names.sort_unstable();
    assert_eq!(names, ["repos_get", "repos_get_2", "repos_get_3"]);
    // By the order of the ids: `.` before `/` before `_`.
    let of = |selector: &str| {
        preview.offered().iter().find(|found| found.selector == selector).unwrap().name.clone()
    };
    assert_eq!((of("GET /b"), of("GET /a"), of("GET /c")).0, "repos_get");
}

#[test]
fn no_json_body_is_dropped_whatever_its_media_type() {
    for media in ["application/vnd.api+json", "application/json; charset=utf-8", "application/json"]
    {
        let mut api = document(&json!({"/v": {"post": {
            "requestBody": {"$ref": "#/components/requestBodies/B"}, "responses": {},
        }}}));
        api["components"]["requestBodies"]["B"] =
            json!({"content": {media: {"schema": {"type": "object"}}}});
        let connected = connected(&api, Options::default());
        connected.call(json!({"body": {"a": 1}})).unwrap();
        let sent = connected.sent();
        assert_eq!(sent.body.as_deref(), Some(br#"{"a":1}"#.as_slice()));
        assert!(sent.headers.contains(&("content-type".to_owned(), media.to_owned())));
    }
}

#[test]
fn a_body_that_is_not_sent_makes_the_operation_unsupported() {
    for media in ["multipart/form-data", "application/xml", "application/octet-stream"] {
        let api = document(&json!({"/v": {"post": {
            "requestBody": {"content": {media: {"schema": {"type": "object"}}}}, "responses": {},
        }}}));
        assert_eq!(codes(&api, Options::default(), "POST /v"), ["body-media"], "{media}");
    }
}

#[test]
fn one_name_in_two_places_is_two_inputs() {
    let api = document(&json!({"/u/{id}": {"post": {
        "parameters": [
            parameter("id", "path", &string()),
            parameter("id", "query", &json!({"type": "integer"})),
            parameter("body", "query", &string()),
        ],
        "requestBody": {"content": {"application/json": {"schema": {"type": "object"}}}},
        "responses": {},
    }}}));
    let connected = connected(&api, Options::default());
    let input = json!({"path_id": "a", "query_id": 7, "query_body": "q", "request_body": {"x": 1}});
    connected.call(input).unwrap();
    let sent = connected.sent();
    assert!(sent.url.ends_with("/u/a?id=7&body=q"), "{}", sent.url);
    assert_eq!(sent.body.as_deref(), Some(br#"{"x":1}"#.as_slice()));
}

#[test]
fn no_path_value_climbs_and_none_is_missing() {
    let api = document(&json!({"/u/{id}": {"get": {
        "parameters": [parameter("id", "path", &string())], "responses": {},
    }}}));
    for value in ["..", ".", ""] {
        let refused = url(&api, Options::default(), json!({"id": value})).unwrap_err();
        assert_eq!(refused.code(), "input-invalid", "{refused}");
        assert!(refused.to_string().contains("/id"), "{refused}");
    }
    for (value, expected) in
        [("a/b", "/u/a%2Fb"), ("%2e%2e", "/u/%252e%252e"), ("a?b#c", "/u/a%3Fb%23c")]
    {
        assert_eq!(url(&api, Options::default(), json!({"id": value})).as_deref(), Ok(expected));
    }
    assert_eq!(url(&api, Options::default(), json!({})).unwrap_err().code(), "input-invalid");
}

#[test]
fn a_placeholder_that_occurs_twice_is_filled_twice() {
    let api = document(&json!({"/a/{a}/{a}": {"get": {
        "parameters": [parameter("a", "path", &string())], "responses": {},
    }}}));
    assert_eq!(url(&api, Options::default(), json!({"a": "1"})).as_deref(), Ok("/a/1/1"));
}

#[test]
fn a_header_value_ends_no_line() {
    let api = document(&json!({"/h": {"get": {
        "parameters": [parameter("X-Trace", "header", &string())], "responses": {},
    }}}));
    for value in ["a\r\nX-Evil: 1", "a\nb", "\r"] {
        let refused = url(&api, Options::default(), json!({"X-Trace": value})).unwrap_err();
        assert_eq!(refused.code(), "input-invalid", "{refused}");
    }
    let connected = connected(&api, Options::default());
    connected.call(json!({"X-Trace": "a b"})).unwrap();
    assert!(connected.sent().headers.contains(&("X-Trace".to_owned(), "a b".to_owned())));
}

#[test]
fn lists_maps_cookies_and_content_are_said_or_named_as_reasons() {
    let one = |parameter: Value| {
        document(&json!({"/l": {"get": {"parameters": [parameter], "responses": {}}}}))
    };
    let list = json!({"type": "array", "items": {"type": "string"}});
    let map = json!({"type": "object", "properties": {"a": {"type": "string"}}});
    let mut deep = parameter("filter", "query", &map);
    deep["style"] = json!("deepObject");
    let content =
        json!({"name": "c", "in": "query", "content": {"application/json": {"schema": map}}});
    let mut reserved = parameter("r", "query", &string());
    reserved["allowReserved"] = json!(true);
    let mut cookie = parameter("sid", "cookie", &string());
    cookie["required"] = json!(true);
    for (parameter, simple, full) in [
        (parameter("ids", "query", &list), Some("parameter-not-scalar"), None),
        (deep, Some("parameter-style"), None),
        (content, Some("parameter-content"), None),
        (reserved, Some("parameter-allow-reserved"), Some("parameter-allow-reserved")),
        (cookie, Some("parameter-cookie"), Some("parameter-cookie")),
    ] {
        let api = one(parameter);
        let expected: Vec<_> = simple.into_iter().collect();
        assert_eq!(codes(&api, Options::default(), "GET /l"), expected);
        let expected: Vec<_> = full.into_iter().collect();
        assert_eq!(codes(&api, options(true), "GET /l"), expected);
    }
}

#[test]
fn no_operation_is_named_like_what_a_promise_looks_for() {
    let mut paths = json!({});
    for id in ["then", "describe", "search", "list", "constructor", "toString", "__proto__", "call"]
    {
        paths[format!("/{id}")] = json!({"get": {"operationId": id, "responses": {}}});
    }
    let preview = taken(&document(&paths), Options::default());
    assert_eq!(preview.offered().len(), 8);
    for offered in preview.offered() {
        assert!(offered.name.ends_with("_2") || offered.name == "proto", "{}", offered.name);
    }
}

#[test]
fn a_recursive_schema_is_a_reason_and_no_widening() {
    for holder in ["requestBody", "responses"] {
        let schema = json!({"content": {"application/json": {"schema": {"$ref": "#/components/schemas/N"}}}});
        let mut operation = json!({"responses": {}});
        match holder {
            "requestBody" => operation["requestBody"] = schema,
            _ => operation["responses"]["200"] = schema,
        }
        let mut api = document(&json!({"/rec": {"post": operation}}));
        api["components"]["schemas"]["N"] = json!({"type": "object", "properties": {
            "children": {"type": "array", "items": {"$ref": "#/components/schemas/N"}},
        }});
        assert_eq!(codes(&api, Options::default(), "POST /rec"), ["schema-recursive"]);
    }
}

#[test]
fn an_output_has_a_type() {
    let api = document(&json!({"/o": {"get": {"responses": {"200": {"content": {
        "application/json": {"schema": {"type": "object", "properties": {"id": {"type": "integer"}}}},
    }}}}}}));
    let table = taken(&api, Options::default()).select(&["GET /o"]).unwrap();
    assert_eq!(table.entries()[0].output.as_ref().unwrap()["properties"]["id"]["type"], "integer");
}

#[test]
fn one_broken_reference_costs_one_operation() {
    let api = document(&json!({
        "/broken": {"get": {"parameters": [{"$ref": "#/components/parameters/none"}], "responses": {}}},
        "/nested": {"get": {"responses": {"200": {"content": {"application/json": {"schema":
            {"type": "array", "items": {"$ref": "#/components/schemas/None"}}}}}}}},
        "/sound": {"get": {"responses": {}}},
    }));
    assert_eq!(codes(&api, Options::default(), "GET /broken"), ["reference-broken"]);
    assert_eq!(codes(&api, Options::default(), "GET /nested"), ["reference-broken"]);
    assert!(codes(&api, Options::default(), "GET /sound").is_empty());
}

#[test]
fn a_filter_is_never_sent_as_object_object() {
    let mut deep = parameter(
        "filter",
        "query",
        &json!({"type": "object", "additionalProperties": {"type": "string"}}),
    );
    deep["style"] = json!("deepObject");
    deep["explode"] = json!(true);
    let mut list =
        parameter("ids", "query", &json!({"type": "array", "items": {"type": "integer"}}));
    list["explode"] = json!(false);
    let api = document(&json!({"/l": {"get": {"parameters": [deep, list], "responses": {}}}}));
    let mut options = Options::default();
    options.serialization = Serialization::Full;
    let sent = url(&api, options.clone(), json!({"filter": {"a b": "c&d"}, "ids": [1, 2]}));
    assert_eq!(sent.as_deref(), Ok("/l?filter%5Ba%20b%5D=c%26d&ids=1,2"));
    let refused = url(&api, options, json!({"filter": {}})).unwrap_err();
    assert_eq!(refused.code(), "input-invalid");
}

#[test]
fn a_document_is_not_blown_up_by_its_own_references() {
    let mut schemas = json!({"s0": {"type": "string"}});
    for number in 1..40 {
        let before = json!({"$ref": format!("#/components/schemas/s{}", number - 1)});
        schemas[format!("s{number}")] =
            json!({"type": "object", "properties": {"a": before, "b": before}});
    }
    let ok = |number: usize| {
        json!({"get": {"responses": {"200": {"content": {"application/json": {
        "schema": {"$ref": format!("#/components/schemas/s{number}")}}}}}}})
    };
    let mut api = document_30(&json!({"/small": ok(5), "/large": ok(39)}));
    api["components"]["schemas"] = schemas;
    assert!(codes(&api, Options::default(), "GET /small").is_empty());
    let large = codes(&api, Options::default(), "GET /large");
    assert!(large.contains(&"schema-too-large"), "{large:?}");
}
