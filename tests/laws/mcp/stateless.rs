//! 2026-07-28: every request by itself, questions as results, sealed states.

use mycelium::{
    limits::{APPROVAL_MS, KEEPALIVE_STATELESS_MS},
    mcp::Head,
};
use serde_json::{Value, json};

use super::world::{Sent, World, post};

const VERSION: &str = "2026-07-28";

fn head(name: &str, method: &str) -> Head {
    post(name).with("mcp-protocol-version", VERSION).with("mcp-method", method)
}

fn meta(capabilities: &Value) -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": VERSION,
        "io.modelcontextprotocol/clientCapabilities": capabilities,
    })
}

fn body(id: &str, method: &str, mut params: Value, capabilities: &Value) -> String {
    params["_meta"] = meta(capabilities);
    super::world::request(id, method, params)
}

/// A call of `execute`, as `name`.
fn call(world: &World, name: &str, more: Value) -> Sent {
    call_with(world, name, more, &json!({"elicitation": {}}))
}

fn call_with(world: &World, name: &str, more: Value, capabilities: &Value) -> Sent {
    let mut params = json!({"name": "execute", "arguments": {"code": "return 1"}});
    for (key, value) in more.as_object().unwrap() {
        params[key] = value.clone();
    }
    let head = head(name, "tools/call").with("mcp-name", "execute");
    world.send(head, body("c", "tools/call", params, capabilities))
}

/// Lets the questions that are asked at once be gathered.
fn required(world: &World, sent: &Sent) -> (Vec<String>, String) {
    world.host.pass(20);
    let result = sent.result();
    assert_eq!(result["resultType"], json!("input_required"), "{result}");
    let keys = result["inputRequests"].as_object().unwrap().keys().cloned().collect();
    (keys, result["requestState"].as_str().unwrap().to_owned())
}

fn answers(keys: &[String], answer: &Value) -> Value {
    keys.iter().map(|key| (key.clone(), answer.clone())).collect::<serde_json::Map<_, _>>().into()
}

fn agreed() -> Value {
    super::world::agreed()
}

#[test]
fn discover_says_what_there_is_and_who_answers() {
    let world = World::new();
    let sent = world
        .send(head("ada", "server/discover"), body("d", "server/discover", json!({}), &json!({})));
    let result = sent.result();
    assert_eq!(result["supportedVersions"], json!(["2026-07-28", "2025-11-25", "2025-06-18"]));
    assert_eq!(result["capabilities"], json!({"tools": {}}));
    assert_eq!(result["instructions"], json!("Use m."));
    assert_eq!(result["resultType"], json!("complete"));
    assert_eq!(result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], json!("mycelium"));
}

#[test]
fn each_fault_has_its_status_and_code_and_keeps_its_id() {
    let world = World::new();
    let list = || head("ada", "tools/list");
    let good = body("l", "tools/list", json!({}), &json!({}));
    let mismatched = |name: &str, value: &str| list().with(name, value);
    let cases = [
        (list(), super::world::request("l", "tools/list", json!({})), 400, -32_602),
        (mismatched("mcp-protocol-version", "2025-11-25"), good.clone(), 400, -32_020),
        (mismatched("mcp-method", "prompts/list"), good.clone(), 400, -32_020),
        (mismatched("mcp-method", "TOOLS/LIST"), good.clone(), 400, -32_020),
        (head("ada", "ping"), body("l", "ping", json!({}), &json!({})), 404, -32_601),
        (head("ada", "initialize"), body("l", "initialize", json!({}), &json!({})), 404, -32_601),
        (
            head("ada", "subscriptions/listen"),
            body("l", "subscriptions/listen", json!({}), &json!({})),
            404,
            -32_601,
        ),
        (list(), body("l", "tools/list", json!({"cursor": "x"}), &json!({})), 400, -32_602),
    ];
    for (head, body, status, code) in cases {
        let sent = world.send(head, body.clone());
        assert_eq!((sent.status, sent.code()), (status, code), "{body}");
        assert_eq!(sent.json()["id"], json!("l"));
    }
    let unknown = body("l", "tools/list", json!({}), &json!({})).replace(VERSION, "2099-01-01");
    let sent = world.send(list().with("mcp-protocol-version", "2099-01-01"), unknown);
    assert_eq!((sent.status, sent.code()), (400, -32_022));
    assert_eq!(sent.json()["error"]["data"]["requested"], json!("2099-01-01"));
}

