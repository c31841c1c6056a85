//! Rows N1 to N9 and the lifecycle: how sessions begin and end.

use serde_json::{Value, json};

use super::world::{World, execute, initialize, post, request};

#[test]
fn a_revision_that_is_not_spoken_is_answered_with_2025_11_25() {
    let world = World::new();
    let asked =
        ["2025-11-25", "2025-06-18", "2024-11-05", "2025-03-26", "2026-07-28", "1999-01-01"];
    let said = ["2025-11-25", "2025-06-18", "2025-11-25", "2025-11-25", "2025-11-25", "2025-11-25"];
    for (asked, said) in asked.into_iter().zip(said) {
        let sent = world.send(post("ada"), initialize(asked, &json!({})));
        assert_eq!(sent.result()["protocolVersion"], json!(said), "{asked}");
    }
    for params in [json!({}), json!({"protocolVersion": 1})] {
        let sent = world.send(post("ada"), request(1, "initialize", params));
        assert_eq!(sent.code(), -32_602);
        assert_eq!(sent.header("mcp-session-id"), None);
    }
}

#[test]
fn initialize_offers_tools_alone_and_the_catalogs_instructions() {
    let world = World::new();
    let sent = world.send(post("ada"), initialize("2025-11-25", &json!({})));
    let result = sent.result();
    assert_eq!(result["capabilities"], json!({"tools": {}}));
    assert_eq!(result["instructions"], json!("Use m."));
    assert_eq!(result["serverInfo"]["name"], json!("mycelium"));
    let id = sent.header("mcp-session-id").unwrap();
    assert_eq!(id.len(), 32);
    assert!(id.bytes().all(|byte| (0x21..=0x7e).contains(&byte)));
}

#[test]
fn ping_is_answered_before_the_client_is_ready() {
    let world = World::new();
    let sent = world.send(post("ada"), initialize("2025-11-25", &json!({})));
    let id = sent.header("mcp-session-id").unwrap();
    let pong = world.send(post("ada").with("mcp-session-id", id), request("p", "ping", json!({})));
    assert_eq!(pong.json(), json!({"jsonrpc": "2.0", "id": "p", "result": {}}));
}

#[test]
fn an_initialize_on_an_open_session_is_refused_and_with_a_stale_one_opens_another() {
    let world = World::new();
    let session = world.open("ada");
    let again = initialize("2025-11-25", &json!({}));
    let sent = session.post(again.clone());
    assert_eq!((sent.status, sent.code()), (400, -32_600));
    for stale in ["0".repeat(32), "x".to_owned()] {
        let sent = world.send(post("ada").with("mcp-session-id", &stale), again.clone());
        let fresh = sent.header("mcp-session-id").unwrap();
        assert!(sent.status == 200 && fresh != stale && fresh != session.id);
    }
}

#[test]
fn an_ended_session_is_404_by_every_method() {
    let world = World::new();
    let session = world.open("ada");
    assert_eq!(session.delete(), 204);
    assert_eq!(session.post(request(1, "ping", json!({}))).status, 404);
    assert_eq!(session.get(None).status, 404);
    assert_eq!(session.get(Some("a-1")).status, 404);
    assert_eq!(session.delete(), 404);
    assert_eq!(world.catalog.open_sessions(), 0);
}

#[test]
fn another_principal_learns_nothing_of_a_session_by_any_method() {
    let world = World::new();
    let session = world.open("ada");
    let asking = session.execute("run", &["m.remove"]);
    let question = asking.question();
    let foreign =
        super::world::Session { world: &world, name: "bob".to_owned(), id: session.id.clone() };
    let unknown =
        super::world::Session { world: &world, name: "bob".to_owned(), id: "0".repeat(32) };
    let both = |ask: &dyn Fn(&super::world::Session<'_>) -> (u16, String)| {
        assert_eq!(ask(&foreign), ask(&unknown), "the two can be told apart");
        assert_eq!(ask(&foreign).0, 404);
    };
    both(&|session| {
        let sent = session.post(request(1, "ping", json!({})));
        (sent.status, sent.text())
    });
    both(&|session| {
        let sent = session.get(None);
        (sent.status, sent.text())
    });
    both(&|session| {
        let sent = session.get(Some(&asking.last_id()));
        (sent.status, sent.text())
    });
    both(&|session| {
        let body = json!({"jsonrpc": "2.0", "id": question, "result": super::world::agreed()});
        let sent = session.post(body.to_string());
        (sent.status, sent.text())
    });
    both(&|session| (session.delete(), String::new()));
    assert!(world.ran.borrow().is_empty(), "the foreign answer counted");
    assert_eq!(session.answer(&question, super::world::agreed()), 202);
    assert_eq!(asking.calls(), [json!("m.remove")]);
}

#[test]
fn delete_ends_what_runs_and_its_streams_end_without_an_answer() {
    let world = World::new();
    let session = world.open("ada");
    let running = session.execute("run", &["m.never"]);
    let asking = session.execute("ask", &["m.remove"]);
    assert!(!running.ended() && !asking.ended());
    assert_eq!(session.delete(), 204);
    world.host.settle();
    for sent in [&running, &asking] {
        assert!(sent.ended());
        assert!(sent.messages().iter().all(|message| message.get("method").is_some()));
    }
}

#[test]
fn a_cancelled_request_is_not_answered_and_its_id_is_free_again() {
    let world = World::new();
    let session = world.open("ada");
    let running = session.execute("run", &["m.never"]);
    let twice = session.post(execute("run"));
    assert_eq!(twice.code(), -32_600);
    assert_eq!(session.notify("notifications/cancelled", json!({"requestId": "run"})), 202);
    assert!(running.ended() && running.messages().is_empty());
    let again = session.execute("run", &["m.read"]);
    assert_eq!(again.calls(), [json!("m.read")]);
}

#[test]
fn a_session_that_nobody_uses_ends_after_a_day_and_one_in_use_doesn_t() {
    let world = World::new();
    let (idle, used) = (world.open("ada"), world.open("ada"));
    for _ in 0..13 {
        world.host.pass(2 * 60 * 60 * 1_000);
        assert_eq!(
            used.notify("notifications/anything", Value::Object(serde_json::Map::new())),
            202
        );
    }
    // The server looks when somebody opens another.
    world.open("bob");
    assert_eq!(idle.post(request(1, "ping", json!({}))).status, 404);
    assert_eq!(used.post(request(1, "ping", json!({}))).status, 200);
}

#[test]
fn a_closed_server_refuses_ends_its_streams_and_leaves_sessions_to_the_catalog() {
    let world = World::new();
    let session = world.open("ada");
    let running = session.execute("run", &["m.never"]);
    world.mcp.close();
    world.host.settle();
    assert!(running.ended());
    assert_eq!(session.post(request(1, "ping", json!({}))).status, 503);
    assert_eq!(world.catalog.open_sessions(), 1);
}
