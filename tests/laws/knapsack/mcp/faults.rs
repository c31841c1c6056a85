//! Servers that break, lie and flood.

use mycelium::{
    limits::{MCP_ANSWER_BYTES, MCP_TIMEOUT_MS},
    port::fetch::FetchError,
    testing::Reply,
};
use serde_json::{Value, json};

use super::fake::{
    Called, Fake, Speaks, World, event, events, one, response, server, text, tool, with,
};

fn reading(answers: impl Fn(&Called) -> Reply + 'static) -> Fake {
    let mut listed = tool("t");
    listed["annotations"] = json!({"readOnlyHint": true});
    Fake::new(Speaks::Sessions("2025-11-25"), vec![listed]).answering(answers)
}

/// Answers that leave open whether the call was done.
fn lost() -> Vec<(&'static str, Reply)> {
    let json = |status, text: &str| Reply::json(status, text);
    let begun = |parts: &[&str]| parts.iter().map(|part| part.as_bytes().to_vec()).collect();
    let json_head = || vec![("content-type".to_owned(), "application/json".to_owned())];
    let evidence = || "canary".to_owned();
    vec![
        ("half a response", Reply::Cut { headers: json_head(), parts: begun(&["{\"jsonrpc\":"]) }),
        ("a short body that claims to be whole", json(200, "{\"jsonrpc\": \"2.0\", \"id\"")),
        ("an empty body", json(200, "")),
        ("a cut stream", Reply::Cut { headers: events(), parts: begun(&["data: {\"json"]) }),
        ("a stream without the answer", {
            Reply::Answer { status: 200, headers: events(), parts: begun(&[": nothing\n\n"]) }
        }),
        ("an event that is no message", {
            Reply::Answer { status: 200, headers: events(), parts: begun(&["data: {\n\n"]) }
        }),
        ("a batch", json(200, "[]")),
        ("another's answer", json(200, r#"{"jsonrpc":"2.0","id":"x","result":{}}"#)),
        ("accepted and no more", Reply::Answer { status: 202, headers: vec![], parts: vec![] }),
        ("a page", Reply::Answer { status: 200, headers: vec![], parts: begun(&["<html>"]) }),
        ("a gateway's words", json(502, "canary")),
        (
            "no UTF-8",
            not_utf8(vec![("content-type".to_owned(), "application/json".to_owned())], b""),
        ),
        ("events that are no UTF-8", not_utf8(events(), b"data: ")),
        ("no answer", Reply::Fails(FetchError::Unreachable { evidence: evidence() })),
    ]
}

/// An answer that could only be read as another one.
fn not_utf8(headers: Vec<(String, String)>, before: &[u8]) -> Reply {
    let mut body = before.to_vec();
    body.extend(br#"{"jsonrpc": "2.0", "id": "x", "result": {"structuredContent": "#);
    body.extend(b"\"\xff\"}}\n\n");
    Reply::Answer { status: 200, headers, parts: vec![body] }
}

#[test]
fn a_call_without_a_usable_answer_may_have_been_done_and_is_not_sent_again() {
    for (name, reply) in lost() {
        let fake = one(move |_| reply.clone());
        let world = World::new(&fake);
        let failure = world.only().unwrap_err();
        assert_eq!(failure.code(), "outcome-unknown", "{name}: {failure}");
        assert!(!failure.to_string().contains("canary"), "{name}: {failure}");
        assert_eq!((fake.times("tools/call t"), world.network.open()), (1, 0), "{name}");
    }
}

#[test]
fn what_only_reads_is_asked_once_more_and_no_oftener() {
    for (name, reply) in lost() {
        let fake = reading(move |_| reply.clone());
        let failure = World::new(&fake).only().unwrap_err();
        assert_eq!(failure.code(), "capability-failed", "{name}: {failure}");
        assert!(failure.to_string().contains("call it again"), "{failure}");
        assert_eq!(fake.times("tools/call t"), 2, "{name}");
        let once = std::cell::Cell::new(false);
        let (_, reply) = lost().into_iter().find(|(other, _)| *other == name).unwrap();
        let fake = reading(move |called| {
            if once.replace(true) {
                with(called, &json!({"structuredContent": 1}))
            } else {
                reply.clone()
            }
        });
        assert_eq!(World::new(&fake).only(), Ok(json!(1)), "{name}");
    }
}

#[test]
fn a_server_that_restarts_in_a_call_leaves_a_write_unknown_and_serves_the_next() {
    for reads in [false, true] {
        let (answers, restarted) = (std::cell::Cell::new(0), std::cell::RefCell::new(None::<Fake>));
        let answers_of = move |called: &Called, fake: &Fake| {
            answers.set(answers.get() + 1);
            if answers.get() == 1 {
                fake.restart();
                return Reply::Cut { headers: events(), parts: vec![b": begun\n\n".to_vec()] };
            }
            with(called, &json!({"structuredContent": 1}))
        };
        let fake = if reads { reading(|_| Reply::Silent) } else { one(|_| Reply::Silent) };
        restarted.replace(Some(fake.clone()));
        let shared = fake.clone();
        let fake = fake.answering(move |called| answers_of(called, &shared));
        let world = World::new(&fake);
        let first = world.only();
        if reads {
            assert_eq!(first, Ok(json!(1)), "asked once more, in a new session");
        } else {
            assert_eq!(first.unwrap_err().code(), "outcome-unknown");
            assert_eq!(world.only(), Ok(json!(1)));
        }
        assert_eq!(fake.times("initialize"), 2);
    }
}

#[test]
fn what_is_turned_away_was_not_done_and_says_so() {
    let json = |status, text: &str| Reply::json(status, text);
    let busy = Reply::Answer {
        status: 429,
        headers: vec![("retry-after".to_owned(), "7".to_owned())],
        parts: Vec::new(),
    };
    for (reply, says) in [
        (json(403, "canary"), "(403)"),
        (json(405, "canary"), "405"),
        (json(413, "canary"), "413"),
        (json(401, "canary"), "sign-in is needed"),
        (busy, "try again after 7"),
        (Reply::Fails(FetchError::Unsendable { evidence: "canary".to_owned() }), "can't be sent"),
    ] {
        let fake = one(move |_| reply.clone());
        let failure = World::new(&fake).only().unwrap_err();
        let said = failure.to_string();
        assert_eq!(failure.code(), "capability-failed", "{said}");
        assert!(said.contains(says) && said.contains("nothing was done"), "{said}");
        assert!(!said.contains("canary"), "{said}");
    }
}

#[test]
#[allow(clippy::disallowed_methods, reason = "the real time: it is what a flood costs")]
fn a_flood_is_read_up_to_its_bound_and_let_go() {
    // As JSON and as a stream, with and without an end of line.
    let mib = |fill: &str| fill.repeat((1 << 20) / fill.len()).into_bytes();
    let stream = |part: &str| {
        let parts = std::iter::repeat_n(mib(part), 100).collect();
        Reply::Answer { status: 200, headers: events(), parts }
    };
    let json = Reply::Answer {
        status: 200,
        headers: vec![
            ("content-type".to_owned(), "application/json".to_owned()),
            ("content-length".to_owned(), "10".to_owned()),
        ],
        parts: std::iter::repeat_n(mib("["), 100).collect(),
    };
    for reply in [json, stream("x"), stream(":\n"), stream("data: x\n"), stream("\r\n")] {
        let fake = one(move |_| reply.clone());
        let world = World::new(&fake);
        let failure = world.only().unwrap_err();
        assert_eq!(failure.code(), "output-invalid", "{failure}");
        assert!(failure.to_string().contains(&MCP_ANSWER_BYTES.to_string()), "{failure}");
        assert_eq!(world.network.open(), 0);
    }
}

#[test]
fn a_server_that_says_nothing_or_drips_is_given_up_at_the_deadline() {
    let drips = Reply::Stalls { headers: events(), parts: vec![b": a\n\n: b".to_vec()] };
    let halves = Reply::Stalls {
        headers: vec![("content-type".to_owned(), "application/json".to_owned())],
        parts: vec![b"{".to_vec()],
    };
    for reply in [Reply::Silent, drips, halves] {
        let fake = one(move |_| reply.clone());
        let world = World::new(&fake);
        let mut started = world.start("t", json!({}));
        world.host.pass(MCP_TIMEOUT_MS - 1);
        assert!(started.end().is_none());
        world.host.pass(1);
        let failure = started.end().unwrap().unwrap_err();
        assert_eq!(failure.code(), "outcome-unknown", "{failure}");
        assert_eq!(world.network.open(), 0);
        assert_eq!(fake.times("notifications/cancelled"), 1);
    }
}

#[test]
fn the_calls_own_deadline_comes_before_the_servers_time() {
    let fake = one(|_| Reply::Silent);
    let world = World::new(&fake);
    let catalog = world.catalog().unwrap();
    let entry = catalog.find("mcp.fake.t").unwrap().clone();
    let mut started = world.host.start(async move {
        let context = mycelium::operation::Context::builder().deadline_ms(2_000).build();
        entry.operation().decode(json!({})).unwrap().run(context).await
    });
    world.host.pass(1_999);
    assert!(started.end().is_none());
    world.host.pass(1);
    assert!(started.end().unwrap().is_err());
}

#[test]
fn pages_without_end_and_in_a_circle_are_no_list() {
    let circle = |_: &mycelium::port::fetch::Request, body: &Value| {
        (body["method"] == "tools/list").then(|| {
            let result = json!({"tools": [], "nextCursor": "again"});
            Reply::json(200, &response(&body["id"], &result).to_string())
        })
    };
    let fake = one(|called| with(called, &text("done")));
    fake.before(circle);
    assert!(World::new(&fake).catalog().unwrap_err().contains("circle"));
    assert_eq!(fake.times("tools/list"), 2);
    let endless = std::cell::Cell::new(0);
    fake.before(move |_, body| {
        (body["method"] == "tools/list").then(|| {
            endless.set(endless.get() + 1);
            let result = json!({"tools": [], "nextCursor": endless.get().to_string()});
            Reply::json(200, &response(&body["id"], &result).to_string())
        })
    });
    assert!(World::new(&fake).catalog().unwrap_err().contains("too many pages"));
}

#[test]
fn a_thousand_tools_are_offered_and_far_too_many_are_not() {
    let many = |count: usize| (0..count).map(|at| tool(&format!("tool-{at}"))).collect();
    let fake = Fake::new(Speaks::Sessions("2025-11-25"), many(1_000));
    let world = World::new(&fake);
    let catalog = world.catalog().unwrap();
    assert_eq!((catalog.entries().len(), fake.times("tools/list")), (1_000, 10));
    assert!(catalog.find("mcp.fake.tool_999").is_some());
    let next = World::over(&fake, server(), fake.network(), world.storage.clone());
    assert_eq!(next.upstream.kept().unwrap().tools.len(), 1_000);
    let fake = Fake::new(Speaks::Sessions("2025-11-25"), many(2_001));
    assert!(World::new(&fake).catalog().unwrap_err().contains("more than 2000 tools"));
}

#[test]
fn tools_that_become_alike_are_called_each_by_its_own_name() {
    let names = ["a-b", "a_b", "a.b", "a b"];
    let fake = Fake::new(Speaks::Stateless, names.map(tool).to_vec())
        .answering(|called| with(called, &json!({"structuredContent": called.name})));
    let world = World::new(&fake);
    for (path, name) in [("a_b", "a_b"), ("a_b_2", "a b"), ("a_b_3", "a-b"), ("a_b_4", "a.b")] {
        assert_eq!(world.call(path, json!({})), Ok(json!(name)));
    }
    let catalog = world.catalog().unwrap();
    let notes = catalog.find("mcp.fake.a_b_2").unwrap().operation().notes().join("\n");
    assert!(notes.contains("The server calls it \"a b\"."), "{notes}");
}

#[test]
fn a_schema_outside_of_the_subset_still_takes_an_object_and_is_shown() {
    let schema =
        json!({"type": "object", "properties": {"next": {"$ref": "#"}, "n": {"type": "integer"}}});
    for (schema, shown) in
        [(schema, "next?:"), (json!({"type": "objekt"}), "objekt"), (json!("x"), "\"x\"")]
    {
        let listed = json!({"name": "t", "inputSchema": schema});
        let fake = Fake::new(Speaks::Stateless, vec![listed])
            .answering(|called| with(called, &json!({"structuredContent": called.arguments})));
        let world = World::new(&fake);
        let input = json!({"next": {"n": 1}, "n": "not checked here"});
        assert_eq!(world.call("t", input.clone()), Ok(input));
        assert_eq!(world.call("t", json!(1)).unwrap_err().code(), "input-invalid");
        let catalog = world.catalog().unwrap();
        let operation = catalog.find("mcp.fake.t").unwrap().operation();
        assert!(
            operation.instructions().unwrap().contains(shown),
            "{:?}",
            operation.instructions()
        );
        assert!(operation.notes().join("\n").contains("the server checks"));
    }
}

#[test]
fn a_list_that_is_none_is_unusable_and_a_tool_listed_twice_is_one() {
    for tools in [json!([{"title": "no name"}]), json!([7]), json!([{"name": 7}])] {
        let fake = Fake::new(Speaks::Stateless, tools.as_array().unwrap().clone());
        assert!(World::new(&fake).catalog().is_err(), "{tools}");
    }
    let fake = Fake::new(Speaks::Stateless, vec![tool("t"), tool("t")]);
    assert_eq!(World::new(&fake).catalog().unwrap().entries().len(), 1);
    let fake = Fake::new(Speaks::Stateless, Vec::new());
    assert!(World::new(&fake).catalog().unwrap_err().contains("no tools"));
}

#[test]
fn what_is_cut_more_often_than_it_may_is_given_up() {
    let fake = one(|_| Reply::Cut { headers: events(), parts: vec![b"id: 1\ndata:\n\n".to_vec()] });
    fake.before(|request, _| {
        (request.method == "GET").then(|| Reply::Cut {
            headers: events(),
            parts: vec![event(&json!({"jsonrpc": "2.0", "method": "x"}))],
        })
    });
    let world = World::new(&fake);
    assert_eq!(world.only().unwrap_err().code(), "outcome-unknown");
    assert_eq!(fake.times("GET"), 17);
}
