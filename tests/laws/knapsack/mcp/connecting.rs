//! Many servers, some of which are away.

use std::{collections::BTreeMap, rc::Rc};

use futures::StreamExt as _;
use futures::{FutureExt, future::LocalBoxFuture};
use mycelium::{
    Mycelium,
    knapsack::{
        computers::{Unavailable, UnavailableObserver, WhyUnavailable},
        mcp::{
            Endpoint, LocalUpstream, McpConnection, McpPorts, McpServer, McpServers, SecretHeader,
        },
    },
    limits::{CONNECT_AGAIN_MS, CONNECT_ANEW_MS, CONNECT_MS, MCP_FRESH_MS},
    mcp::MemoryStorage,
    port::Clock as _,
    runtime::{Lease, Part, ToolCall},
    testing::{FakeFetch, Host, Reply, direct_sandbox},
};
use serde_json::json;

use super::{
    super::computer::{Told, lease, paths, runtime},
    fake::{Called, Fake, Known, Speaks, event, events, header, response, text, tool, with},
};

/// A host with several servers on one network, each at a host name of its own.
struct Many {
    host: Host,
    network: FakeFetch,
    secrets: Rc<Known>,
    fakes: BTreeMap<String, Fake>,
    told: Told,
    servers: Vec<McpServer>,
}

impl Many {
    fn new(fakes: impl IntoIterator<Item = (String, Fake)>) -> Self {
        let fakes: BTreeMap<String, Fake> = fakes.into_iter().collect();
        let routes: BTreeMap<String, FakeFetch> =
            fakes.iter().map(|(name, fake)| (url(name), fake.network())).collect();
        let scripted = fakes.clone();
        // One network for all, for the platform's connections are.
        let network = FakeFetch::new(move |request| {
            assert!(routes.contains_key(&request.url), "{}", request.url);
            let name = request.url.trim_start_matches("https://").split('.').next().unwrap();
            scripted[name].reply(request)
        });
        let servers = fakes
            .keys()
            .map(|name| {
                McpServer::new(&format!("test-{name}"), name, Endpoint::new(&url(name)).unwrap())
            })
            .collect();
        let (host, secrets, told) = (Host::new(), Rc::default(), Told::default());
        Self { host, network, secrets, fakes, told, servers }
    }

    fn source(&self) -> McpServers {
        let ports = McpPorts {
            fetch: Rc::new(self.network.clone()),
            secrets: self.secrets.clone(),
            host: self.host.ports(),
        };
        let connections = self.servers.iter().map(|server| {
            let server = Rc::new(server.clone());
            let rows = Rc::new(MemoryStorage::new());
            let upstream = LocalUpstream::new(Rc::clone(&server), ports.clone(), rows);
            McpConnection { server, upstream: Rc::new(upstream) }
        });
        McpServers::new(connections.collect(), ports.clone())
            .on_unavailable(Rc::new(self.told.clone()))
    }
}

fn url(name: &str) -> String {
    format!("https://{name}.example/mcp")
}

fn good() -> Fake {
    Fake::new(Speaks::Sessions("2025-11-25"), vec![tool("t")])
}

fn hanging() -> Fake {
    let fake = good();
    fake.before(|_, _| Some(Reply::Silent));
    fake
}

/// How long a lease takes over 20 servers of which some hang.
fn connecting(hang: usize, timeout_ms: u64) -> u64 {
    let fakes = (0..20).map(|at| (format!("s{at:02}"), if at < hang { hanging() } else { good() }));
    let many = Many::new(fakes);
    let runtime = runtime(&many.host, many.source().timeout_ms(timeout_ms));
    let before = many.host.time().now_ms();
    assert_eq!(paths(&lease(&many.host, &runtime).unwrap()).len(), 20 - hang);
    assert_eq!(many.told.names().len(), hang);
    assert!(many.network.most_open() <= 6);
    let spent = many.host.time().now_ms() - before;
    many.host.settle();
    assert_eq!(many.network.open(), 0, "one that hangs is let go");
    spent
}

#[test]
fn twenty_servers_of_which_five_hang_cost_one_timeout_and_of_which_six_hang_two_at_most() {
    // Also where a server's own owner would wait longer: what nobody waits for is given up.
    for ms in [CONNECT_MS, 1_000] {
        assert_eq!(connecting(0, ms), 0);
        assert_eq!(connecting(5, ms), ms);
        let six = connecting(6, ms);
        assert!(six <= 2 * ms, "{six}");
        assert_eq!(connecting(12, ms), 2 * ms);
    }
}

