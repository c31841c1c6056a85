//! Both eras, sessions and their end.

use mycelium::{
    knapsack::mcp::{McpServer, Protocol},
    testing::Reply,
};
use serde_json::{Value, json};

use super::fake::{Fake, Speaks, World, header, one, server, text, tool, with};

fn speaking(protocol: Protocol) -> McpServer {
    let mut server = server();
    server.protocol = protocol;
    server
}

fn enveloped(said: &str) -> Value {
    let mut value = text(said);
    value["isError"] = json!(false);
    value
}

#[test]
fn every_revision_is_spoken_as_it_wants_to_be() {
    let sessions = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
    for speaks in
        sessions.map(Speaks::Sessions).into_iter().chain([Speaks::Stateless, Speaks::Both])
    {
        let fake = Fake::new(speaks, vec![tool("t"), tool("ünï")]);
        let world = World::new(&fake);
        assert_eq!(world.only(), Ok(enveloped("done")), "{speaks:?}");
        assert_eq!(world.call("ünï", json!({})), Ok(enveloped("done")), "{speaks:?}");
        let seen = fake.seen.borrow();
        let first = ["initialize", "notifications/initialized", "tools/list"];
        let other = ["initialize", "server/discover", "tools/list"];
        let begun = if speaks == Speaks::Stateless { other } else { first };
        assert_eq!(seen[..3], begun, "{speaks:?}");
    }
}

#[test]
fn an_owner_chooses_the_era() {
    let fake = Fake::new(Speaks::Both, vec![tool("t")]);
    let world = World::with(&fake, speaking(Protocol::Stateless));
    assert_eq!(world.only(), Ok(enveloped("done")));
    assert_eq!((fake.times("initialize"), fake.times("server/discover")), (0, 1));
    let fake = Fake::new(Speaks::Stateless, vec![tool("t")]);
    let world = World::with(&fake, speaking(Protocol::Sessions));
    assert!(world.catalog().is_err());
    assert_eq!(fake.times("server/discover"), 0);
}

#[test]
fn a_revision_that_is_not_understood_is_not_spoken() {
    let fake = Fake::new(Speaks::Sessions("2031-01-01"), vec![tool("t")]);
    let error = World::new(&fake).catalog().unwrap_err();
    assert!(error.contains("2031-01-01"), "{error}");
}

#[test]
fn one_session_serves_all_and_outlives_its_owner() {
    let fake = one(|called| with(called, &text("done")));
    let world = World::new(&fake);
    for _ in 0..3 {
        world.only().unwrap();
    }
    let next = World::over(&fake, server(), fake.network(), world.storage.clone());
    assert_eq!(next.upstream.kept().unwrap().tools.len(), 1, "the tools are kept too");
    next.only().unwrap();
    assert_eq!(fake.times("initialize"), 1);
}

#[test]
fn a_forgotten_session_is_begun_anew_and_the_call_sent_again() {
    // Some servers say 404, and some 400 with an error for no request.
    for status in [404, 400] {
        let fake = one(|called| with(called, &text("done")));
        fake.unknown.set(status);
        let world = World::new(&fake);
        world.only().unwrap();
        fake.restart();
        assert_eq!(world.only(), Ok(enveloped("done")), "{status}");
        assert_eq!(fake.times("initialize"), 2);
        // The list found out, before the call did.
        fake.seen.borrow_mut().clear();
        let mut started = world.start("t", json!({}));
        assert!(started.end().unwrap().is_ok());
    }
}

#[test]
fn a_call_that_finds_its_session_gone_is_sent_once_more_and_no_oftener() {
    let fake = one(|called| with(called, &text("done")));
    let world = World::new(&fake);
    world.only().unwrap();
    let restarts = fake.clone();
    fake.before(move |_, body| {
        if body["method"] == "tools/call" {
            restarts.restart();
        }
        None
    });
    fake.seen.borrow_mut().clear();
    let failure = world.only().unwrap_err();
    assert_eq!(failure.code(), "capability-failed");
    assert!(failure.to_string().contains("nothing was done"), "{failure}");
    assert_eq!((fake.times("tools/call t"), fake.times("initialize")), (2, 1));
}

#[test]
fn a_write_is_not_sent_again_for_a_refusal_that_may_mean_anything() {
    for reads in [false, true] {
        let mut listed = tool("t");
        listed["annotations"] = json!({"readOnlyHint": reads});
        let fake = Fake::new(Speaks::Sessions("2025-11-25"), vec![listed])
            .answering(|called| with(called, &text("done")));
        let world = World::new(&fake);
        world.only().unwrap();
        let once = std::cell::Cell::new(false);
        fake.before(move |_, body| {
            let refuses = body["method"] == "tools/call" && !once.replace(true);
            let error = json!({"code": -32_000, "message": "canary"});
            let error = json!({"jsonrpc": "2.0", "id": null, "error": error});
            refuses.then(|| Reply::json(400, &error.to_string()))
        });
        fake.seen.borrow_mut().clear();
        let first = world.only();
        assert_eq!(fake.times("initialize"), 1, "the session is begun anew");
        if reads {
            assert_eq!((first, fake.times("tools/call t")), (Ok(enveloped("done")), 2));
            continue;
        }
        let failure = first.unwrap_err();
        assert_eq!(failure.code(), "outcome-unknown", "{failure}");
        assert_eq!(fake.times("tools/call t"), 1);
        assert_eq!(world.only(), Ok(enveloped("done")));
    }
}

