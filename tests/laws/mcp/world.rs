//! A whole server on the kit's host, and clients that may say anything.

use std::{
    cell::{Cell, RefCell},
    collections::{BTreeMap, BTreeSet, VecDeque},
    rc::Rc,
};

use futures::{FutureExt, StreamExt, future::LocalBoxFuture};
use mycelium::{
    Module, Operation,
    auth::is_loopback,
    mcp::{
        Actor, Admission, Authenticate, Body, Caller, Challenge, Credential, Denial, Head, Loaded,
        Mcp, McpCatalog, McpCatalogOptions, McpCatalogProvider, McpOptions, Origins, Principal,
        Reply, create_mcp, create_mcp_catalog,
    },
    operation::Access,
    runtime::{
        Options, Snapshot, Source, SourceError,
        access::{Grants, Unreadable},
    },
    testing::{Host, Started, direct_sandbox},
};
use serde_json::{Value, json};

/// Admits everybody by the name that their token is, and counts.
#[derive(Default)]
pub(crate) struct Door {
    pub(crate) requests: Cell<u64>,
    pub(crate) operations: Cell<u64>,
    pub(crate) revoked: RefCell<BTreeSet<String>>,
    pub(crate) forbidden: RefCell<BTreeSet<String>>,
}

impl Authenticate for Door {
    fn authenticate(&self, head: &Head) -> LocalBoxFuture<'static, Admission> {
        self.requests.set(self.requests.get() + 1);
        assert!(is_loopback(head.hostname()));
        let admission = match head.bearer() {
            None => Admission::Refused(Denial::Unauthenticated),
            Some(name) if self.revoked.borrow().contains(name) => {
                Admission::Refused(Denial::Unauthenticated)
            }
            Some(name) if self.forbidden.borrow().contains(name) => {
                Admission::Refused(Denial::Forbidden)
            }
            Some(name) => Admission::Admitted(caller(name)),
        };
        async move { admission }.boxed_local()
    }

    fn is_admitted(&self, caller: &Caller) -> LocalBoxFuture<'static, bool> {
        self.operations.set(self.operations.get() + 1);
        let good = !self.revoked.borrow().contains(&caller.credential.id);
        async move { good }.boxed_local()
    }
}

pub(crate) fn caller(name: &str) -> Caller {
    Caller {
        principal: Principal::new(Actor::Member(name.to_owned())),
        credential: Credential { id: name.to_owned(), expires_ms: None },
        trace: None,
    }
}

/// What `load` says, and how often it was asked.
pub(crate) struct Load {
    pub(crate) loads: Cell<u64>,
    pub(crate) acquired: Rc<Cell<u64>>,
    pub(crate) grants: RefCell<Result<Grants, &'static str>>,
    source: Rc<dyn Source>,
}

struct Modules {
    modules: Vec<Module>,
    acquired: Rc<Cell<u64>>,
}

impl Source for Modules {
    fn name(&self) -> Rc<str> {
        "modules".into()
    }

    fn acquire(
        &self,
        _: mycelium::runtime::Invalidation,
    ) -> LocalBoxFuture<'static, Result<Snapshot, SourceError>> {
        self.acquired.set(self.acquired.get() + 1);
        let modules = self.modules.clone();
        async move { Ok(Snapshot::unheld(modules)) }.boxed_local()
    }
}

/// The paths that a program calls, one after the other.
type Script = Vec<&'static str>;

pub(crate) struct World {
    pub(crate) host: Host,
    pub(crate) mcp: Rc<Mcp>,
    pub(crate) catalog: Rc<McpCatalog>,
    pub(crate) door: Rc<Door>,
    pub(crate) load: Rc<Load>,
    /// What ran, by path.
    pub(crate) ran: Rc<RefCell<Vec<&'static str>>>,
    /// Whose credential the next write revokes.
    pub(crate) revoking: Rc<Cell<Option<&'static str>>>,
    scripts: Rc<RefCell<VecDeque<Script>>>,
}

impl World {
    pub(crate) fn new() -> Self {
        Self::with(|options| options)
    }

    pub(crate) fn with(change: impl FnOnce(Options) -> Options) -> Self {
        Self::over(change, |catalog| catalog)
    }