#[test]
fn those_that_answer_stay_and_the_others_are_left_out_and_reported() {
    let refusing = good();
    refusing.before(|_, _| Some(Reply::json(401, "who are you?")));
    let unusable = Fake::new(Speaks::Stateless, vec![json!({"title": "no name"})]);
    let broken = good();
    broken.before(|_, _| Some(Reply::json(500, "")));
    let fakes = [
        ("broken", broken),
        ("good", good()),
        ("hangs", hanging()),
        ("other", Fake::new(Speaks::Stateless, vec![tool("create-note")])),
        ("refuses", refusing),
        ("unusable", unusable),
    ];
    let mut many = Many::new(fakes.map(|(name, fake)| (name.to_owned(), fake)));
    many.servers.push(McpServer::new("test-good", "twin", Endpoint::new(&url("good")).unwrap()));
    let runtime = runtime(&many.host, many.source());
    let paths = paths(&lease(&many.host, &runtime).unwrap());
    assert_eq!(paths, ["mcp.good.t", "mcp.other.create_note"]);
    many.host.settle();
    let told: BTreeMap<_, _> =
        many.told.0.borrow().iter().map(|told| (told.name.clone(), told.why.clone())).collect();
    let names: Vec<_> = told.keys().map(String::as_str).collect();
    assert_eq!(names, ["broken", "hangs", "refuses", "twin", "unusable"]);
    assert_eq!(told["hangs"], WhyUnavailable::TimedOut { ms: CONNECT_MS });
    assert_eq!(told["twin"], WhyUnavailable::TwiceInList);
    assert!(matches!(told["broken"], WhyUnavailable::Failed { .. }));
    let WhyUnavailable::SignIn { says } = &told["refuses"] else { panic!("{told:?}") };
    assert!(says.contains("sign-in is needed: refuses asks for a credential"), "{says}");
    let lines = many.host.lines();
    assert_eq!(lines.iter().filter(|line| line.starts_with("MCP server ")).count(), 5, "{lines:?}");
}

#[test]
fn one_that_was_away_is_asked_again_later() {
    let many = Many::new([("s".to_owned(), good())]);
    let fake = &many.fakes["s"];
    fake.before(|_, _| Some(Reply::json(503, "")));
    let runtime = runtime(&many.host, many.source());
    let _first = lease(&many.host, &runtime).unwrap();
    fake.before(|_, _| None);
    many.host.pass(CONNECT_AGAIN_MS - 1);
    assert!(paths(&lease(&many.host, &runtime).unwrap()).is_empty());
    many.host.pass(1);
    assert_eq!(paths(&lease(&many.host, &runtime).unwrap()), ["mcp.s.t"]);
}

#[test]
fn one_that_was_mute_costs_nobody_its_whole_time_again() {
    let many = Many::new([("good".to_owned(), good()), ("s".to_owned(), hanging())]);
    let runtime = runtime(&many.host, many.source());
    let leased = || {
        let before = many.host.time().now_ms();
        let paths = paths(&lease(&many.host, &runtime).unwrap());
        (paths, many.host.time().now_ms() - before)
    };
    let without = || vec!["mcp.good.t".to_owned()];
    assert_eq!(leased(), (without(), CONNECT_MS));
    many.host.pass(CONNECT_AGAIN_MS);
    assert_eq!(leased(), (without(), CONNECT_ANEW_MS));
    assert_eq!(many.network.open(), 1, "it is asked on");
    many.host.pass(CONNECT_MS - CONNECT_ANEW_MS);
    assert_eq!(many.network.open(), 0, "and let go at the end of its time");
    many.fakes["s"].before(|_, _| None);
    many.host.pass(2 * CONNECT_AGAIN_MS);
    assert_eq!(leased(), (vec!["mcp.good.t".to_owned(), "mcp.s.t".to_owned()], 0));
}

#[test]
fn known_tools_are_offered_at_once_and_listed_anew_in_the_background() {
    let many = Many::new([("s".to_owned(), good())]);
    let fake = &many.fakes["s"];
    let runtime = runtime(&many.host, many.source());
    let first = lease(&many.host, &runtime).unwrap();
    drop(lease(&many.host, &runtime).unwrap());
    assert_eq!(fake.times("tools/list"), 1, "what is fresh isn't listed again");
    fake.tools.replace(vec![tool("u")]);
    many.host.pass(MCP_FRESH_MS);
    // However long the server takes now, a lease doesn't wait.
    fake.before(|_, body| (body["method"] == "tools/list").then_some(Reply::Silent));
    let now_ms = many.host.time().now_ms();
    assert_eq!(paths(&lease(&many.host, &runtime).unwrap()), ["mcp.s.t"]);
    assert_eq!(many.host.time().now_ms(), now_ms);
    fake.before(|_, _| None);
    many.host.pass(CONNECT_MS);
    let told = many.host.lines().join("\n");
    assert!(told.contains("those known before are offered on"), "{told}");
    drop(lease(&many.host, &runtime).unwrap());
    many.host.settle();
    assert_eq!(paths(&lease(&many.host, &runtime).unwrap()), ["mcp.s.u"]);
    assert_eq!(paths(&first), ["mcp.s.t"], "a lease keeps what it has");
}

