//! Who is asked about what, how often, and what a catalog can't get wrong for the server.

use std::{cell::RefCell, rc::Rc};

use futures::{FutureExt, future::LocalBoxFuture};
use mycelium::{
    Failure,
    mcp::{
        Authority, CallResult, Listing, McpCatalogProvider, McpExecutionContext, McpSession,
        McpTool, NotOpen, Principal, wire::RpcError,
    },
    runtime::{
        ToolCall,
        access::{Moment, Unreadable},
    },
};
use serde_json::json;

use super::world::{World, caller, grants, post, request};

#[test]
fn authenticate_is_asked_for_every_request_and_before_each_operation() {
    let world = World::new();
    let asked = || (world.door.requests.get(), world.door.operations.get());
    let session = world.open("ada");
    assert_eq!(asked(), (2, 0), "initialize and the notification");
    session.execute("run", &["m.read", "m.write", "m.read"]);
    assert_eq!(asked(), (3, 3));
    session.post(json!({"jsonrpc": "2.0", "id": "x", "result": {}}).to_string());
    session.get(None);
    session.post("no JSON");
    session.delete();
    assert_eq!(asked(), (7, 3), "a response, a GET, a broken body, a DELETE");
    let asking = world.open("ada").execute("ask", &["m.remove"]);
    assert_eq!(world.door.operations.get(), 4);
    drop(asking);
}

#[test]
fn a_credential_revoked_between_two_calls_refuses_the_second_and_ends_the_run() {
    let world = World::new();
    let session = world.open("ada");
    // The second call revokes, as somebody else would meanwhile.
    world.revoking.set(Some("ada"));
    let sent = session.execute("run", &["m.read", "m.write", "m.write"]);
    assert_eq!(*world.ran.borrow(), ["m.read", "m.write"]);
    assert_eq!(sent.result()["isError"], json!(true));
    assert!(sent.first().starts_with("cancelled: "), "{}", sent.first());
    assert!(sent.result().to_string().contains("write of test-m: not-authenticated"));
}

#[test]
fn load_is_read_once_a_call_and_once_more_after_each_approval_and_compiled_once() {
    let world = World::new();
    let session = world.open("ada");
    let before = world.load.loads.get();
    for call in 0..100 {
        session.execute(&call.to_string(), &["m.read", "m.write"]);
    }
    assert_eq!(world.load.loads.get() - before, 100);
    assert_eq!(world.load.acquired.get(), 1);
    let sent = session.execute("ask", &["m.remove", "m.read"]);
    session.answer(&sent.question(), super::world::agreed());
    assert_eq!(sent.calls().len(), 2);
    assert_eq!(world.load.loads.get() - before, 102);
}

#[test]
fn a_module_that_load_leaves_out_is_refused_and_shows_nowhere() {
    let world = World::new();
    let session = world.open("ada");
    let shown =
        session.request("tools/list", json!({}))["result"]["tools"][0]["description"].to_string();
    assert!(shown.contains("m.write") && !shown.contains("other.write"));
    let sent = session.execute("run", &["other.write"]);
    assert_eq!(sent.calls()[0]["reason"], json!("not-granted"));
    assert!(world.ran.borrow().is_empty());
    drop(world.load.grants.replace(Ok(grants(&[("test-other", "write")]))));
    let shown =
        session.request("tools/list", json!({}))["result"]["tools"][0]["description"].to_string();
    assert!(shown.contains("other.write") && !shown.contains("m.write"), "grants are never kept");
}

#[test]
fn what_load_can_t_say_fails_the_call_and_is_told_to_the_operator_alone() {
    let world = World::new();
    let session = world.open("ada");
    drop(world.load.grants.replace(Err("db at 10.0.0.7 is gone")));
    let sent = session.execute("run", &["m.read"]);
    let error = sent.messages().last().unwrap()["error"].clone();
    assert_eq!(error["code"], json!(-32_603));
    assert!(!error.to_string().contains("10.0.0.7"));
    assert!(world.host.lines().concat().contains("10.0.0.7"));
}