#[test]
fn many_calls_that_find_the_session_gone_begin_one_new_session() {
    let fake = one(|called| with(called, &text("done")));
    let world = World::new(&fake);
    world.only().unwrap();
    let catalog = world.catalog().unwrap();
    fake.restart();
    fake.seen.borrow_mut().clear();
    let run = |_| {
        let entry = catalog.find("mcp.fake.t").unwrap().clone();
        async move {
            let context = mycelium::operation::Context::builder().build();
            entry.operation().decode(json!({})).unwrap().run(context).await
        }
    };
    // All at once: each has sent its request before any is answered.
    let answers = world.host.run(futures::future::join_all((0..20).map(run)));
    assert!(answers.unwrap().iter().all(Result::is_ok));
    assert_eq!(fake.times("initialize"), 1);
}

#[test]
fn a_servers_own_questions_are_answered_and_refused() {
    let fake = one(|called| {
        let ping = json!({"jsonrpc": "2.0", "id": 7, "method": "ping"});
        let asks =
            json!({"jsonrpc": "2.0", "id": "x", "method": "elicitation/create", "params": {}});
        let end = super::fake::response(&called.id, &text("done"));
        let parts = [ping, asks, end].iter().map(super::fake::event).collect();
        Reply::Answer { status: 200, headers: super::fake::events(), parts }
    });
    let world = World::new(&fake);
    assert_eq!(world.only(), Ok(enveloped("done")));
    let bodies: Vec<Value> = world
        .network
        .requests()
        .iter()
        .filter_map(|request| serde_json::from_slice(request.body.as_ref()?).ok())
        .collect();
    assert!(bodies.contains(&json!({"jsonrpc": "2.0", "id": 7, "result": {}})));
    let refused = bodies.iter().find(|body| body["id"] == "x").unwrap();
    assert_eq!(refused["error"]["code"], -32_601);
}

#[test]
fn a_redirect_is_refused_and_nothing_is_sent_after_it() {
    let fake = one(|called| with(called, &text("done")));
    fake.before(|_, _| {
        let headers = vec![("location".to_owned(), "https://elsewhere.example/mcp".to_owned())];
        Some(Reply::Answer { status: 307, headers, parts: Vec::new() })
    });
    let world = World::new(&fake);
    let error = world.catalog().unwrap_err();
    assert!(error.contains("redirect"), "{error}");
    assert!(world.network.requests().iter().all(|request| request.url == super::fake::URL));
}

#[test]
fn a_session_id_that_can_not_be_sent_back_is_none() {
    let fake = one(|called| with(called, &text("done")));
    fake.before(|_, body| {
        (body["method"] == "initialize").then(|| {
            let mut headers = vec![("mcp-session-id".to_owned(), "a b\r\nx: y".to_owned())];
            headers.push(("content-type".to_owned(), "application/json".to_owned()));
            let result = json!({"protocolVersion": "2025-11-25", "capabilities": {}});
            let text = super::fake::response(&body["id"], &result).to_string();
            Reply::Answer { status: 200, headers, parts: vec![text.into_bytes()] }
        })
    });
    let world = World::with(&fake, speaking(Protocol::Sessions));
    assert!(world.catalog().unwrap_err().contains("can't be sent back"));
    let requests = world.network.requests();
    assert!(requests.iter().all(|request| header(request, "mcp-session-id").is_none()));
}

#[test]
fn a_server_that_changes_its_era_is_spoken_to_in_the_other() {
    let sessions = Speaks::Sessions("2025-11-25");
    for (first, then) in [(Speaks::Stateless, sessions), (sessions, Speaks::Stateless)] {
        let fake = Fake::new(first, vec![tool("t")]);
        let world = World::new(&fake);
        assert_eq!(world.only(), Ok(enveloped("done")));
        fake.speaks.set(then);
        assert_eq!(world.only(), Ok(enveloped("done")), "{first:?}");
    }
}

#[test]
fn what_another_server_left_under_the_same_id_is_not_used() {
    let fake = one(|called| with(called, &text("done")));
    let world = World::new(&fake);
    world.only().unwrap();
    let elsewhere = mycelium::knapsack::mcp::Endpoint::new("https://other.example/mcp").unwrap();
    let moved = McpServer::new("test-fake", "fake", elsewhere);
    let next = World::over(&fake, moved, fake.network(), world.storage.clone());
    assert!(next.upstream.kept().is_none());
    next.only().unwrap();
    let first = next.network.requests().remove(0);
    assert_eq!(header(&first, "mcp-session-id"), None, "a session is sent to its own server alone");
}

#[test]
fn a_list_that_was_missed_is_not_waited_for_again_at_once() {
    let fake = one(|called| with(called, &text("done")));
    let world = World::new(&fake);
    fake.before(|_, _| Some(Reply::json(503, "")));
    let list = || world.host.run(world.upstream.list(false)).unwrap();
    let first = list().unwrap_err();
    let asked = fake.seen.borrow().len();
    fake.before(|_, _| None);
    assert_eq!(list().unwrap_err(), first);
    assert_eq!(fake.seen.borrow().len(), asked);
    world.host.pass(mycelium::limits::CONNECT_AGAIN_MS);
    assert!(list().is_ok());
}
