//! Whose trace a call is part of, and what the log says of it.

use std::rc::Rc;

use mycelium::{
    mcp::Head,
    runtime::{Bookkeeper, Counters, Options},
};
use serde_json::{Value, json};

use super::world::{World, execute, post, request};

const OUTER: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
const INNER: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

fn world() -> World {
    World::with(|options| {
        let console = Rc::clone(&options.ports.console);
        let bookkeeper = Rc::new(Bookkeeper::new(Counters::default(), console));
        Options { on_execution: Some(bookkeeper), ..options }
    })
}

/// The trace and the parent of the last execution.
fn told(world: &World) -> (Value, Value) {
    let lines = world.host.lines();
    let line: Value = serde_json::from_str(lines.last().unwrap()).unwrap();
    assert_eq!(line["event"], "execution");
    assert_eq!(line["principalKind"], "member");
    (line["traceId"].clone(), line["parentSpanId"].clone())
}

fn place(text: &str) -> (Value, Value) {
    let parts: Vec<&str> = text.split('-').collect();
    (json!(parts[1]), json!(parts[2]))
}

/// A call in both kinds of protocol, with what `head` adds and what `_meta` says.
fn calls(world: &World, head: impl Fn(Head) -> Head, said: Option<&str>) -> [(Value, Value); 2] {
    let session = world.open("ada");
    let mut call: Value = serde_json::from_str(&execute("run")).unwrap();
    call["params"]["_meta"]["traceparent"] = json!(said);
    world.send(head(session.head()), call.to_string());
    let with_session = told(world);
    let modern = post("ada").with("mcp-protocol-version", "2026-07-28");
    let modern = modern.with("mcp-method", "tools/call").with("mcp-name", "execute");
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "traceparent": said,
    });
    let params = json!({"name": "execute", "arguments": {"code": "return 1"}, "_meta": meta});
    world.send(head(modern), request("c", "tools/call", params));
    [with_session, told(world)]
}

#[test]
fn an_execution_is_part_of_the_trace_of_its_request() {
    let world = world();
    let with = |head: Head| head.with("traceparent", OUTER);
    assert_eq!(calls(&world, with, None), [place(OUTER), place(OUTER)]);
}

#[test]
fn what_the_message_says_of_its_trace_is_closer_than_its_request() {
    let world = world();
    let with = |head: Head| head.with("traceparent", OUTER);
    assert_eq!(calls(&world, with, Some(INNER)), [place(INNER), place(INNER)]);
    assert_eq!(calls(&world, |head| head, Some(INNER)), [place(INNER), place(INNER)]);
}

#[test]
fn without_a_trace_or_with_nonsense_each_execution_begins_its_own() {
    let world = world();
    let nonsense = |head: Head| head.with("traceparent", "nonsense");
    for [one, other] in [calls(&world, |head| head, None), calls(&world, nonsense, Some("x"))] {
        assert_eq!((&one.1, &other.1), (&Value::Null, &Value::Null));
        assert_ne!(one.0, other.0);
    }
}
