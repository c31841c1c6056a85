//! Which documents and operations are taken in, rule by rule.

use mycelium::forage::openapi::{
    AuthHint, Formats, Options, Refusal, Serialization, ServerHint, Table, normalize_open_api,
};
use serde_json::{Value, json};

use super::{
    corpus::options,
    world::{codes, connected, document, document_30, parameter, taken, url},
};

fn refusal(text: &str) -> Refusal {
    normalize_open_api(text, Options::default()).unwrap_err()
}

fn get(operation: Value) -> Value {
    document(&json!({"/x": {"get": operation}}))
}

fn strict() -> Options {
    Options::default()
}

#[test]
fn json_and_yaml_say_the_same() {
    let yaml = "openapi: 3.0.3\npaths:\n  /a:\n    get:\n      operationId: a\n      responses:\n        200:\n          description: 'yes'\n          content:\n            application/json: {schema: {type: object, nullable: true}}\n";
    let json = json!({"openapi": "3.0.3", "paths": {"/a": {"get": {"operationId": "a", "responses": {
        "200": {"description": "yes", "content": {"application/json": {
            "schema": {"type": "object", "nullable": true}}}}}}}}});
    let table =
        |text: &str| normalize_open_api(text, strict()).unwrap().select(&["GET /a"]).unwrap();
    assert_eq!(table(yaml), table(&json.to_string()));
    assert_eq!(table(yaml).entries()[0].output, Some(json!({"type": ["object", "null"]})));
    assert_eq!(table(&format!("\u{feff}{json}")), table(yaml));
}

#[test]
fn swagger_2_is_to_be_converted_first() {
    for text in ["swagger: '2.0'\npaths: {}", r#"{"swagger": "2.0", "openapi": "3.0.0"}"#] {
        let refused = refusal(text);
        assert_eq!(refused, Refusal::Swagger {});
        assert!(refused.to_string().contains("convert it to OpenAPI 3.0 or 3.1 first"));
    }
}

#[test]
fn other_versions_are_refused() {
    for version in [
        json!("3.2.0"),
        json!("2.0"),
        json!("4.0.0"),
        json!(3.0),
        json!("3.0"),
        json!("3.1.x"),
        json!(null),
    ] {
        let text = json!({"openapi": version, "paths": {}}).to_string();
        assert!(matches!(refusal(&text), Refusal::Version { .. }), "{version}");
    }
    for version in ["3.0.0", "3.0.4", "3.1.0", "3.1.1", "3.1.0-rc1"] {
        let text = json!({"openapi": version, "paths": {}}).to_string();
        assert!(normalize_open_api(&text, strict()).is_ok(), "{version}");
    }
}

#[test]
fn no_text_makes_more_than_a_refusal() {
    for text in [
        "",
        " ",
        "null",
        "1",
        "[]",
        "\"a\"",
        "{",
        "{}",
        "{\"openapi\":",
        "a: b: c",
        "- a",
        "\t",
        "\u{feff}",
        "openapi: 3.0.0\nopenapi: 3.0.0",
        "? [a]\n: b",
        "a: !!binary x",
        "a: !x y",
        "a: .inf",
        "%YAML 9\n---\n",
        "a: b\n---\nc: d",
        "<<: {a: b}",
        "a: 99999999999999999999",
        "\u{0}",
    ] {
        let refused = refusal(text);
        assert!(refused.to_string().len() > 20, "{text:?}: {refused}");
    }
    let twice = r#"{"openapi": "3.0.0", "paths": {}, "paths": {}}"#;
    assert!(matches!(refusal(twice), Refusal::Syntax { .. }));
    for (yaml, place) in [("a: 1\nb: &x 2\nc: *x\nd: [*x]\n", (3, 4, 2)), ("*a", (1, 1, 1))] {
        match refusal(yaml) {
            Refusal::Alias { line, column, count } => assert_eq!((line, column, count), place),
            // An alias to nothing is no YAML at all.
            Refusal::Syntax { .. } => assert_eq!(yaml, "*a"),
            other => panic!("{other}"),
        }
    }
}

fn with_nodes(nodes: usize) -> String {
    let rest = nodes - 4;
    json!({"openapi": "3.0.0", "paths": {}, "x-a": vec![0; rest]}).to_string()
}