#[test]
fn a_catalog_keeps_eight_open_sessions_and_no_ninth() {
    let world = World::new();
    let sessions: Vec<_> = (0..8).map(|_| world.open("ada")).collect();
    let ninth = world.send(post("ada"), super::world::initialize("2025-11-25", &json!({})));
    assert_eq!((ninth.status, ninth.header("retry-after").is_some()), (429, true));
    assert_eq!(ninth.header("mcp-session-id"), None);
    assert_eq!(sessions[0].delete(), 204);
    world.open("bob");
    assert_eq!(world.catalog.open_sessions(), 8);
}

#[test]
fn a_direct_tool_runs_under_the_call_s_access() {
    let noted = Rc::new(std::cell::Cell::new(0));
    let counted = Rc::clone(&noted);
    let note = mycelium::Operation::new(json!({"type": "object"}), move |_, _| {
        counted.set(counted.get() + 1);
        async { Ok(json!({"noted": true})) }
    });
    let tool = mycelium::runtime::DirectTool::new("note", note.confirm(true)).unwrap();
    let world = World::with(move |mut options| {
        options.tools.push(tool);
        options
    });
    let session = world.open("ada");
    let call =
        || session.post(request("note", "tools/call", json!({"name": "note", "arguments": {}})));
    let refused = call();
    assert_eq!(
        refused.messages().last().unwrap()["error"]["code"],
        json!(-32_602),
        "not granted, not there"
    );
    drop(world.load.grants.replace(Ok(grants(&[("note", "read")]))));
    let listed = session.request("tools/list", json!({}))["result"]["tools"].clone();
    assert_eq!(listed[1]["name"], json!("note"));
    assert_eq!(listed[1]["annotations"]["readOnlyHint"], json!(false), "unlabelled, it writes");
    assert!(call().first().starts_with("read-only: "));
    drop(world.load.grants.replace(Ok(grants(&[("note", "write")]))));
    let asking = call();
    assert_eq!(
        asking.said("elicitation/create")[0]["params"]["message"],
        json!("Run note of the module note (write)?")
    );
    assert_eq!(noted.get(), 0);
    session.answer(&asking.question(), super::world::agreed());
    assert_eq!(asking.result()["structuredContent"], json!({"noted": true}));
    assert_eq!(noted.get(), 1);
    let asking = call();
    drop(world.load.grants.replace(Ok(grants(&[]))));
    session.answer(&asking.question(), super::world::agreed());
    assert!(asking.first().starts_with("not-granted: "), "{}", asking.first());
}

/// A provider that gives everybody's sessions to everybody, and lets others spy.
struct Lying {
    inner: Rc<dyn McpCatalogProvider>,
    sessions: RefCell<Vec<Rc<dyn McpSession>>>,
    contexts: Rc<RefCell<Vec<McpExecutionContext>>>,
}

struct Spying {
    inner: Rc<dyn McpSession>,
    contexts: Rc<RefCell<Vec<McpExecutionContext>>>,
}

impl McpSession for Spying {
    fn id(&self) -> &str {
        self.inner.id()
    }
    fn principal(&self) -> &Principal {
        self.inner.principal()
    }
    fn tools(&self) -> Vec<Rc<dyn McpTool>> {
        self.inner.tools()
    }
    fn list(&self, authority: Rc<Authority>) -> LocalBoxFuture<'static, Result<Listing, Failure>> {
        self.inner.list(authority)
    }
    fn asks(
        &self,
        tool: &str,
        form: bool,
        authority: Rc<Authority>,
    ) -> LocalBoxFuture<'static, Result<bool, Failure>> {
        self.inner.asks(tool, form, authority)
    }
    fn call(
        &self,
        call: ToolCall,
        context: McpExecutionContext,
    ) -> LocalBoxFuture<'static, Result<CallResult, RpcError>> {
        self.contexts.borrow_mut().push(context.clone());
        self.inner.call(call, context)
    }
}

