//! Discovery over the wire: answered from what the lease shows, counted, without ordinals.

use mycelium::{
    Failure,
    runtime::access::{AccessPolicy, Grant},
    sandbox::Limits,
};
use serde_json::{Value, json};

use super::world::{ADD, ECHO, Setup, World};
use crate::access::policy::grants;

fn ask(id: u64, helper: &str, input: Value) -> String {
    json!(["forage", format!("f{id}"), helper, input]).to_string()
}

fn last(world: &World) -> Value {
    serde_json::from_str(world.guest.heard().last().unwrap()).unwrap()
}

#[test]
fn the_three_helpers_are_answered_at_once_and_by_name() {
    let mut world = World::running();
    let task: Value = serde_json::from_str(&world.guest.task()).unwrap();
    assert_eq!(task[2]["forage"], true);
    world.say(&ask(0, "list", json!({"limit": 2})));
    let page = last(&world);
    assert_eq!((&page[0], &page[1], &page[2]["total"]), (&json!("value"), &json!("f0"), &json!(8)));
    assert_eq!(page[2]["results"][0]["path"], "m.add");
    world.say(&ask(1, "search", json!({"query": "echo"})));
    assert_eq!(last(&world)[2]["results"][0]["path"], "m.echo");
    world.say(&ask(2, "describe", json!({"path": "m.add"})));
    let types = last(&world)[2]["types"].as_str().unwrap().to_owned();
    assert!(
        types.contains("add(input: m$add_Input): Promise<m$add_Output | AccessRefusal>;"),
        "{types}"
    );
    world.say("[\"forage\",\"f3\",\"list\"]");
    assert_eq!(last(&world)[2]["results"].as_array().unwrap().len(), 8);
    world.say("[\"done\"]");
    assert!(world.outcome().answer.is_ok() && world.outcome().calls.is_empty());
}

#[test]
fn a_question_takes_no_ordinal_and_calls_and_questions_share_one_budget() {
    let limits = Limits { calls: 3, ..Limits::with_timeout(1_000) };
    let call = |ordinal| format!("[\"call\",{ordinal},{ECHO},{{}}]");
    let list = |id| ask(id, "list", json!({}));
    for (frames, over) in [
        ([call(0), list(0), call(1)], call(2)),
        ([list(0), call(0), list(1)], list(2)),
        ([list(0), list(1), list(2)], call(0)),
        ([call(0), call(1), call(2)], list(0)),
    ] {
        let mut world = World::start(Setup { limits: limits.clone(), ..Setup::default() });
        frames.iter().for_each(|frame| world.say(frame));
        assert_eq!(world.guest.heard().len(), 3);
        assert!(world.ended().is_none());
        world.say(&over);
        assert_eq!(world.failure(), Failure::CallBudgetExceeded { limit: 3 });
        assert_eq!(world.guest.connections(), 0);
    }
}

#[test]
fn what_a_lease_hides_is_hidden_from_discovery_too() {
    let access = AccessPolicy::new().grants(grants(&[("test-m", Grant::None)]));
    let mut world = World::start(Setup { access, ..Setup::default() });
    world.say(&ask(0, "list", json!({})));
    assert_eq!((&last(&world)[2]["total"], &last(&world)[2]["results"]), (&json!(0), &json!([])));
    world.say(&ask(1, "search", json!({"query": "m.add"})));
    assert_eq!(last(&world)[2]["results"], json!([]));
    world.say(&ask(2, "describe", json!({"path": "m.add"})));
    let heard = last(&world);
    assert_eq!(heard[2]["code"], "operation-unknown");
    // It can be called all the same, and then says that it isn't granted.
    world.say(&format!("[\"call\",0,{ADD},{{\"a\":1,\"b\":1}}]"));
    assert_eq!(last(&world)[2]["reason"], "not-granted");
}

#[test]
fn a_question_that_is_refused_says_why_and_can_be_let_through() {
    let cases = [
        ("search", json!({}), "input-invalid", "query is missing"),
        ("list", json!({"limit": 51}), "input-invalid", "limit is a whole number"),
        ("list", json!({"cursor": "x"}), "cursor-invalid", "begin again"),
        ("describe", json!({"path": "m.ad"}), "operation-unknown", "m.add"),
        ("list", json!({"a": {"__proto__": 1}}), "input-invalid", "__proto__"),
    ];
    for (helper, input, code, text) in cases {
        let mut world = World::running();
        world.say(&ask(0, helper, input));
        let heard = last(&world);
        assert_eq!(
            (&heard[0], &heard[1], &heard[2]["code"]),
            (&json!("error"), &json!("f0"), &json!(code))
        );
        let message = heard[2]["message"].as_str().unwrap();
        assert!(message.contains(text), "{message}");
        let frame =
            json!(["failed", {"kind": "forage", "code": code, "message": message, "frames": []}]);
        world.say(&frame.to_string());
        assert_eq!((world.failure().code(), world.failure().to_string().as_str()), (code, message));
    }
}

#[test]
fn a_guest_chooses_no_failure_of_discovery_that_was_not_told_it() {
    for code in ["cursor-invalid", "sandbox-busy", "unknown"] {
        let mut world = World::running();
        world.say(&json!(["failed", {"kind": "forage", "code": code, "message": "x"}]).to_string());
        assert_eq!(world.failure().code(), "bad-response");
    }
    // What it found in its own input is its own to say.
    let mut world = World::running();
    world.say(&json!(["failed", {"kind": "forage", "code": "input-invalid", "message": "x".repeat(9_000)}]).to_string());
    assert_eq!(world.failure().code(), "input-invalid");
    assert!(world.failure().to_string().len() < 3_000);
}