fn with_depth(depth: usize) -> Value {
    let inner = (0..depth - 2).fold(json!(1), |inner, _| json!([inner]));
    json!({"openapi": "3.0.0", "paths": {}, "x-a": inner})
}

#[test]
fn a_document_has_at_most_2_mib_32_levels_50_000_nodes_and_500_operations() {
    assert!(normalize_open_api(&with_nodes(50_000), strict()).is_ok());
    assert_eq!(refusal(&with_nodes(50_001)), Refusal::TooManyNodes {});
    let as_yaml = |text: String| format!("# YAML\n{text}");
    assert!(normalize_open_api(&as_yaml(with_nodes(50_000)), strict()).is_ok());
    assert_eq!(refusal(&as_yaml(with_nodes(50_001))), Refusal::TooManyNodes {});
    for yaml in [false, true] {
        let text = |depth| {
            let text = with_depth(depth).to_string();
            if yaml { as_yaml(text) } else { text }
        };
        assert!(normalize_open_api(&text(32), strict()).is_ok());
        assert_eq!(refusal(&text(33)), Refusal::TooDeep {});
    }
    let padded = |bytes: usize| {
        let start = r#"{"openapi": "3.0.0", "paths": {}, "x": ""#;
        format!("{start}{}\"}}", "a".repeat(bytes - start.len() - 2))
    };
    assert!(normalize_open_api(&padded(2 * 1_024 * 1_024), strict()).is_ok());
    let bytes = 2 * 1_024 * 1_024 + 1;
    assert_eq!(refusal(&padded(bytes)), Refusal::TooLarge { bytes });
    let operations = |count: usize| {
        let paths: serde_json::Map<_, _> =
            (0..count).map(|at| (format!("/p{at}"), json!({"get": {}}))).collect();
        document(&Value::Object(paths)).to_string()
    };
    assert!(normalize_open_api(&operations(500), strict()).is_ok());
    assert_eq!(refusal(&operations(501)), Refusal::TooManyOperations { count: 501 });
}

#[test]
fn depth_is_refused_before_anything_recurses() {
    for open in ["[", "{\"a\":", "- ", "? "] {
        let deep = open.repeat(2 * 1_024 * 1_024 / open.len());
        let refused = refusal(&deep);
        assert!(matches!(refused, Refusal::TooDeep {} | Refusal::Syntax { .. }), "{refused}");
    }
}

#[test]
fn what_is_left_out_has_its_own_reason() {
    let mut referenced =
        document(&json!({"/r": {"$ref": "#/components/pathItems/P"}, "/t": {"trace": {}}}));
    referenced["components"]["pathItems"]["P"] = json!({"get": {}, "post": {}});
    assert_eq!(codes(&referenced, strict(), "GET /r"), ["path-item-referenced"]);
    assert_eq!(codes(&referenced, strict(), "POST /r"), ["path-item-referenced"]);
    assert_eq!(codes(&referenced, strict(), "TRACE /t"), ["method-trace"]);
    let mut hooks = document(&json!({"/c": {"post": {"responses": {}, "callbacks": {
        "done": {"{$request.body#/url}": {"post": {"responses": {}}}}}}}}));
    hooks["webhooks"]["new"] = json!({"post": {}});
    assert_eq!(codes(&hooks, strict(), "webhook POST new"), ["webhook"]);
    assert_eq!(codes(&hooks, strict(), "callback done POST {$request.body#/url}"), ["callback"]);
    assert!(codes(&hooks, strict(), "POST /c").is_empty());
    for (operation, code) in [
        (json!(7), "operation-malformed"),
        (json!({"parameters": 7}), "parameter-malformed"),
        (json!({"parameters": [7]}), "parameter-malformed"),
        (
            json!({"parameters": [{"name": "a", "in": "nowhere", "schema": {}}]}),
            "parameter-malformed",
        ),
        (json!({"parameters": [{"name": "a", "in": "query"}]}), "parameter-malformed"),
        (
            json!({"parameters": [parameter("a b", "header", &json!({"type": "string"}))]}),
            "header-name",
        ),
        (
            json!({"parameters": [parameter("__proto__", "query", &json!({"type": "string"}))]}),
            "name-reserved",
        ),
        (
            json!({"parameters": [parameter("q", "query", &json!({"type": "string"})),
                               parameter("q", "query", &json!({"type": "string"}))]}),
            "parameter-duplicate",
        ),
        (
            json!({"parameters": [parameter("id", "path", &json!({"type": "string"}))]}),
            "path-parameter-unused",
        ),
        (json!({"requestBody": {"content": {"application/json": {}}}}), "body-unsendable"),
        (json!({"responses": {"200": {"content": {"text/plain": {}}}}}), "response-media"),
        (json!({"responses": {"200": 7}}), "response-malformed"),
        (json!({"responses": {"200": {"$ref": "#/nowhere"}}}), "reference-broken"),
    ] {
        assert_eq!(codes(&get(operation.clone()), strict(), "GET /x"), [code], "{operation}");
    }
    let mut cycle = get(json!({"responses": {"200": {"$ref": "#/components/responses/A"}}}));
    cycle["components"]["responses"] = json!({"A": {"$ref": "#/components/responses/B"}, "B": {"$ref": "#/components/responses/A"}});
    assert_eq!(codes(&cycle, strict(), "GET /x"), ["reference-cycle"]);
    let mut optional = parameter("id", "path", &json!({"type": "string"}));
    optional["required"] = json!(false);
    let api = document(&json!({"/x/{id}": {"get": {"parameters": [optional]}}}));
    assert_eq!(codes(&api, strict(), "GET /x/{id}"), ["path-parameter-optional"]);
    assert_eq!(
        codes(&document(&json!({"/x/{id}": {"get": {}}})), strict(), "GET /x/{id}"),
        ["path-parameter-missing"]
    );
}

