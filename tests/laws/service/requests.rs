//! What a request says, and what is refused of it.

use mycelium::{service::RemoteError, testing::Host};
use serde_json::{Value, json};

use super::world::{FIND, Fake, argument, asked, calling, crm, executed, service};

#[test]
fn a_function_is_called_with_valid_input_and_the_facts_of_its_call() {
    let host = Host::new();
    let fake = Fake::echo();
    let service = service(&host, json!({}), calling("crm.find", json!({"name": "Ada"})));
    let request = json!({"code": "return 1", "toolCallId": "call-7", "modules": crm(json!({}))});
    let reply = executed(&host, service, argument(request, &[(FIND, &fake)]));
    assert_eq!((&reply["ok"], &reply["value"]), (&json!(true), &json!({"name": "Ada"})), "{reply}");
    let call = json!({"ordinal": 0, "path": "crm.find", "outcome": "done"});
    assert_eq!(reply["calls"], json!({"listed": [call], "omitted": 0}));
    let calls = fake.calls.borrow();
    let [input, facts] = &calls[0][..] else { panic!("{calls:?}") };
    assert_eq!(input, &json!({"name": "Ada"}));
    let names: Vec<&String> = facts.as_object().unwrap().keys().collect();
    assert_eq!(names, ["deadlineMs", "executionId", "operationOrdinal", "toolCallId"]);
    assert_eq!((&facts["toolCallId"], &facts["operationOrdinal"]), (&json!("call-7"), &json!(0)));
    assert_eq!(facts["executionId"], reply["executionId"]);
}

#[test]
fn a_tool_call_id_that_nobody_gave_is_not_invented() {
    let host = Host::new();
    let fake = Fake::echo();
    let program = service(&host, json!({}), calling("crm.find", json!({})));
    let request = json!({"code": "return 1", "modules": crm(json!({}))});
    executed(&host, program, argument(request, &[(FIND, &fake)]));
    assert_eq!(fake.calls.borrow()[0][1].get("toolCallId"), None);
    let direct =
        json!({"module": "crm", "operation": "find", "input": {}, "modules": crm(json!({}))});
    let again = Fake::echo();
    let none = service(&host, json!({}), calling("", json!({})));
    let reply = asked(&host, none, "invoke", argument(direct, &[(FIND, &again)]));
    assert_eq!(reply, json!({"ok": true, "value": {}}));
    assert_eq!(again.calls.borrow()[0][1], json!({}));
}

#[test]
fn input_that_the_schema_does_not_take_never_reaches_the_function() {
    let host = Host::new();
    let fake = Fake::echo();
    let service = service(&host, json!({}), calling("crm.find", json!([])));
    let request = json!({"code": "return 1", "modules": crm(json!({}))});
    let reply = executed(&host, service, argument(request, &[(FIND, &fake)]));
    assert_eq!(reply["code"], "input-invalid", "{reply}");
    assert!(fake.calls.borrow().is_empty());
}

#[test]
fn an_answer_other_than_declared_or_sayable_is_an_invalid_output() {
    let odd: [(&str, Result<Value, RemoteError>); 3] = [
        ("output-invalid", Ok(json!(7))),
        ("output-invalid", Err(RemoteError::Answer("at /a: a Date".into()))),
        ("capability-failed", Err(RemoteError::Threw("no such customer".into()))),
    ];
    for (code, answer) in odd {
        let host = Host::new();
        let fake = Fake::new(move |_| answer.clone());
        let service = service(&host, json!({}), calling("crm.find", json!({})));
        let modules = crm(json!({"output": {"type": "string"}}));
        let request = json!({"code": "return 1", "modules": modules});
        let reply = executed(&host, service, argument(request, &[(FIND, &fake)]));
        assert_eq!((&reply["ok"], &reply["code"]), (&json!(false), &json!(code)), "{reply}");
        assert_eq!(reply["calls"]["listed"][0]["outcome"], "failed");
    }
}