#[test]
fn a_list_says_for_how_long_and_for_whom_it_holds() {
    let world = World::new();
    let sent =
        world.send(head("ada", "tools/list"), body("l", "tools/list", json!({}), &json!({})));
    let result = sent.result();
    assert_eq!((&result["ttlMs"], &result["cacheScope"]), (&json!(0), &json!("private")));
    assert_eq!(result["tools"][0]["name"], json!("execute"));
}

#[test]
fn a_call_is_answered_on_its_stream_without_ids() {
    let world = World::new();
    world.script(&["m.write"]);
    let sent = call_with(&world, "ada", json!({}), &json!({}));
    assert!(sent.is_events() && sent.ended());
    assert!(sent.events().iter().all(|(id, message)| id.is_none() && message.is_some()));
    assert_eq!(sent.calls(), [json!("m.write")]);
    assert_eq!(sent.result()["resultType"], json!("complete"));
    assert_eq!(world.load.loads.get(), 1);
}

#[test]
fn a_call_that_must_ask_is_suspended_and_goes_on_with_the_answer() {
    let world = World::new();
    world.script(&["m.write", "m.remove", "m.read"]);
    let first = call(&world, "ada", json!({}));
    let (keys, state) = required(&world, &first);
    let asked = &first.result()["inputRequests"][&keys[0]];
    assert_eq!(asked["method"], json!("elicitation/create"));
    assert_eq!(asked["params"]["message"], json!("Run remove of the module test-m (write)?"));
    assert!(first.ended() && *world.ran.borrow() == ["m.write"]);
    let second = call(
        &world,
        "ada",
        json!({"inputResponses": answers(&keys, &agreed()), "requestState": state}),
    );
    assert_eq!(second.calls(), [json!("m.write"), json!("m.remove"), json!("m.read")]);
    assert_eq!(*world.ran.borrow(), ["m.write", "m.remove", "m.read"], "nothing ran twice");
}

#[test]
fn every_answer_but_agreement_refuses_and_each_is_told_apart() {
    let ends = [
        (json!({"action": "decline"}), "declined"),
        (json!({"action": "cancel"}), "cancelled"),
        (json!({}), "confirm-unavailable"),
    ];
    for (answer, expected) in ends {
        let world = World::new();
        world.script(&["m.remove"]);
        let first = call(&world, "ada", json!({}));
        let (keys, state) = required(&world, &first);
        let second = call(
            &world,
            "ada",
            json!({"inputResponses": answers(&keys, &answer), "requestState": state}),
        );
        assert_eq!(second.calls()[0]["reason"], json!(expected));
        assert!(world.ran.borrow().is_empty());
    }
    let world = World::new();
    world.script(&["m.remove"]);
    let first = call(&world, "ada", json!({}));
    let (keys, state) = required(&world, &first);
    world.host.pass(APPROVAL_MS);
    let second = call(
        &world,
        "ada",
        json!({"inputResponses": answers(&keys, &agreed()), "requestState": state}),
    );
    assert_eq!(second.calls()[0]["reason"], json!("timed-out"));
    assert!(world.ran.borrow().is_empty());
}

#[test]
fn an_answer_that_is_missing_is_asked_for_again() {
    let world = World::new();
    world.script(&["m.remove"]);
    let first = call(&world, "ada", json!({}));
    let (keys, state) = required(&world, &first);
    let wrong = answers(&["other".to_owned()], &agreed());
    let second = call(&world, "ada", json!({"inputResponses": wrong, "requestState": state}));
    let (again, next) = required(&world, &second);
    assert_eq!(again, keys);
    assert_ne!(next, state);
    let third = call(
        &world,
        "ada",
        json!({"inputResponses": answers(&keys, &agreed()), "requestState": next}),
    );
    assert_eq!(third.calls(), [json!("m.remove")]);
}

#[test]
fn a_state_opens_once_for_its_owner_its_call_and_its_time() {
    let world = World::new();
    world.script(&["m.remove"]);
    let first = call(&world, "ada", json!({}));
    let (keys, state) = required(&world, &first);
    let given = answers(&keys, &agreed());
    let tries = |name: &str, state: &str, more: Value| {
        let mut all = json!({"inputResponses": given.clone(), "requestState": state});
        for (key, value) in more.as_object().unwrap() {
            all[key] = value.clone();
        }
        let sent = call(&world, name, all);
        (sent.status, sent.json()["error"].clone())
    };
    let unknown = tries("ada", "made up", json!({}));
    assert_eq!((unknown.0, &unknown.1["code"]), (400, &json!(-32_602)));
    let tampered =
        [format!("{state}x"), state.replace('.', ".0"), state[1..].to_owned(), "a".repeat(9_000)];
    for tampered in &tampered {
        assert_eq!(tries("ada", tampered, json!({})), unknown, "{tampered}");
    }
    assert_eq!(tries("bob", &state, json!({})), unknown, "another principal learns nothing");
    let other = json!({"arguments": {"code": "return 2"}});
    assert_eq!(tries("ada", &state, other), unknown, "another program");
    assert!(world.ran.borrow().is_empty());
    let good = call(&world, "ada", json!({"inputResponses": given.clone(), "requestState": state}));
    assert_eq!(good.calls(), [json!("m.remove")]);
    assert_eq!(tries("ada", &state, json!({})).1["code"], json!(-32_602));
    assert_eq!(*world.ran.borrow(), ["m.remove"]);
}