#[test]
fn a_path_that_could_lead_elsewhere_is_left_out() {
    for path in [
        "//evil.example/a",
        "/a/../b",
        "/a/%2e%2E/b",
        "/a?b=c",
        "/a#b",
        "/a%2fb",
        "/a%5cb",
        "/a\\b",
        "/a b",
        "a",
    ] {
        let api = document(&json!({path: {"get": {}}}));
        assert_eq!(codes(&api, strict(), &format!("GET {path}")), ["path-unsafe"], "{path}");
    }
    let api = document(&json!({"/a#b": {"get": {}}, "/a": {"get": {}}, "/a#b?c": {"get": {}}}));
    let preview = taken(&api, options(true));
    assert_eq!(preview.offered().len(), 3, "a fragment tells operations apart and is not sent");
    let table = preview.select(&["GET /a#b"]).unwrap();
    assert_eq!(
        (table.entries()[0].path.as_str(), table.entries()[0].selector()),
        ("/a", "GET /a#b".to_owned())
    );
}

fn codes_of(schema: &Value, v30: bool, formats: Formats) -> Vec<&'static str> {
    let operation =
        json!({"responses": {"200": {"content": {"application/json": {"schema": schema}}}}});
    let paths = json!({"/x": {"get": operation}});
    let mut options = strict();
    options.formats = formats;
    codes(&if v30 { document_30(&paths) } else { document(&paths) }, options, "GET /x")
}

#[test]
fn a_constraint_that_cannot_be_kept_is_a_reason() {
    for (schema, code) in [
        (json!({"format": "date"}), "schema-format"),
        (json!({"pattern": "^a"}), "schema-pattern"),
        (json!({"items": {"properties": {"a": {"pattern": "b"}}}}), "schema-pattern"),
        (json!({"$recursiveRef": "#"}), "schema-keyword"),
        (json!({"$id": "https://a.example/b"}), "schema-keyword"),
        (json!({"unheard": 1}), "schema-keyword"),
        (json!({"$schema": "http://json-schema.org/draft-07/schema#"}), "schema-keyword"),
        (json!({"properties": {"constructor": {}}}), "name-reserved"),
        (json!({"required": ["__proto__"]}), "name-reserved"),
        (json!({"default": {"a": {"prototype": 1}}}), "name-reserved"),
        (json!({"enum": [{"__proto__": 1}]}), "name-reserved"),
        (json!({"type": 7}), "schema-malformed"),
        (json!({"properties": []}), "schema-malformed"),
        (json!({"allOf": {}}), "schema-malformed"),
        (json!({"minLength": -1}), "schema-malformed"),
        (json!(7), "schema-malformed"),
        (json!({"$ref": "#/nowhere"}), "reference-broken"),
        (json!({"$ref": "#anchor"}), "reference-broken"),
        (json!({"$ref": 7}), "reference-broken"),
    ] {
        assert_eq!(codes_of(&schema, false, Formats::Refuse), [code], "{schema}");
    }
    assert_eq!(
        codes_of(&json!({"patternProperties": {"^a": {}}}), false, Formats::Annotate),
        ["schema-pattern"]
    );
    for schema in
        [json!({"format": "date"}), json!({"pattern": "^a"}), json!({"contentEncoding": "base64"})]
    {
        assert!(codes_of(&schema, false, Formats::Annotate).is_empty(), "{schema}");
    }
    for annotation in ["title", "description"] {
        assert!(codes_of(&json!({annotation: "x"}), false, Formats::Refuse).is_empty());
    }
    for schema in [
        json!({"example": {"__proto__": 1}}),
        json!({"x-a": 1}),
        json!({"externalDocs": {}}),
        json!({"xml": {}}),
        json!({"discriminator": {"propertyName": "a"}}),
        json!({"deprecated": true, "readOnly": true}),
    ] {
        assert!(codes_of(&schema, true, Formats::Refuse).is_empty(), "{schema}");
    }
}