#[test]
fn a_wrong_request_is_refused_by_its_place_and_nothing_runs() {
    let good = || json!({"code": "return 1", "modules": crm(json!({}))});
    let with = |key: &str, value: Value| {
        let mut request = good();
        request[key] = value;
        request
    };
    let labelled = |label: Value| with("modules", crm(label));
    let wrong = [
        (json!(null), "give an object with code"),
        (with("Code", json!("x")), "there is no key \"Code\""),
        (with("signal", json!({})), "there is no key \"signal\""),
        (json!({}), "at /code: it is missing"),
        (with("code", json!(1)), "at /code: give a string"),
        (with("timeoutMs", json!(0)), "at /timeoutMs: give a whole number from 1 to 180000"),
        (with("timeoutMs", json!(180_001)), "at /timeoutMs: give a whole number"),
        (with("timeoutMs", json!("9")), "at /timeoutMs: give a whole number"),
        (with("modules", json!({})), "at /modules: give a list"),
        (with("grants", json!({"crm": "Read"})), "at /grants: the grant of \"crm\" is \"Read\""),
        (with("sessionGrants", json!(1)), "at /sessionGrants: grants are 1"),
        (with("required", json!("crm")), "at /required: give a list of strings"),
        (with("confirm", json!(true)), "at /confirm: give a function"),
        (labelled(json!({"confirm": 1})), "find: confirm is true or false"),
        (labelled(json!({"access": "Write"})), "find: access is exactly"),
        (labelled(json!({"replay": null})), "find: replay is exactly"),
        (labelled(json!({"input": {"type": "objekt"}})), "the input schema is refused"),
        (labelled(json!({"handler": 1})), "there is no key \"handler\""),
    ];
    for (request, expected) in wrong {
        let host = Host::new();
        let fake = Fake::echo();
        let service = service(&host, json!({}), calling("crm.find", json!({})));
        let reply = executed(&host, service, argument(request, &[(FIND, &fake)]));
        assert_eq!((&reply["code"], &reply["ran"]), (&json!("request-invalid"), &json!("nothing")));
        let message = reply["message"].as_str().unwrap();
        assert!(message.contains(expected), "{message}");
        assert!(fake.calls.borrow().is_empty());
        assert_eq!(fake.disposed.get(), 1, "{message}");
    }
}

#[test]
fn a_function_where_data_belongs_is_refused_by_its_place() {
    let host = Host::new();
    for (method, place) in [("execute", "/code"), ("invoke", "/input/a"), ("search", "/query")] {
        let (find, stray) = (Fake::echo(), Fake::echo());
        let mut request = match method {
            "execute" => json!({"code": "return 1"}),
            "search" => json!({"query": "x"}),
            _ => json!({"module": "crm", "operation": "find", "input": {"a": null}}),
        };
        request["modules"] = crm(json!({}));
        let argument = argument(request, &[(FIND, &find), (place, &stray)]);
        let service = service(&host, json!({}), calling("crm.find", json!({})));
        let reply = match method {
            "execute" => executed(&host, service, argument),
            _ => asked(&host, service, method, argument),
        };
        assert!(
            reply["message"].as_str().unwrap().contains(&format!("at {place}: a function")),
            "{reply}"
        );
        assert_eq!((find.disposed.get(), stray.disposed.get()), (1, 1));
    }
}

#[test]
fn discovery_is_over_what_the_caller_brings() {
    let host = Host::new();
    let ask = |method: &str, mut request: Value| {
        let fake = Fake::echo();
        request["modules"] = crm(json!({"description": "Finds a customer."}));
        let service = service(&host, json!({}), calling("", json!({})));
        let reply = asked(&host, service, method, argument(request, &[(FIND, &fake)]));
        assert_eq!(fake.disposed.get(), 1);
        reply
    };
    let listed = ask("list", json!({}));
    let paths: Vec<&Value> =
        listed["value"]["results"].as_array().unwrap().iter().map(|item| &item["path"]).collect();
    assert_eq!(paths, ["crm.find"]);
    let found = ask("search", json!({"query": "find customer", "limit": 1}));
    assert_eq!(found["value"]["results"][0]["path"], "crm.find", "{found}");
    let described = ask("describe", json!({"path": "crm.find"})).to_string();
    assert!(
        described.contains("Finds a customer.") && described.contains("Customers."),
        "{described}"
    );
    for (request, code) in
        [(json!({"path": "crm.fynd"}), "operation-unknown"), (json!({}), "input-invalid")]
    {
        let reply = ask("describe", request);
        assert_eq!((&reply["ok"], &reply["code"]), (&json!(false), &json!(code)), "{reply}");
    }
}
