//! Rows T1 to T15, N2, N3: what a request's head and body must say.

use std::rc::Rc;

use mycelium::{
    mcp::{Body, Challenge, Gate, Head, Origins},
    runtime::{Counters, Status},
};
use serde_json::json;

use super::world::{World, initialize, post, request};

#[test]
fn every_request_without_a_good_credential_is_answered_401_before_anything_else() {
    let world = World::new();
    let methods = ["POST", "GET", "DELETE", "PUT", "HEAD"];
    for method in methods {
        let head = Head::new(method, "localhost").with("mcp-session-id", "0".repeat(32));
        let sent = world.send(head, "no JSON");
        assert_eq!(
            (sent.status, sent.header("www-authenticate")),
            (401, Some("Bearer".to_owned())),
            "{method}"
        );
    }
    assert_eq!(world.door.requests.get(), methods.len() as u64);
    world.door.revoked.borrow_mut().insert("ada".to_owned());
    let sent = world.send(post("ada"), "");
    assert_eq!(sent.status, 401);
    assert_eq!(sent.header("www-authenticate").unwrap(), "Bearer error=\"invalid_token\"");
    world.door.forbidden.borrow_mut().insert("bob".to_owned());
    assert_eq!(world.send(post("bob"), "").status, 403);
}

#[test]
fn a_page_of_another_origin_is_refused_by_every_method_before_its_credential_is_looked_at() {
    let world = World::new();
    for method in ["POST", "GET", "DELETE", "OPTIONS"] {
        let head = Head::new(method, "localhost").with("origin", "https://evil.example");
        let sent = world.send(head, "");
        assert_eq!(sent.status, 403, "{method}");
        assert_eq!(sent.header("access-control-allow-origin"), None);
        assert!(sent.json().get("id").is_none());
    }
    assert_eq!(world.door.requests.get(), 0);
}

#[test]
fn a_listed_page_is_told_what_it_may_send_and_read() {
    let world = World::new();
    let preflight = Head::new("OPTIONS", "localhost").with("origin", "https://app.example");
    let sent = world.send(preflight, "");
    assert_eq!(sent.status, 204);
    assert!(sent.header("access-control-allow-headers").unwrap().contains("Mcp-Session-Id"));
    let opened = world.send(
        post("ada").with("origin", "https://app.example"),
        initialize("2025-11-25", &json!({})),
    );
    assert_eq!(opened.header("access-control-allow-origin").unwrap(), "https://app.example");
    assert!(opened.header("access-control-expose-headers").unwrap().contains("Mcp-Session-Id"));
    let refused = Head::new("POST", "localhost").with("origin", "https://app.example");
    let refused = world.send(refused, "");
    assert_eq!(refused.status, 401);
    assert!(refused.header("access-control-expose-headers").unwrap().contains("WWW-Authenticate"));
}

#[test]
fn each_fault_of_a_head_has_its_status() {
    let world = World::new();
    let session = world.open("ada");
    let cases = [
        (session.head().with("accept", "text/html"), 406),
        (session.head().with("content-type", "text/plain"), 415),
        (session.head().with("mcp-protocol-version", "1900-01-01"), 400),
        (session.head().with("mcp-protocol-version", "nonsense"), 400),
        (session.head().with("mcp-protocol-version", "2025-06-18"), 200),
        (session.head().with("mcp-protocol-version", "2025-11-25"), 200),
        (session.head().with("accept", "application/json"), 200),
        (session.head().with("mcp-session-id", "0".repeat(32)), 404),
        (session.head().with("mcp-session-id", "../../etc"), 404),
        (session.head().with("mcp-session-id", ""), 404),
        (post("ada"), 400),
    ];
    for (head, status) in cases {
        let sent = world.send(head.clone(), request(1, "ping", json!({})));
        assert_eq!(sent.status, status, "{head:?}");
    }
    let put = Head::new("PUT", "localhost").with("authorization", "Bearer ada");
    let sent = world.send(put, "");
    assert_eq!(
        (sent.status, sent.header("allow").unwrap().contains("GET, POST, DELETE")),
        (405, true)
    );
}

#[test]
fn without_a_session_there_is_nothing_to_get_or_to_end() {
    let world = World::new();
    let head = |method: &str| {
        Head::new(method, "localhost")
            .with("authorization", "Bearer ada")
            .with("accept", "text/event-stream")
    };
    assert_eq!(world.send(head("GET"), "").status, 405);
    assert_eq!(world.send(head("DELETE"), "").status, 400);
    let modern = |method: &str| head(method).with("mcp-protocol-version", "2026-07-28");
    assert_eq!(
        [world.send(modern("GET"), "").status, world.send(modern("DELETE"), "").status],
        [405, 405]
    );
}