#[test]
fn nullable_is_of_3_0_and_null_types_of_3_1() {
    assert_eq!(
        codes_of(&json!({"type": "string", "nullable": true}), false, Formats::Refuse),
        ["schema-keyword"]
    );
    assert_eq!(
        codes_of(&json!({"type": ["string", "null"]}), true, Formats::Refuse),
        ["schema-malformed"]
    );
    let output = |schema: Value, v30: bool| {
        let paths = json!({"/x": {"get": {"responses": {"200": {"content": {"application/json": {"schema": schema}}}}}}});
        let api = if v30 { document_30(&paths) } else { document(&paths) };
        taken(&api, strict()).select(&["GET /x"]).unwrap().entries()[0].output.clone().unwrap()
    };
    assert_eq!(
        output(json!({"type": "string", "nullable": true}), true),
        json!({"type": ["string", "null"]})
    );
    assert_eq!(output(json!({"nullable": true, "minLength": 1}), true), json!({"minLength": 1}));
    assert_eq!(
        output(json!({"type": "string", "nullable": false}), true),
        json!({"type": "string"})
    );
    assert_eq!(
        output(json!({"minimum": 1, "exclusiveMinimum": true}), true),
        json!({"exclusiveMinimum": 1})
    );
    assert_eq!(
        output(json!({"minimum": 1, "exclusiveMinimum": false}), true),
        json!({"minimum": 1})
    );
    assert_eq!(
        output(json!({"type": ["string", "null"]}), false),
        json!({"type": ["string", "null"]})
    );
}

#[test]
fn what_is_read_only_binds_answers_and_what_is_write_only_requests() {
    let schema = json!({"type": "object", "required": ["id", "secret", "name"], "properties": {
        "id": {"type": "string", "readOnly": true},
        "secret": {"type": "string", "writeOnly": true},
        "name": {"type": "string"},
    }});
    let content = json!({"content": {"application/json": {"schema": schema}}});
    let paths = json!({"/x": {"post": {"requestBody": content, "responses": {"200": content}}}});
    let table = taken(&document_30(&paths), strict()).select(&["POST /x"]).unwrap();
    let entry = &table.entries()[0];
    assert_eq!(entry.input["properties"]["body"]["required"], json!(["secret", "name"]));
    assert_eq!(entry.output.as_ref().unwrap()["required"], json!(["id", "name"]));
}

#[test]
fn what_stands_beside_a_reference_counts_in_3_1_and_not_in_3_0() {
    let paths = json!({"/x": {"get": {"responses": {"200": {"content": {"application/json": {
        "schema": {"$ref": "#/components/schemas/A", "maxLength": 3, "description": "near"}}}}}}}});
    let output = |mut api: Value| {
        api["components"]["schemas"]["A"] = json!({"type": "string", "description": "far"});
        let preview = taken(&api, strict());
        let remarks: Vec<_> =
            preview.offered()[0].remarks.iter().map(|remark| remark.kind().as_str()).collect();
        let output = preview.select(&["GET /x"]).unwrap().entries()[0].output.clone().unwrap();
        (output, remarks)
    };
    let near = json!({"type": "string", "maxLength": 3, "description": "near"});
    assert_eq!(output(document(&paths)), (near, vec![]));
    let far = json!({"type": "string", "description": "far"});
    assert_eq!(output(document_30(&paths)), (far, vec!["sibling-ignored"]));
}

