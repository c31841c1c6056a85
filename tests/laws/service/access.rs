//! Who sees what, and who may do what.

use std::cell::Cell;

use mycelium::{
    service::RemoteError,
    testing::{DirectError, Host},
};
use serde_json::{Value, json};

use super::world::{FIND, Fake, argument, asked, calling, crm, executed, service};

/// The paths that a caller is listed, by what services are granted and what it says.
fn listed(granted: Value, request: Value) -> Vec<String> {
    let host = Host::new();
    let fake = Fake::echo();
    let service = service(&host, granted, calling("", json!({})));
    let reply = asked(&host, service, "list", argument(request, &[(FIND, &fake)]));
    let results = reply["value"]["results"].as_array().unwrap_or_else(|| panic!("{reply}"));
    results.iter().map(|item| item["path"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_caller_sees_its_own_modules_and_what_the_owner_grants_to_services() {
    let own = || json!({"modules": crm(json!({}))});
    assert_eq!(listed(json!({}), own()), ["crm.find"]);
    assert_eq!(listed(json!({"files": "read"}), own()), ["crm.find", "files.read", "files.write"]);
    assert_eq!(listed(json!({"files": "none"}), own()), ["crm.find"]);
    // What a caller grants itself isn't granted.
    let greedy = json!({
        "modules": crm(json!({})),
        "grants": {"secret": "write", "files": "write"},
        "sessionGrants": {"secret": "write"},
    });
    assert_eq!(listed(json!({}), greedy), ["crm.find"]);
}

/// What one call comes to: the answer, or the reason of its refusal.
fn called(path: &'static str, granted: Value, mut request: Value) -> Value {
    let host = Host::new();
    let fake = Fake::echo();
    let service = service(&host, granted, calling(path, json!({})));
    request["code"] = json!("return 1");
    let brought: &[_] = if request.get("modules").is_some() { &[(FIND, &fake)] } else { &[] };
    let reply = executed(&host, service, argument(request, brought));
    let refused = reply["refusals"]["listed"].as_array().unwrap_or_else(|| panic!("{reply}"));
    assert_eq!(fake.calls.borrow().len(), usize::from(refused.is_empty() && path == "crm.find"));
    match refused.first() {
        Some(refusal) => refusal["reason"].clone(),
        None => reply["value"].clone(),
    }
}

#[test]
fn what_the_owner_grants_is_the_most_a_caller_has() {
    let granted = || json!({"files": "read"});
    let say = |grants: Value| json!({"grants": grants, "sessionGrants": {"files": "write"}});
    assert_eq!(called("files.read", granted(), json!({})), "the host's");
    assert_eq!(called("files.write", granted(), json!({})), "read-only");
    assert_eq!(called("files.write", granted(), say(json!({"files": "write"}))), "read-only");
    assert_eq!(
        called("files.read", granted(), json!({"grants": {"files": "none"}})),
        "not-granted"
    );
    assert_eq!(called("files.read", granted(), json!({"required": ["files"]})), "not-granted");
}

#[test]
fn a_caller_s_id_takes_no_configured_grant() {
    let mut modules = crm(json!({}));
    modules[0]["id"] = json!("files");
    let own = json!({"modules": modules, "grants": {"files": "read"}});
    // Its own is narrowed by what it says itself; the host's it couldn't narrow, and hasn't.
    assert_eq!(called("crm.find", json!({"files": "write"}), own.clone()), "read-only");
    assert_eq!(called("files.write", json!({"files": "write"}), own), "not-granted");
}

#[test]
fn a_caller_s_grants_bound_its_own_modules() {
    let own = |rest: Value| {
        let mut request = json!({"modules": crm(json!({}))});
        request.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
        request
    };
    let cases = [
        (json!({}), json!({})),
        (json!({"grants": {"crm": "read"}}), json!("read-only")),
        (json!({"grants": {"crm": "none"}}), json!("not-granted")),
        (json!({"required": ["crm"]}), json!("not-granted")),
        (json!({"required": ["crm"], "grants": {"crm": "write"}}), json!({})),
        (json!({"grants": {"crm": "write"}, "sessionGrants": {"crm": "read"}}), json!("read-only")),
    ];
    for (rest, expected) in cases {
        assert_eq!(called("crm.find", json!({}), own(rest.clone())), expected, "{rest}");
    }
}

#[test]
fn the_session_s_grants_are_read_at_every_call() {
    let host = Host::new();
    let reads = Cell::new(0);
    let grants = Fake::new(move |_| {
        reads.set(reads.get() + 1);
        // When the lease is taken, at the first call, at the second.
        Ok(json!({"crm": if reads.get() < 3 { "write" } else { "read" }}))
    });
    let fake = Fake::echo();
    let service = service(&host, json!({}), |bindings| async move {
        let first = bindings.call("crm.find", json!({})).await?;
        let second = bindings.call("crm.find", json!({})).await?;
        Ok::<_, DirectError>(json!([first, second["reason"]]))
    });
    let request = json!({"code": "return 1", "modules": crm(json!({})), "sessionGrants": null});
    let functions = [(FIND, &fake), ("/sessionGrants", &grants)];
    let reply = executed(&host, service, argument(request, &functions));
    assert_eq!(reply["value"], json!([{}, "read-only"]), "{reply}");
    assert_eq!((fake.disposed.get(), grants.disposed.get()), (1, 1));
}

#[test]
fn grants_that_can_not_be_read_grant_nothing() {
    let answers: [Result<Value, RemoteError>; 3] = [
        Err(RemoteError::Threw("no database".into())),
        Ok(json!({"crm": "Write"})),
        Ok(json!(null)),
    ];
    for answer in answers {
        let host = Host::new();
        let (fake, grants) = (Fake::echo(), Fake::new(move |_| answer.clone()));
        let service = service(&host, json!({}), calling("crm.find", json!({})));
        let request = json!({"code": "return 1", "modules": crm(json!({})), "sessionGrants": null});
        let functions = [(FIND, &fake), ("/sessionGrants", &grants)];
        let reply = executed(&host, service, argument(request, &functions));
        assert_eq!(reply["refusals"]["listed"][0]["reason"], "grant-unreadable", "{reply}");
        assert!(fake.calls.borrow().is_empty());
    }
}

#[test]
fn a_person_is_asked_through_the_caller_and_nothing_but_yes_is_agreement() {
    let cases: [(Option<Result<Value, RemoteError>>, &str); 6] = [
        (None, "confirm-unavailable"),
        (Some(Ok(json!(true))), ""),
        (Some(Ok(json!(false))), "declined"),
        (Some(Ok(json!("cancelled"))), "cancelled"),
        (Some(Ok(json!({"approve": true}))), "confirm-unavailable"),
        (Some(Err(RemoteError::Threw("offline".into()))), "confirm-unavailable"),
    ];
    for (answer, reason) in cases {
        let host = Host::new();
        let fake = Fake::echo();
        let mut service = service(&host, json!({}), calling("crm.find", json!({"secret": 1})));
        service.options.admission.sandbox_capacity = Some(2);
        let mut request = json!({"code": "return 1", "modules": crm(json!({"confirm": true}))});
        let mut functions = vec![(FIND, &fake)];
        let asked = answer.map(|answer| Fake::new(move |_| answer.clone()));
        if let Some(asked) = &asked {
            request["confirm"] = json!(null);
            functions.push(("/confirm", asked));
        }
        let reply = executed(&host, service, argument(request, &functions));
        let found = reply["refusals"]["listed"][0]["reason"].as_str().unwrap_or_default();
        assert_eq!(found, reason, "{reply}");
        assert_eq!(fake.calls.borrow().len(), usize::from(reason.is_empty()));
        if let Some(asked) = asked {
            let question = json!({"module": "caller:crm", "operation": "find", "access": "write"});
            assert_eq!(asked.calls.borrow()[0][0], question);
            assert!(!format!("{:?}", asked.calls.borrow()).contains("secret"), "no input is shown");
        }
    }
}

#[test]
fn a_direct_call_stands_behind_the_same_access() {
    let host = Host::new();
    let ask = |granted: Value, request: Value| {
        let fake = Fake::echo();
        let service = service(&host, granted, calling("", json!({})));
        let brought: &[_] = if request.get("modules").is_some() { &[(FIND, &fake)] } else { &[] };
        let reply = asked(&host, service, "invoke", argument(request, brought));
        assert_eq!(fake.disposed.get() as usize, brought.len());
        reply
    };
    let own = json!({"module": "crm", "operation": "find", "input": {}, "modules": crm(json!({})), "grants": {"crm": "read"}});
    let reply = ask(json!({}), own);
    assert_eq!((&reply["ok"], &reply["code"]), (&json!(false), &json!("access-refused")));
    assert_eq!(reply["refusal"]["reason"], "read-only");
    let hosts = |operation: &str| json!({"module": "files", "operation": operation, "input": {}});
    assert_eq!(ask(json!({}), hosts("read"))["code"], "operation-unknown");
    assert_eq!(ask(json!({"files": "read"}), hosts("read"))["value"], "the host's");
    assert_eq!(ask(json!({"files": "read"}), hosts("write"))["refusal"]["reason"], "read-only");
}