#[test]
fn a_server_says_for_how_long_its_tools_hold() {
    for (ttl_ms, lasts_ms) in [(Some(7_000), 7_000), (Some(0), 5_000), (None, MCP_FRESH_MS)] {
        let many = Many::new([("s".to_owned(), good())]);
        let fake = &many.fakes["s"];
        fake.ttl_ms.set(ttl_ms);
        let runtime = runtime(&many.host, many.source());
        let _first = lease(&many.host, &runtime).unwrap();
        many.host.pass(lasts_ms - 1);
        drop(lease(&many.host, &runtime).unwrap());
        many.host.settle();
        assert_eq!(fake.times("tools/list"), 1, "{ttl_ms:?}");
        many.host.pass(1);
        drop(lease(&many.host, &runtime).unwrap());
        many.host.settle();
        assert_eq!(fake.times("tools/list"), 2, "{ttl_ms:?}");
    }
}

fn execute(host: &Host, runtime: &Mycelium) -> String {
    let runtime = runtime.clone();
    let run = host.run(async move {
        let lease = runtime.acquire(None).await.unwrap();
        let arguments = json!({"code": "return 1"});
        let call = ToolCall { id: "call-7".to_owned(), name: "execute".to_owned(), arguments };
        let prepared = lease.execute_tool().prepare(&call).unwrap();
        let mut parts: Vec<_> = prepared.execute(runtime.cancellation()).collect().await;
        lease.release().await;
        parts.pop().and_then(Part::last).unwrap().result.content.join("\n")
    });
    run.unwrap()
}

/// A runtime whose every program calls `t` of the server `s`.
fn calling(many: &Many) -> Mycelium {
    let sandbox =
        direct_sandbox(|bindings, _| async move { bindings.call("mcp.s.t", json!({})).await });
    let mut options = many.host.options(Vec::new(), sandbox);
    options.sources = vec![Rc::new(many.source())];
    Mycelium::open(options).unwrap()
}