#[test]
fn credentials_never_become_input() {
    let string = json!({"type": "string"});
    let mut api = get(json!({"responses": {}, "parameters": [
        parameter("X-API-Key", "header", &string), parameter("key", "query", &string),
        parameter("TOKEN", "query", &string), parameter("Authorization", "header", &string),
        parameter("X-Forwarded-For", "header", &string), parameter("sid", "cookie", &string),
        parameter("q", "query", &string),
    ]}));
    api["components"]["securitySchemes"] = json!({
        "a": {"type": "apiKey", "in": "header", "name": "x-api-KEY"},
        "b": {"type": "apiKey", "in": "query", "name": "key"},
        "c": {"type": "apiKey", "in": "cookie", "name": "sid"},
        "d": {"type": "http", "scheme": "bearer"},
        "e": {"type": "oauth2", "flows": {}},
        "f": {"$ref": "#/nowhere"},
    });
    let mut options = strict();
    options.auth_parameter = Some("TOKEN".to_owned());
    let preview = taken(&api, options.clone());
    let kinds: Vec<_> = preview.offered()[0]
        .remarks
        .iter()
        .map(|remark| (remark.kind().as_str(), remark.count()))
        .collect();
    assert_eq!(kinds, [("credential-withheld", 4), ("header-withheld", 2)]);
    assert!(
        preview
            .auth()
            .contains(&AuthHint::Http { scheme: "d".to_owned(), http: "bearer".to_owned() })
    );
    assert_eq!(preview.auth().len(), 5);
    let table = preview.select(&["GET /x"]).unwrap();
    let names: Vec<_> =
        table.entries()[0].input["properties"].as_object().unwrap().keys().cloned().collect();
    assert_eq!(names, ["q"]);
    for name in ["X-API-Key", "key", "TOKEN", "Authorization", "sid", "X-Forwarded-For"] {
        let refused = url(&api, options.clone(), json!({name: "v"})).unwrap_err();
        assert_eq!(refused.code(), "input-invalid", "{name}: {refused}");
    }
    let path = document(
        &json!({"/x/{TOKEN}": {"get": {"parameters": [parameter("TOKEN", "path", &string)]}}}),
    );
    assert_eq!(codes(&path, options.clone(), "GET /x/{TOKEN}"), ["path-credential"]);
    let mut required = parameter("Host", "header", &string);
    required["required"] = json!(true);
    assert_eq!(
        codes(&get(json!({"parameters": [required]})), strict(), "GET /x"),
        ["header-reserved"]
    );
    let text = preview.select(&["GET /x"]).unwrap().to_json().to_owned();
    assert!(!text.contains("securitySchemes") && !text.contains("components"));
}

#[test]
fn a_map_that_names_parameters_never_names_a_credential() {
    let mut map = parameter(
        "filter",
        "query",
        &json!({"type": "object", "additionalProperties": {"type": "string"}}),
    );
    map["explode"] = json!(true);
    let mut api = get(
        json!({"responses": {}, "parameters": [map, parameter("q", "query", &json!({"type": "string"}))]}),
    );
    api["components"]["securitySchemes"] =
        json!({"b": {"type": "apiKey", "in": "query", "name": "key"}});
    assert_eq!(url(&api, options(true), json!({"filter": {"a": "b"}})).as_deref(), Ok("/x?a=b"));
    for name in ["key", "q"] {
        let refused = url(&api, options(true), json!({"filter": {name: "b"}})).unwrap_err();
        assert_eq!(refused.code(), "input-invalid", "{refused}");
    }
}

#[test]
fn texts_of_providers_are_bounded_and_marked() {
    let long = "é".repeat(3_000);
    let tags: Vec<_> = (0..20).map(|at| format!("{at}{}", "t".repeat(100))).collect();
    let api = get(json!({
        "summary": long, "description": long, "tags": tags,
        "responses": {"200": {"content": {"application/json": {"schema":
            {"title": long, "description": long}}}}},
    }));
    let preview = taken(&api, strict());
    let kinds: Vec<_> = preview.offered()[0]
        .remarks
        .iter()
        .map(|remark| (remark.kind().as_str(), remark.count()))
        .collect();
    assert_eq!(kinds, [("text-cut", 20), ("tags-left-out", 4)]);
    let table = preview.select(&["GET /x"]).unwrap();
    let entry = &table.entries()[0];
    let units = |text: &str| text.encode_utf16().count();
    assert_eq!(
        (units(&entry.title), units(&entry.description), entry.tags.len()),
        (200, 2_048, 16)
    );
    assert!(entry.third_party && entry.description.ends_with('…'));
    assert!(entry.tags.iter().all(|tag| units(tag) == 64));
    let output = entry.output.as_ref().unwrap();
    assert_eq!(
        (units(output["title"].as_str().unwrap()), units(output["description"].as_str().unwrap())),
        (200, 2_048)
    );
}

