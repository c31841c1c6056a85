//! What an App declares, as operations, schemas and tools.

use mycelium::{
    Catalog, Module, Operation,
    forage::{
        ForageError,
        app::{
            AppApi, AppReply, app_api_operations, app_method_schemas, app_tool_family_schemas,
            app_tool_schemas,
        },
        create_catalog,
    },
    operation::Access,
};
use serde_json::{Value, json};

fn declaration() -> Value {
    let input =
        json!({"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]});
    json!({
        "methods": {
            "generate": {"description": "Makes a print.", "input": input, "output": {"type": "string"}, "requirements": ["a printer"]},
            "desktop.arrange": {"input": {}, "output": {}, "effect": "read"},
            "internal": {"input": {}, "output": {}, "hidden": true},
            "shortcuts.list": {"input": {}, "output": {"type": "object", "required": ["tools"]}, "effect": "read", "hidden": true},
            "shortcuts.run": {"input": {}, "output": {}, "requirements": ["a screen"], "hidden": true},
        },
        "families": {"shortcuts": {"listing": "shortcuts.list", "call": "shortcuts.run"}},
    })
}

fn api() -> AppApi {
    AppApi::parse(&declaration()).unwrap()
}

fn names(schemas: &[mycelium::forage::app::MethodSchemas]) -> Vec<&str> {
    schemas.iter().map(|method| method.name.as_str()).collect()
}

#[test]
fn an_apps_methods_are_operations_under_the_hosts_name_for_it() {
    for binding in ["PRINTS", "TOURTOIS", "apps.prints"] {
        let catalog = create_catalog("1", app_api_operations(binding, &api()).unwrap()).unwrap();
        let description = catalog.describe(binding).unwrap();
        assert_eq!(description.operations, 2);
        let alias = binding.replace('.', "$");
        for line in [
            format!("generate(input: {alias}$generate_Input): Promise<{alias}$generate_Output>;"),
            "arrange(input".to_owned(),
            "* Effect: read.".replace("* ", "* Note: "),
            "* Note: Requires: a printer".to_owned(),
        ] {
            assert!(description.types.contains(&line), "{line}: {}", description.types);
        }
        let found = catalog.search(&mycelium::forage::SearchQuery::new("make a print")).unwrap();
        assert_eq!(found.results[0].path, format!("{binding}.generate"));
        assert!(catalog.describe(&format!("{binding}.desktop.arrange")).is_ok());
    }
    assert!(matches!(app_api_operations("then", &api()), Err(ForageError::App { .. })));
}

#[test]
fn hidden_methods_are_kept_from_tools_and_operations_and_not_from_direct_calls() {
    let api = api();
    assert_eq!(names(&app_tool_schemas(&api)), ["desktop.arrange", "generate"]);
    let all = ["desktop.arrange", "generate", "internal", "shortcuts.list", "shortcuts.run"];
    assert_eq!(names(&app_method_schemas(&api)), all);
    let schemas = app_method_schemas(&api);
    let generate = &schemas[1];
    assert_eq!((generate.effect, generate.description.as_str()), (Access::Write, "Makes a print."));
    assert_eq!(generate.requirements, ["a printer"]);
    assert!(generate.input.validate(&json!({"text": "x"})).is_ok());
    assert!(
        generate.input.validate(&json!({})).is_err()
            && generate.output.validate(&json!(1)).is_err()
    );
}

fn reply(method: &str, output: Value) -> AppReply {
    AppReply { method: method.to_owned(), output }
}

#[test]
fn a_listing_gives_its_familys_rows_with_their_own_validators() {
    let row = json!({"name": "open", "description": "Opens.", "input": {"type": "string"}, "selector": {"window": 3}});
    let listing = reply(
        "shortcuts.list",
        json!({"tools": [row, {"name": "b", "input": {}, "output": {"type": "null"}}]}),
    );
    let family = app_tool_family_schemas(&api(), &listing).unwrap().unwrap();
    assert_eq!((family.name.as_str(), family.call.as_str()), ("shortcuts", "shortcuts.run"));
    assert_eq!((family.effect, family.requirements), (Access::Write, vec!["a screen".to_owned()]));
    let [open, other] = family.rows.as_slice() else { panic!() };
    assert_eq!(
        (open.name.as_str(), open.description.as_str(), &open.row),
        ("open", "Opens.", &row)
    );
    assert!(open.input.validate(&json!("x")).is_ok() && open.input.validate(&json!(1)).is_err());
    assert!(open.output.is_none() && other.output.is_some());
}

#[test]
fn a_familys_rows_are_labelled_operations_of_a_module_and_held_to_their_own_validators() {
    let tools = json!({"tools": [
        {"name": "open", "description": "Opens.", "input": {"type": "string"}},
        {"name": "close", "input": {"type": "integer"}, "output": {"type": "null"}},
    ]});
    let family = app_tool_family_schemas(&api(), &reply("shortcuts.list", tools)).unwrap().unwrap();
    let module = family.rows.iter().fold(Module::new("app", "shortcuts"), |module, row| {
        let operation = Operation::new(row.input.clone(), |_, _| async { Ok(Value::Null) })
            .describe(&row.description)
            .access(family.effect);
        let operation = match &row.output {
            Some(output) => operation.output(output.clone()),
            None => operation,
        };
        module.operation(&row.name, operation)
    });
    let catalog = Catalog::new([module]).unwrap();
    for (path, fits, wrong) in
        [("shortcuts.open", json!("x"), json!(1)), ("shortcuts.close", json!(1), json!("x"))]
    {
        let operation = catalog.find(path).unwrap().operation();
        assert_eq!(operation.labels().access, Access::Write, "{path}");
        assert!(operation.decode(fits).is_ok() && operation.decode(wrong).is_err(), "{path}");
    }
    let output = |path| catalog.find(path).unwrap().operation().output_schema().cloned();
    assert!(output("shortcuts.open").is_none());
    let output = output("shortcuts.close").unwrap();
    assert!(output.validate(&json!(null)).is_ok() && output.validate(&json!(1)).is_err());
}

#[test]
fn a_listing_that_no_family_has_gives_no_tools() {
    let listing = reply("generate", json!("text"));
    assert!(app_tool_family_schemas(&api(), &listing).unwrap().is_none());
}

#[test]
fn a_listing_is_held_to_what_its_method_declares_and_each_row_is_read() {
    let tools = |rows: Value| reply("shortcuts.list", json!({"tools": rows}));
    for (listing, expected) in [
        (reply("nobody", json!({})), "there is no such method"),
        (reply("shortcuts.list", json!({})), "its answer is not what it declares"),
        (reply("generate", json!(1)), "its answer is not what it declares"),
        (tools(json!({})), "has no list \"tools\""),
        (tools(json!([1])), "shortcuts.list, tool 0: it is no object"),
        (tools(json!([{"input": {}}])), "it has no name"),
        (tools(json!([{"name": "a"}])), "input is missing"),
        (tools(json!([{"name": "a", "input": {"type": 1}}])), "its input schema is refused"),
        (tools(json!([{"name": "a", "input": {}, "output": 1}])), "its output schema is refused"),
        (
            tools(json!([{"name": "a", "input": {"items": {"$ref": "#"}}}])),
            "its input schema is refused",
        ),
        (
            tools(json!([{"name": "a", "input": {}}, {"name": "a", "input": {}}])),
            "two tools are named \"a\"",
        ),
        (tools(json!(vec![json!(1); 501])), "more than 500 tools"),
    ] {
        let error = app_tool_family_schemas(&api(), &listing).unwrap_err().to_string();
        assert!(error.contains(expected), "{expected}: {error}");
    }
}

#[test]
fn a_declaration_that_breaks_a_rule_is_refused_by_name() {
    for (pointer, value, expected) in [
        ("", json!([]), "the declaration: it is no object"),
        ("/methods", json!(1), "methods is no object"),
        ("/methods/generate", json!({"output": {}}), "generate: input is missing"),
        ("/methods/generate/input", json!({"type": "x"}), "generate: its input schema is refused"),
        (
            "/methods/generate/input",
            json!({"type": "string", "format": "email"}),
            "generate: its input schema is refused",
        ),
        ("/methods/generate/effect", json!("Read"), "generate: effect is exactly"),
        ("/methods/generate/hidden", json!(1), "generate: hidden is no boolean"),
        ("/methods/generate/description", json!(1), "generate: description is no string"),
        (
            "/methods/generate/requirements",
            json!([1]),
            "generate: requirements is no list of strings",
        ),
        ("/methods/generate/extra", json!(1), "there is no key \"extra\""),
        ("/methods/then", json!({"input": {}, "output": {}}), "then: JavaScript"),
        ("/families/shortcuts/call", json!("nobody"), "shortcuts: there is no method \"nobody\""),
        ("/families/shortcuts", json!({"call": "generate"}), "listing is missing"),
    ] {
        let mut changed = declaration();
        match pointer.rsplit_once('/') {
            None => changed = value,
            Some((parent, key)) => {
                changed.pointer_mut(parent).unwrap()[key] = value;
            }
        }
        let error = AppApi::parse(&changed).unwrap_err().to_string();
        assert!(error.contains(expected), "{expected}: {error}");
    }
}