    /// With another provider in front of the catalog.
    pub(crate) fn over(
        change: impl FnOnce(Options) -> Options,
        wrap: impl FnOnce(Rc<dyn McpCatalogProvider>) -> Rc<dyn McpCatalogProvider>,
    ) -> Self {
        let host = Host::new();
        let scripts: Rc<RefCell<VecDeque<Script>>> = Rc::default();
        let ran = Rc::<RefCell<Vec<&'static str>>>::default();
        let taken = Rc::clone(&scripts);
        let sandbox = direct_sandbox(move |bindings, _| {
            let script = taken.borrow_mut().pop_front().unwrap_or_default();
            async move {
                let mut said = Vec::new();
                for path in script {
                    said.push(bindings.call(path, json!({})).await?);
                }
                Ok(json!({ "said": said }))
            }
        });
        let acquired = Rc::<Cell<u64>>::default();
        let (revoking, door) =
            (Rc::<Cell<Option<&'static str>>>::default(), Rc::new(Door::default()));
        let source =
            Modules { modules: modules(&ran, &revoking, &door), acquired: Rc::clone(&acquired) };
        let load = Rc::new(Load {
            loads: Cell::new(0),
            acquired,
            grants: RefCell::new(Ok(grants(&[("test-m", "write")]))),
            source: Rc::new(source),
        });
        let loading = Rc::clone(&load);
        let options = change(host.options(Vec::new(), sandbox));
        let catalog = create_mcp_catalog(McpCatalogOptions {
            direct_tools: !options.tools.is_empty(),
            load: Rc::new(move |_| {
                loading.loads.set(loading.loads.get() + 1);
                let loaded = loading.grants.borrow().clone().map(|grants| Loaded {
                    instructions: Some("Use m.".to_owned()),
                    sources: vec![Rc::clone(&loading.source)],
                    grants,
                });
                async move { loaded.map_err(Unreadable::new) }.boxed_local()
            }),
            options,
        });
        let catalog = catalog.unwrap();
        let mcp = create_mcp(McpOptions {
            catalog: wrap(catalog.clone()),
            authenticate: door.clone(),
            ports: host.ports(),
            origins: Origins::new(["https://app.example"]).unwrap(),
            challenge: Challenge::default(),
        });
        Self { host, mcp: Rc::new(mcp), catalog, door, load, ran, revoking, scripts }
    }

    /// The same world with another server.
    pub(crate) fn served_by(&self, mcp: Mcp) -> Self {
        Self {
            host: self.host.clone(),
            mcp: Rc::new(mcp),
            catalog: Rc::clone(&self.catalog),
            door: Rc::clone(&self.door),
            load: Rc::clone(&self.load),
            ran: Rc::clone(&self.ran),
            revoking: Rc::clone(&self.revoking),
            scripts: Rc::clone(&self.scripts),
        }
    }

    /// What the next program calls.
    pub(crate) fn script(&self, paths: &[&'static str]) {
        self.scripts.borrow_mut().push_back(paths.to_vec());
    }

    /// Sends a request, and lets everything go as far as it can.
    pub(crate) fn sending(&self, head: Head, body: impl Into<String>) -> Started<Sent> {
        let (mcp, body, host) = (Rc::clone(&self.mcp), body.into(), self.host.clone());
        let ports = host.ports();
        self.host.start(async move {
            let reply = mcp.handle_request(&head, &body).await;
            Sent::of(reply, &ports)
        })
    }

    /// The same, of a request that is answered at once.
    pub(crate) fn send(&self, head: Head, body: impl Into<String>) -> Sent {
        let sent = self.sending(head, body).end().expect("it is answered at once");
        self.host.settle();
        sent
    }

    /// Opens a session as `name` of a client that can be asked by form.
    pub(crate) fn open(&self, name: &str) -> Session<'_> {
        self.open_with(name, "2025-11-25", &json!({"elicitation": {}}))
    }

    pub(crate) fn open_with(
        &self,
        name: &str,
        revision: &str,
        capabilities: &Value,
    ) -> Session<'_> {
        let sent = self.send(post(name), initialize(revision, capabilities));
        assert_eq!(sent.status, 200, "{}", sent.text());
        let id = sent.header("mcp-session-id").expect("it names the session");
        let session = Session { world: self, name: name.to_owned(), id };
        assert_eq!(session.notify("notifications/initialized", json!({})), 202);
        session
    }
}