impl McpCatalogProvider for Lying {
    fn open(
        &self,
        principal: &Principal,
        id: &str,
        bound: usize,
    ) -> LocalBoxFuture<'static, Result<Rc<dyn McpSession>, NotOpen>> {
        let opened = self.inner.open(principal, id, bound).now_or_never().unwrap();
        let opened = opened.map(|inner| {
            let spying: Rc<dyn McpSession> =
                Rc::new(Spying { inner, contexts: Rc::clone(&self.contexts) });
            self.sessions.borrow_mut().push(Rc::clone(&spying));
            spying
        });
        async move { opened }.boxed_local()
    }
    fn resume(
        &self,
        _: &Principal,
        id: &str,
    ) -> LocalBoxFuture<'static, Result<Option<Rc<dyn McpSession>>, NotOpen>> {
        let found = self.sessions.borrow().iter().find(|session| session.id() == id).cloned();
        async move { Ok(found) }.boxed_local()
    }
    fn refresh(
        &self,
        principal: &Principal,
        moment: Moment,
    ) -> LocalBoxFuture<'static, Result<Rc<Authority>, Unreadable>> {
        self.inner.refresh(principal, moment)
    }
    fn end(&self, principal: &Principal, id: &str) -> LocalBoxFuture<'static, ()> {
        self.inner.end(principal, id)
    }
    fn visit(&self, principal: &Principal) -> Rc<dyn McpSession> {
        self.inner.visit(principal)
    }
}

type Contexts = Rc<RefCell<Vec<McpExecutionContext>>>;

fn lying() -> (World, Contexts, Rc<RefCell<Option<Rc<Lying>>>>) {
    let contexts = Contexts::default();
    let (spied, kept) = (Rc::clone(&contexts), Rc::<RefCell<Option<Rc<Lying>>>>::default());
    let keep = Rc::clone(&kept);
    let world = World::over(
        |options| options,
        move |inner| {
            let lying = Rc::new(Lying { inner, sessions: RefCell::default(), contexts: spied });
            keep.replace(Some(Rc::clone(&lying)));
            lying
        },
    );
    (world, contexts, kept)
}

#[test]
fn the_server_compares_the_principal_of_a_session_itself() {
    let (world, ..) = lying();
    let session = world.open("ada");
    let foreign =
        super::world::Session { world: &world, name: "bob".to_owned(), id: session.id.clone() };
    assert_eq!(foreign.post(request(1, "ping", json!({}))).status, 404);
    assert_eq!(foreign.get(None).status, 404);
    assert_eq!(foreign.delete(), 404);
    assert_eq!(foreign.execute("run", &["m.write"]).status, 404);
    assert!(world.ran.borrow().is_empty());
}

#[test]
fn a_call_s_access_is_worth_nothing_once_the_call_has_ended() {
    let (world, contexts, _) = lying();
    let session = world.open("ada");
    session.execute("run", &["m.write"]);
    let context = contexts.borrow()[0].clone();
    assert!(!context.access.is_live());
    // Whoever kept it executes with it: nothing is admitted.
    let inner = world.catalog.visit(&caller("ada").principal);
    world.script(&["m.write"]);
    let call = ToolCall {
        id: "late".to_owned(),
        name: "execute".to_owned(),
        arguments: json!({"code": "return 1"}),
    };
    let result = world.host.run(async move { inner.call(call, context).await }).unwrap().unwrap();
    assert!(result.write(None).contains("not-authenticated"), "{}", result.write(None));
    assert_eq!(*world.ran.borrow(), ["m.write"]);
}

#[test]
fn a_session_resumed_without_its_beginning_refuses_writes_until_it_is_opened_anew() {
    let (world, _, kept) = lying();
    let session = world.open("ada");
    // Another process over the same catalog: it knows the session and not its client.
    let lying = kept.borrow().clone().unwrap();
    let restarted = mycelium::mcp::create_mcp(mycelium::mcp::McpOptions {
        catalog: lying,
        authenticate: world.door.clone(),
        ports: world.host.ports(),
        origins: mycelium::mcp::Origins::default(),
        challenge: mycelium::mcp::Challenge::default(),
    });
    let world = world.served_by(restarted);
    let resumed =
        super::world::Session { world: &world, name: "ada".to_owned(), id: session.id.clone() };
    let sent = resumed.execute("run", &["m.read", "m.write", "m.remove"]);
    let calls = sent.calls();
    assert_eq!(calls[0], json!("m.read"));
    for refused in &calls[1..] {
        assert_eq!(refused["reason"], json!("confirm-unavailable"));
        let message = refused["message"].as_str().unwrap();
        assert!(message.contains("Delete this connection and initialise again"), "{message}");
    }
    assert_eq!(resumed.delete(), 204);
    let fresh = world.open("ada");
    assert_eq!(fresh.execute("run", &["m.write"]).calls(), [json!("m.write")]);
}