#[test]
fn a_server_that_says_that_its_tools_changed_is_listed_anew_for_the_next_lease() {
    let many = Many::new([("s".to_owned(), good())]);
    let fake = many.fakes["s"].clone();
    let changing = fake.clone();
    let _ = fake.clone().answering(move |called: &Called| {
        changing.tools.replace(vec![tool("t"), tool("u")]);
        let changed = json!({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"});
        let parts = vec![event(&changed), event(&response(&called.id, &text("done")))];
        Reply::Answer { status: 200, headers: events(), parts }
    });
    let runtime = calling(&many);
    execute(&many.host, &runtime);
    many.host.settle();
    assert_eq!(paths(&lease(&many.host, &runtime).unwrap()), ["mcp.s.t", "mcp.s.u"]);
    assert_eq!(fake.times("tools/list"), 2);
}

#[test]
fn news_of_a_server_during_a_listing_begins_no_other() {
    let many = Many::new([("s".to_owned(), good())]);
    let fake = many.fakes["s"].clone();
    let _ = fake.clone().answering(|called: &Called| {
        let changed = json!({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"});
        let parts = vec![event(&changed), event(&response(&called.id, &text("done")))];
        Reply::Answer { status: 200, headers: events(), parts }
    });
    let runtime = calling(&many);
    execute(&many.host, &runtime);
    many.host.settle();
    assert_eq!(fake.times("tools/list"), 2);
    fake.before(|_, body| (body["method"] == "tools/list").then_some(Reply::Silent));
    let before = many.host.lines().len();
    for _ in 0..5 {
        execute(&many.host, &runtime);
    }
    many.host.pass(60_000);
    many.host.settle();
    let told = many.host.lines().len() - before;
    assert_eq!(told, 1, "{:?}", many.host.lines());
}

#[test]
fn what_stands_beside_an_answer_is_among_the_printed_lines() {
    let many = Many::new([("s".to_owned(), good())]);
    let _ = many.fakes["s"].clone().answering(|called| {
        let content = json!([{"type": "image", "mimeType": "image/png", "data": "AAAA"}]);
        with(called, &json!({"structuredContent": {"n": 1}, "content": content}))
    });
    let said = execute(&many.host, &calling(&many));
    assert!(said.starts_with(r#"{"n":1}"#), "{said}");
    assert!(said.contains("[info] mcp.s.t: beside its structuredContent"), "{said}");
}

#[test]
fn a_header_by_its_secrets_name_arrives_and_is_shown_nowhere() {
    let secret = "canary-of-a-token";
    let mut listed = tool("t");
    listed["description"] = json!("Says nothing.");
    let fake = Fake::new(Speaks::Sessions("2025-11-25"), vec![listed]);
    // It repeats the credential wherever it can.
    for (status, body) in
        [(500, "said"), (403, "said"), (400, "rpc"), (200, "rpc"), (200, "result")]
    {
        let fake = fake.clone().answering(move |called| {
            let error = json!({"code": -32_000, "message": format!("no {secret}")});
            let said = match body {
                "rpc" => json!({"jsonrpc": "2.0", "id": called.id, "error": error}),
                "result" => response(&called.id, &json!({"structuredContent": {"a": [secret]}})),
                _ => json!(format!("your token is {secret}")),
            };
            Reply::json(status, &said.to_string())
        });
        let mut many = Many::new([("s".to_owned(), fake.clone())]);
        many.secrets.set("TOKEN", secret);
        let server = many.servers.first_mut().unwrap();
        server.headers =
            vec![SecretHeader::bearer("TOKEN"), SecretHeader::new("X-Key", None, "TOKEN").unwrap()];
        let runtime = calling(&many);
        let said = execute(&many.host, &runtime);
        let catalog: Lease = lease(&many.host, &runtime).unwrap();
        let shown = format!(
            "{said}\n{:?}\n{:?}\n{:?}",
            many.host.lines(),
            many.told.0,
            catalog.catalog().entries()
        );
        assert!(!shown.contains(secret), "{shown}");
        for request in many.network.requests() {
            assert_eq!(header(&request, "authorization"), Some(format!("Bearer {secret}")));
            assert_eq!(header(&request, "x-key").as_deref(), Some(secret));
        }
    }
    // Not even a catalog repeats it.
    let mut listed = tool("t");
    listed["description"] = json!(format!("Takes {secret}."));
    let mut many = Many::new([("s".to_owned(), Fake::new(Speaks::Stateless, vec![listed]))]);
    many.secrets.set("TOKEN", secret);
    many.servers.first_mut().unwrap().headers = vec![SecretHeader::bearer("TOKEN")];
    let runtime = runtime(&many.host, many.source());
    assert!(paths(&lease(&many.host, &runtime).unwrap()).is_empty());
    assert!(!format!("{:?}", many.host.lines()).contains(secret));
}

#[test]
fn a_credential_that_is_missing_or_refused_is_named_and_said_plainly() {
    for (value, says) in [
        (None, "the secret TOKEN isn't set"),
        (Some("a\nb"), "the secret TOKEN can't be sent"),
        (Some("canary-token"), "renew the secret TOKEN"),
    ] {
        let fake = good();
        fake.before(|_, _| Some(Reply::json(401, "")));
        let mut many = Many::new([("s".to_owned(), fake)]);
        if let Some(value) = value {
            many.secrets.set("TOKEN", value);
        }
        many.servers.first_mut().unwrap().headers = vec![SecretHeader::bearer("TOKEN")];
        let runtime = runtime(&many.host, many.source());
        let _lease = lease(&many.host, &runtime).unwrap();
        let why = many.told.0.borrow().first().unwrap().why.to_string();
        assert!(why.contains("sign-in is needed") && why.contains(says), "{why}");
        assert!(!why.contains("canary"));
    }
}

#[test]
fn a_header_that_the_protocol_writes_can_not_be_an_owners() {
    for name in ["Mcp-Session-Id", "mcp-name", "Content-Type", "Accept", "Host", "a b", ""] {
        assert!(SecretHeader::new(name, None, "TOKEN").is_err(), "{name}");
    }
    assert!(SecretHeader::new("Authorization", Some("Bearer x"), "TOKEN").is_err());
    assert!(SecretHeader::new("X-Api-Key", None, "TOKEN").is_ok());
}

#[test]
fn an_observer_that_never_ends_delays_nothing() {
    struct Bad;
    impl UnavailableObserver for Bad {
        fn unavailable(&self, _: Unavailable) -> LocalBoxFuture<'static, ()> {
            std::future::pending::<()>().boxed_local()
        }
    }
    let broken = good();
    broken.before(|_, _| Some(Reply::json(500, "")));
    let many = Many::new([("a".to_owned(), broken), ("b".to_owned(), good())]);
    let runtime = runtime(&many.host, many.source().on_unavailable(Rc::new(Bad)));
    assert_eq!(paths(&lease(&many.host, &runtime).unwrap()), ["mcp.b.t"]);
    assert_eq!(many.host.time().now_ms(), 0);
}