fn modules(
    ran: &Rc<RefCell<Vec<&'static str>>>,
    revoking: &Rc<Cell<Option<&'static str>>>,
    door: &Rc<Door>,
) -> Vec<Module> {
    let operation = |path: &'static str| {
        let (ran, revoking, door) = (Rc::clone(ran), Rc::clone(revoking), Rc::clone(door));
        Operation::new(json!({}), move |_, _| {
            ran.borrow_mut().push(path);
            if path == "m.write"
                && let Some(name) = revoking.take()
            {
                door.revoked.borrow_mut().insert(name.to_owned());
            }
            async move { Ok(json!(path)) }
        })
    };
    let never = Operation::new(json!({}), |_, context| async move {
        context.cancellation().cancelled().await;
        Ok(Value::Null)
    });
    let m = Module::new("test-m", "m")
        .operation("read", operation("m.read").access(Access::Read))
        .operation("write", operation("m.write"))
        .operation("remove", operation("m.remove").confirm(true).describe("Removes everything."))
        .operation("never", never.access(Access::Read));
    let other = Module::new("test-other", "other").operation("write", operation("other.write"));
    vec![m, other]
}

pub(crate) fn grants(pairs: &[(&str, &str)]) -> Grants {
    let pairs: BTreeMap<&str, &str> = pairs.iter().copied().collect();
    Grants::parse(&json!(pairs)).unwrap()
}

/// The head of a good POST by `name`.
pub(crate) fn post(name: &str) -> Head {
    Head::new("POST", "localhost:8787")
        .with("authorization", format!("Bearer {name}"))
        .with("accept", "application/json, text/event-stream")
        .with("content-type", "application/json")
}

pub(crate) fn request(id: impl Into<Value>, method: &str, params: Value) -> String {
    let (id, params): (Value, Value) = (id.into(), params);
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string()
}

pub(crate) fn initialize(revision: &str, capabilities: &Value) -> String {
    let client = json!({"name": "laws", "version": "0"});
    let params = json!({
        "protocolVersion": revision, "capabilities": capabilities, "clientInfo": client,
    });
    request("open", "initialize", params)
}

pub(crate) fn execute(id: impl Into<Value>) -> String {
    let arguments = json!({"code": "return 1"});
    let meta = json!({"progressToken": "t"});
    request(id, "tools/call", json!({"name": "execute", "arguments": arguments, "_meta": meta}))
}

/// One session of one client.
pub(crate) struct Session<'a> {
    pub(crate) world: &'a World,
    pub(crate) name: String,
    pub(crate) id: String,
}

impl Session<'_> {
    pub(crate) fn head(&self) -> Head {
        post(&self.name).with("mcp-session-id", &self.id)
    }

    pub(crate) fn post(&self, body: impl Into<String>) -> Sent {
        self.world.send(self.head(), body)
    }

    pub(crate) fn notify(&self, method: &str, params: Value) -> u16 {
        self.post(json!({"jsonrpc": "2.0", "method": method, "params": params}).to_string()).status
    }

    pub(crate) fn request(&self, method: &str, params: Value) -> Value {
        self.post(request("r", method, params)).json()
    }

    /// Starts a program that calls `paths`.
    pub(crate) fn execute(&self, id: &str, paths: &[&'static str]) -> Sent {
        self.world.script(paths);
        self.post(execute(id))
    }

    /// Answers a question.
    pub(crate) fn answer(&self, id: &Value, result: Value) -> u16 {
        self.post(json!({"jsonrpc": "2.0", "id": id, "result": result}).to_string()).status
    }

    pub(crate) fn get(&self, last_event: Option<&str>) -> Sent {
        let head = Head::new("GET", "localhost:8787")
            .with("authorization", format!("Bearer {}", self.name))
            .with("accept", "text/event-stream")
            .with("mcp-session-id", &self.id);
        let head = last_event.map_or(head.clone(), |id| head.with("last-event-id", id));
        self.world.send(head, "")
    }

    pub(crate) fn delete(&self) -> u16 {
        let head = Head::new("DELETE", "localhost:8787")
            .with("authorization", format!("Bearer {}", self.name))
            .with("mcp-session-id", &self.id);
        self.world.send(head, "").status
    }
}

