//! What a Worker says that sets the grants of a principal's sessions.

use mycelium::{
    limits::{SESSION_GRANTS, SESSION_GRANTS_BYTES},
    mcp::Actor,
    runtime::access::{Grant, Grants},
    service::{SetGrants, grants_set},
};
use serde_json::{Map, Value, json};

use super::world::{Fake, argument};

fn read(value: Value) -> Result<SetGrants, String> {
    let known = ["demo", "notes"];
    SetGrants::read(argument(value, &[]), Some(&known)).map_err(|error| error.to_string())
}

fn ada(grants: Value) -> Value {
    json!({"principal": {"kind": "member", "id": "ada"}, "grants": grants})
}

#[test]
fn grants_are_set_for_any_kind_of_principal() {
    for (kind, actor) in [
        ("member", Actor::Member("x".to_owned())),
        ("agent", Actor::Agent("x".to_owned())),
        ("team-key", Actor::TeamKey("x".to_owned())),
    ] {
        let said = json!({"principal": {"kind": kind, "id": "x"}, "grants": {"demo": "read"}});
        let set = read(said).unwrap();
        assert_eq!(set.principal.actor(), &actor);
        assert_eq!(set.grants.get("demo"), Some(Grant::Read));
    }
    assert!(read(ada(json!({}))).unwrap().grants.is_empty());
}

#[test]
fn a_request_that_is_not_exactly_one_is_refused_with_its_place() {
    let wrong = [
        (json!(null), "give an object with principal, grants"),
        (json!({}), "at /principal: give an object with kind, id"),
        (json!({"principal": "member:ada", "grants": {}}), "at /principal: give an object"),
        (json!({"principal": {"kind": "dev", "id": "x"}, "grants": {}}), "the kind is"),
        (json!({"principal": {"kind": "member", "id": ""}, "grants": {}}), "the kind is"),
        (
            json!({"principal": {"kind": "member", "id": "x".repeat(257)}, "grants": {}}),
            "1 to 256 bytes",
        ),
        (json!({"principal": {"kind": "member"}, "grants": {}}), "at /principal/id: it is missing"),
        (
            json!({"principal": {"kind": "member", "id": "a", "role": "b"}, "grants": {}}),
            "there is no key \"role\"",
        ),
        (json!({"principal": {"kind": "member", "id": "ada"}}), "at /grants: "),
        (ada(json!([])), "at /grants: "),
        (ada(json!({"demo": "all"})), "say \"write\", \"read\" or \"none\""),
        (ada(json!({"demo": true})), "at /grants: the grant of \"demo\" is true"),
        (ada(json!({"dmo": "none"})), "there is no module \"dmo\": the modules are demo, notes"),
    ];
    for (value, said) in wrong {
        let told = read(value.clone()).unwrap_err();
        assert!(told.contains(said), "{value}: {told}");
    }
    let mut extra = ada(json!({}));
    extra["force"] = json!(true);
    assert!(read(extra).unwrap_err().contains("there is no key \"force\""));
}

#[test]
fn a_function_in_it_is_refused_and_let_go() {
    let fake = Fake::echo();
    let with = argument(ada(json!({"demo": null})), &[("/grants/demo", &fake)]);
    assert!(SetGrants::read(with, None).is_err());
    assert_eq!((fake.disposed.get(), fake.calls.borrow().len()), (1, 0));
}

#[test]
fn grants_are_bounded_in_number_and_bytes() {
    let many = |count: usize, long: usize| {
        let one = |n: usize| (format!("{n:0>long$}"), json!("read"));
        ada(Value::Object((0..count).map(one).collect::<Map<_, _>>()))
    };
    let read = |value| SetGrants::read(argument(value, &[]), None);
    assert!(read(many(SESSION_GRANTS, 8)).is_ok());
    assert!(read(many(SESSION_GRANTS + 1, 8)).is_err());
    assert!(read(many(2, SESSION_GRANTS_BYTES / 2)).is_err());
}

#[test]
fn the_reply_tells_what_stood() {
    let reply =
        |stood: Option<&Grants>| -> Value { serde_json::from_str(&grants_set(stood)).unwrap() };
    let stood = Grants::parse(&json!({"demo": "none"})).unwrap();
    assert_eq!(reply(Some(&stood)), json!({"ok": true, "value": {"replaced": {"demo": "none"}}}));
    assert_eq!(reply(None), json!({"ok": true, "value": {"replaced": null}}));
}