#[test]
fn hints_are_hints() {
    let mut api = document(&json!({}));
    api["servers"] = json!([
        {"url": "https://a.example/v1"}, {"url": "/v2"}, {"url": "http://plain.example"},
        {"url": "https://user:secret@a.example"},
    ]);
    let preview = taken(&api, strict());
    assert_eq!(
        preview.servers(),
        [
            ServerHint::Absolute("https://a.example/v1".to_owned()),
            ServerHint::Relative("/v2".to_owned()),
        ]
    );
    let mut api = get(json!({"responses": {}}));
    api["servers"] = json!([{"url": "https://evil.example"}]);
    let connected = connected(&api, strict());
    connected.call(json!({})).unwrap();
    assert!(connected.sent().url.starts_with("https://api.example/"));
}

#[test]
fn methods_say_what_is_read_and_what_is_written() {
    let mut item = json!({});
    for method in ["get", "head", "options", "post", "put", "patch", "delete"] {
        item[method] = json!({"responses": {}});
    }
    let preview = taken(&document(&json!({"/m": item})), strict());
    for offered in preview.offered() {
        let read = matches!(offered.method.as_str(), "GET" | "HEAD" | "OPTIONS");
        assert_eq!(offered.method.access().as_str() == "read", read, "{}", offered.selector);
    }
    assert_eq!(preview.offered().len(), 7);
}

#[test]
fn a_table_is_selected_by_method_and_path_alone() {
    let api = document(&json!({"/a/{id}": {"get": {"operationId": "named", "responses": {},
        "parameters": [parameter("id", "path", &json!({"type": "string"}))]}}, "/b": {"get": {}, "trace": {}}}));
    let preview = taken(&api, strict());
    assert_eq!(preview.select(&["GET /a/{id}"]).unwrap().entries()[0].name, "named");
    for wrong in
        ["name", "get /a/{id}", "GET /a/{other}", "GET /a/1", "POST /b", "{}", "", "TRACE /b"]
    {
        let refused = preview.select(&[wrong]).unwrap_err().to_string();
        assert!(refused.len() > 20, "{refused}");
    }
    assert!(preview.select(&[] as &[&str]).is_err());
    assert!(preview.select(&["GET /b", "GET /b"]).is_err());
}

#[test]
fn the_shapes_of_full_serialization_are_only_made_when_they_are_chosen() {
    let operation = json!({"requestBody": {"content": {"application/x-www-form-urlencoded": {"schema":
        {"type": "object", "properties": {"a": {"type": "string"}}}}}}, "responses": {}});
    let api = document(&json!({"/f": {"post": operation}}));
    assert_eq!(codes(&api, strict(), "POST /f"), ["body-media"]);
    let mut full = strict();
    full.serialization = Serialization::Full;
    assert!(codes(&api, full, "POST /f").is_empty());
}

#[test]
fn a_chain_of_references_is_followed_within_bounds() {
    let chain = |count: usize| {
        let mut api = get(json!({"responses": {"200": {"content": {"application/json": {
            "schema": {"$ref": format!("#/components/schemas/s{}", count - 1)}}}}}}));
        api["components"]["schemas"]["s0"] = json!({"type": "string"});
        for at in 1..count {
            api["components"]["schemas"][format!("s{at}")] =
                json!({"$ref": format!("#/components/schemas/s{}", at - 1)});
        }
        api
    };
    for count in [1, 2, 32, 64] {
        let preview = taken(&chain(count), strict());
        let table: Table = preview.select(&["GET /x"]).unwrap();
        assert_eq!(table.entries()[0].output, Some(json!({"type": "string"})), "{count}");
    }
    for count in [66, 10_000] {
        assert_eq!(codes(&chain(count), strict(), "GET /x"), ["schema-too-deep"], "{count}");
    }
}