/// What was answered; an event stream is read as it comes.
pub(crate) struct Sent {
    pub(crate) status: u16,
    headers: Vec<(&'static str, String)>,
    json: Option<String>,
    events: Option<Reading>,
}

/// An event stream that is being read; dropped, the client hangs up.
struct Reading {
    text: Rc<RefCell<String>>,
    ended: Rc<Cell<bool>>,
    hangup: Option<futures::future::AbortHandle>,
}

impl Drop for Reading {
    fn drop(&mut self) {
        if let Some(hangup) = self.hangup.take() {
            hangup.abort();
        }
    }
}

impl Sent {
    fn of(reply: Reply, ports: &mycelium::port::Ports) -> Self {
        let (json, events) = match reply.body {
            Body::Empty => (None, None),
            Body::Json(text) => (Some(text), None),
            Body::Events(mut stream) => {
                let (text, ended) = (Rc::<RefCell<String>>::default(), Rc::<Cell<bool>>::default());
                let (written, end) = (Rc::clone(&text), Rc::clone(&ended));
                let (reading, hangup) = futures::future::abortable(async move {
                    while let Some(chunk) = stream.next().await {
                        written.borrow_mut().push_str(&chunk);
                    }
                    end.set(true);
                });
                ports.background.spawn(reading.map(drop).boxed_local());
                (None, Some(Reading { text, ended, hangup: Some(hangup) }))
            }
        };
        Self { status: reply.status, headers: reply.headers, json, events }
    }

    pub(crate) fn header(&self, name: &str) -> Option<String> {
        let same = |(known, _): &&(&str, String)| known.eq_ignore_ascii_case(name);
        self.headers.iter().find(same).map(|(_, value)| value.clone())
    }

    pub(crate) fn text(&self) -> String {
        let events = self.events.as_ref().map(|events| events.text.borrow().clone());
        self.json.clone().or(events).unwrap_or_default()
    }

    pub(crate) fn is_events(&self) -> bool {
        self.events.is_some()
    }

    /// Whether its event stream has ended.
    pub(crate) fn ended(&self) -> bool {
        self.events.as_ref().is_some_and(|events| events.ended.get())
    }

    pub(crate) fn json(&self) -> Value {
        let text = self.json.as_ref().expect("it is answered by JSON");
        serde_json::from_str(text).unwrap()
    }

    /// The code of the JSON-RPC error.
    pub(crate) fn code(&self) -> i64 {
        self.json()["error"]["code"].as_i64().expect("it is an error")
    }

    /// The events so far: their ids, and their messages where they have one.
    pub(crate) fn events(&self) -> Vec<(Option<String>, Option<Value>)> {
        let text = self.text();
        let event = |block: &str| {
            let field = |name: &str| {
                block
                    .lines()
                    .find_map(|line| line.strip_prefix(name))
                    .map(|rest| rest.trim().to_owned())
            };
            let data = field("data:")?;
            let message = (!data.is_empty()).then(|| serde_json::from_str(&data).unwrap());
            Some((field("id:"), message))
        };
        text.split("\n\n").filter_map(event).collect()
    }

    /// The messages so far.
    pub(crate) fn messages(&self) -> Vec<Value> {
        self.events().into_iter().filter_map(|(_, message)| message).collect()
    }

    /// The last event's id.
    pub(crate) fn last_id(&self) -> String {
        self.events().iter().rev().find_map(|(id, _)| id.clone()).expect("an event has an id")
    }

    /// The messages of this method.
    pub(crate) fn said(&self, method: &str) -> Vec<Value> {
        self.messages().into_iter().filter(|message| message["method"] == method).collect()
    }

    /// The id of the question that was asked last.
    pub(crate) fn question(&self) -> Value {
        self.said("elicitation/create").last().expect("it asks")["id"].clone()
    }

    /// The result that ended the stream.
    pub(crate) fn result(&self) -> Value {
        let message = match &self.json {
            Some(_) => self.json(),
            None => self.messages().into_iter().last().expect("it is answered"),
        };
        assert!(message.get("method").is_none(), "no answer yet: {message}");
        message["result"].clone()
    }

    /// The first text of the result.
    pub(crate) fn first(&self) -> String {
        self.result()["content"][0]["text"].as_str().expect("there is text").to_owned()
    }

    /// What a program's calls gave.
    pub(crate) fn calls(&self) -> Vec<Value> {
        let said = self.result()["structuredContent"]["said"].clone();
        said.as_array().expect("the program answered").clone()
    }

    /// The client goes away.
    pub(crate) fn hang_up(mut self) {
        self.events = None;
    }
}

pub(crate) fn agreed() -> Value {
    json!({"action": "accept", "content": {"approve": true}})
}