#[test]
fn each_fault_of_a_body_has_its_code_and_keeps_its_id() {
    let world = World::new();
    let session = world.open("ada");
    let cases = [
        ("{", -32_700, None),
        ("", -32_700, None),
        ("[]", -32_600, None),
        (r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, -32_600, None),
        (r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, -32_600, Some(json!(1))),
        (r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32_600, None),
        (r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, -32_600, None),
        (r#"{"jsonrpc":"2.0","id":"a","method":7}"#, -32_600, Some(json!("a"))),
        (r#"{"jsonrpc":"2.0","id":"a","result":1,"error":1}"#, -32_600, Some(json!("a"))),
    ];
    for (body, code, id) in cases {
        for head in [session.head(), post("ada")] {
            let sent = world.send(head, body);
            assert_eq!((sent.status, sent.code()), (400, code), "{body}");
            assert_eq!(sent.json().get("id").cloned(), id, "{body}");
        }
    }
    let large = world.send(session.head(), " ".repeat(4 * 1_024 * 1_024 + 1));
    assert_eq!(large.status, 413);
}

#[test]
fn what_asks_for_nothing_is_taken_with_202_and_no_body() {
    let world = World::new();
    let session = world.open("ada");
    let bodies = [
        r#"{"jsonrpc":"2.0","method":"notifications/anything"}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":null}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"none"}}"#,
        r#"{"jsonrpc":"2.0","id":"nobody-asked","result":{}}"#,
        r#"{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"no"}}"#,
    ];
    for body in bodies {
        let sent = session.post(body);
        assert_eq!((sent.status, sent.text().as_str()), (202, ""), "{body}");
    }
}

#[test]
fn what_is_not_offered_is_no_method() {
    let world = World::new();
    let session = world.open("ada");
    let methods = [
        "logging/setLevel",
        "prompts/list",
        "resources/list",
        "completion/complete",
        "server/discover",
        "x",
    ];
    for method in methods {
        let sent = session.post(request(1, method, json!({})));
        assert_eq!((sent.status, sent.code()), (200, -32_601), "{method}");
    }
}

#[test]
fn a_client_that_reads_one_kind_of_answer_gets_that() {
    let world = World::new();
    let session = world.open("ada");
    let ping = request(1, "ping", json!({}));
    let events = world.send(session.head().with("accept", "text/event-stream"), ping.clone());
    assert!(events.is_events());
    assert_eq!(events.messages(), [json!({"jsonrpc": "2.0", "id": 1, "result": {}})]);
    world.script(&["m.read"]);
    let json =
        world.send(session.head().with("accept", "application/json"), super::world::execute(1));
    assert!(!json.is_events());
    assert_eq!(json.result()["structuredContent"], json!({"said": ["m.read"]}));
}

#[test]
fn tools_of_one_page_and_calls_that_are_none_are_told_apart() {
    let world = World::new();
    let session = world.open("ada");
    let call = |params| session.post(request(1, "tools/call", params));
    assert_eq!(session.post(request(1, "tools/list", json!({"cursor": "x"}))).code(), -32_602);
    assert_eq!(call(json!({})).code(), -32_602);
    assert_eq!(call(json!({"name": 1})).code(), -32_602);
    assert_eq!(call(json!({"name": "execute", "task": {}})).code(), -32_601);
    let unknown = call(json!({"name": "other", "arguments": {}}));
    assert_eq!(unknown.messages().last().unwrap()["error"]["code"], json!(-32_602));
    for arguments in [json!({}), json!({"code": 1}), json!({"code": "", "more": 1}), json!([])] {
        let wrong = call(json!({"name": "execute", "arguments": arguments}));
        assert_eq!(wrong.result()["isError"], json!(true), "{arguments}");
        assert!(wrong.result().get("structuredContent").is_none());
        assert!(wrong.first().starts_with("input-invalid: "));
    }
}

#[test]
fn execute_is_the_only_tool_and_its_schema_a_plain_closed_object() {
    let world = World::new();
    let tools = world.open("ada").request("tools/list", json!({}))["result"]["tools"].clone();
    assert_eq!(tools.as_array().map(Vec::len), Some(1));
    assert_eq!(tools[0]["name"], json!("execute"));
    let schema = json!({
        "type": "object",
        "properties": {"code": {"type": "string", "description": "The body of an async function."}},
        "required": ["code"],
        "additionalProperties": false,
    });
    assert_eq!(tools[0]["inputSchema"], schema);
    assert!(tools[0].get("outputSchema").is_none());
}

#[test]
fn a_status_is_told_to_whoever_is_let_in_and_to_nobody_else() {
    let world = World::new();
    let gate = Rc::new(Gate {
        origins: Origins::default(),
        challenge: Challenge::default(),
        authenticate: world.door.clone(),
    });
    let asked = |head: Head| {
        let gate = Rc::clone(&gate);
        let status = || Status::new(&Counters::default(), &[]);
        let asking = async move { gate.status(&head, status).await };
        world.host.start(asking).end().unwrap()
    };
    let head = |method| Head::new(method, "localhost").with("authorization", "Bearer ada");
    let told = asked(head("GET"));
    assert_eq!(told.status, 200);
    assert!(matches!(told.body, Body::Json(text) if text.contains("\"running\":0")));
    assert_eq!(asked(head("POST")).status, 405);
    assert_eq!(asked(Head::new("GET", "localhost")).status, 401);
    assert_eq!(asked(Head::new("POST", "localhost")).status, 401, "before its method");
    assert_eq!(asked(head("GET").with("origin", "https://evil.example")).status, 403);
}