#[test]
fn a_state_opens_nothing_a_second_time_while_its_call_goes_on() {
    let world = World::new();
    world.script(&["m.remove", "m.never"]);
    let first = call(&world, "ada", json!({}));
    let (keys, state) = required(&world, &first);
    let retry = || json!({"inputResponses": answers(&keys, &agreed()), "requestState": state});
    let going_on = call(&world, "ada", retry());
    assert!(!going_on.ended() && *world.ran.borrow() == ["m.remove"]);
    let again = call(&world, "ada", retry());
    assert_eq!((again.status, again.code()), (400, -32_602));
    assert!(again.json()["error"]["message"].as_str().unwrap().contains("used already"));
    assert!(!going_on.ended(), "the one that goes on isn't touched");
}

#[test]
fn an_expired_state_and_one_that_was_used_open_nothing() {
    let world = World::new();
    world.script(&["m.remove", "m.remove"]);
    let first = call(&world, "ada", json!({}));
    let (keys, state) = required(&world, &first);
    let second = call(
        &world,
        "ada",
        json!({"inputResponses": answers(&keys, &agreed()), "requestState": state}),
    );
    let (keys, next) = required(&world, &second);
    let used = call(
        &world,
        "ada",
        json!({"inputResponses": answers(&keys, &agreed()), "requestState": state}),
    );
    assert!(used.json()["error"]["message"].as_str().unwrap().contains("used already"));
    assert_eq!(*world.ran.borrow(), ["m.remove"]);
    world.host.pass(APPROVAL_MS + 60_000);
    let late = call(
        &world,
        "ada",
        json!({"inputResponses": answers(&keys, &agreed()), "requestState": next}),
    );
    assert!(late.json()["error"]["message"].as_str().unwrap().contains("expired"));
}

#[test]
fn a_grant_revoked_while_a_person_thinks_refuses_here_too() {
    let world = World::new();
    world.script(&["m.remove"]);
    let first = call(&world, "ada", json!({}));
    let (keys, state) = required(&world, &first);
    drop(world.load.grants.replace(Ok(super::world::grants(&[("test-m", "read")]))));
    let second = call(
        &world,
        "ada",
        json!({"inputResponses": answers(&keys, &agreed()), "requestState": state}),
    );
    assert_eq!(second.calls()[0]["reason"], json!("read-only"));
}

#[test]
fn a_client_that_hangs_up_cancels() {
    let world = World::new();
    world.script(&["m.never"]);
    let sent = call_with(&world, "ada", json!({}), &json!({}));
    world.host.pass(KEEPALIVE_STATELESS_MS);
    assert!(sent.text().contains(": keepalive") && !sent.ended());
    sent.hang_up();
    world.host.settle();
    let lines = world.host.lines().concat();
    assert!(lines.contains("\"code\":\"cancelled\""), "{lines}");
}

#[test]
fn a_client_that_can_t_be_asked_is_refused_what_must_be_confirmed() {
    let world = World::new();
    world.script(&["m.remove", "m.write"]);
    let sent = call_with(&world, "ada", json!({}), &json!({"elicitation": {"url": {}}}));
    assert_eq!(sent.calls()[0]["reason"], json!("confirm-unavailable"));
    assert_eq!(*world.ran.borrow(), ["m.write"]);
}

#[test]
fn a_notification_is_taken_and_a_response_is_not() {
    let world = World::new();
    let params = json!({"_meta": meta(&json!({}))});
    let notification =
        json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params});
    assert_eq!(world.send(head("ada", "x"), notification.to_string()).status, 202);
    let response = json!({"jsonrpc": "2.0", "id": 1, "result": {}}).to_string();
    let sent = world.send(head("ada", "x"), response);
    assert_eq!((sent.status, sent.code()), (400, -32_600));
}
