//! An MCP server that a test scripts, and a runtime's way to it.

use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    rc::Rc,
};

use mycelium::{
    Catalog, Failure,
    knapsack::mcp::{Endpoint, LocalUpstream, McpPorts, McpServer, Upstream, module},
    mcp::MemoryStorage,
    operation::{Cancellation, Context, Reporter, Trace},
    port::{Secrets, Storage, fetch::Request},
    testing::{FakeFetch, Host, Reply, Started},
};
use serde_json::{Value, json};

pub(crate) const URL: &str = "https://mcp.example/mcp";

/// Which eras a server speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Speaks {
    Sessions(&'static str),
    Stateless,
    Both,
}

/// A tool call as the server saw it.
pub(crate) struct Called {
    pub(crate) id: Value,
    pub(crate) name: String,
    pub(crate) arguments: Value,
    pub(crate) meta: Value,
}

type Answers = dyn Fn(&Called) -> Reply;
type Before = dyn Fn(&Request, &Value) -> Option<Reply>;

#[derive(Clone)]
pub(crate) struct Fake {
    pub(crate) speaks: Rc<Cell<Speaks>>,
    pub(crate) tools: Rc<RefCell<Vec<Value>>>,
    /// Tools on one page.
    pub(crate) page: Rc<Cell<usize>>,
    pub(crate) ttl_ms: Rc<Cell<Option<u64>>>,
    pub(crate) sessions: Rc<Cell<u64>>,
    /// The status with which sessions that it doesn't know are answered.
    pub(crate) unknown: Rc<Cell<u16>>,
    pub(crate) answers: Rc<RefCell<Rc<Answers>>>,
    /// Answers before the server looks at the request.
    pub(crate) before: Rc<RefCell<Rc<Before>>>,
    /// Every method that came, with the tool's name.
    pub(crate) seen: Rc<RefCell<Vec<String>>>,
}

/// The trace that every call is part of.
pub(crate) const TRACE: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

pub(crate) fn tool(name: &str) -> Value {
    json!({"name": name, "inputSchema": {"type": "object"}})
}

pub(crate) fn events() -> Vec<(String, String)> {
    vec![("content-type".to_owned(), "text/event-stream".to_owned())]
}

pub(crate) fn event(message: &Value) -> Vec<u8> {
    format!("event: message\ndata: {message}\n\n").into_bytes()
}

pub(crate) fn response(id: &Value, result: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "result": result})
}

/// The answer with `result`, as JSON.
pub(crate) fn with(called: &Called, result: &Value) -> Reply {
    Reply::json(200, &response(&called.id, result).to_string())
}

pub(crate) fn text(text: &str) -> Value {
    json!({"content": [{"type": "text", "text": text}]})
}

impl Fake {
    pub(crate) fn new(speaks: Speaks, tools: Vec<Value>) -> Self {
        Self {
            speaks: Rc::new(Cell::new(speaks)),
            tools: Rc::new(RefCell::new(tools)),
            page: Rc::new(Cell::new(100)),
            ttl_ms: Rc::default(),
            sessions: Rc::new(Cell::new(1)),
            unknown: Rc::new(Cell::new(404)),
            answers: Rc::new(RefCell::new(Rc::new(|called| with(called, &text("done"))))),
            before: Rc::new(RefCell::new(Rc::new(|_, _| None))),
            seen: Rc::default(),
        }
    }

    pub(crate) fn answering(self, answers: impl Fn(&Called) -> Reply + 'static) -> Self {
        self.answers.replace(Rc::new(answers));
        self
    }

    pub(crate) fn before(&self, before: impl Fn(&Request, &Value) -> Option<Reply> + 'static) {
        self.before.replace(Rc::new(before));
    }

    /// Forgets its session, as a server does that was started anew.
    pub(crate) fn restart(&self) {
        self.sessions.set(self.sessions.get() + 1);
    }

    pub(crate) fn times(&self, method: &str) -> usize {
        self.seen.borrow().iter().filter(|seen| *seen == method).count()
    }

    pub(crate) fn network(&self) -> FakeFetch {
        let fake = self.clone();
        FakeFetch::new(move |request| fake.reply(request))
    }

    fn session(&self) -> Option<String> {
        (self.speaks.get() != Speaks::Stateless).then(|| format!("session-{}", self.sessions.get()))
    }

    pub(crate) fn reply(&self, request: &Request) -> Reply {
        let body: Value =
            serde_json::from_slice(request.body.as_deref().unwrap_or(b"null")).unwrap_or_default();
        let method = body["method"].as_str().unwrap_or(&request.method).to_owned();
        let name = body["params"]["name"].as_str().unwrap_or_default().to_owned();
        let seen = if name.is_empty() { method.clone() } else { format!("{method} {name}") };
        self.seen.borrow_mut().push(seen);
        let before = Rc::clone(&self.before.borrow());
        if let Some(reply) = before(request, &body) {
            return reply;
        }
        self.spoken(request, &body, &method)
    }

    fn spoken(&self, request: &Request, body: &Value, method: &str) -> Reply {
        let error = |status, code: i64, message: &str| {
            let error = json!({"code": code, "message": message});
            let id = if status == 200 { &body["id"] } else { &Value::Null };
            Reply::json(status, &json!({"jsonrpc": "2.0", "id": id, "error": error}).to_string())
        };
        let modern = header(request, "mcp-protocol-version").as_deref() == Some("2026-07-28");
        match (self.speaks.get(), modern, method) {
            (Speaks::Sessions(_), true, _) => return error(400, -32_000, "no session"),
            (Speaks::Stateless, false, _) => {
                let error = json!({"code": -32_601, "message": "no such method"});
                let said = json!({"jsonrpc": "2.0", "id": body["id"], "error": error});
                return Reply::json(404, &said.to_string());
            }
            (_, true, _) => self.stateless(request, body, method),
            (_, false, "initialize") => {
                let revision = match self.speaks.get() {
                    Speaks::Sessions(revision) => revision,
                    _ => "2025-11-25",
                };
                assert_eq!(body["params"]["protocolVersion"], "2025-11-25");
                assert_eq!(header(request, "mcp-protocol-version"), None);
                let result = json!({"protocolVersion": revision, "capabilities": {"tools": {}},
                    "serverInfo": {"name": "fake", "version": "0"}});
                let mut headers = vec![("content-type".to_owned(), "application/json".to_owned())];
                let session = self.session().unwrap();
                headers.push(("mcp-session-id".to_owned(), session));
                let parts = vec![response(&body["id"], &result).to_string().into_bytes()];
                return Reply::Answer { status: 200, headers, parts };
            }
            _ if header(request, "mcp-session-id") != self.session() => {
                return error(self.unknown.get(), -32_001, "no such session");
            }
            _ => {
                let revision = header(request, "mcp-protocol-version");
                let expected = match self.speaks.get() {
                    Speaks::Sessions(revision) => revision,
                    _ => "2025-11-25",
                };
                assert_eq!(revision.as_deref(), Some(expected), "{method}");
            }
        }
        match method {
            "server/discover" => {
                let result = json!({"resultType": "complete", "supportedVersions": ["2026-07-28"]});
                Reply::json(200, &response(&body["id"], &result).to_string())
            }
            "tools/list" => self.listed(body),
            "tools/call" => {
                let called = Called {
                    id: body["id"].clone(),
                    name: body["params"]["name"].as_str().unwrap().to_owned(),
                    arguments: body["params"]["arguments"].clone(),
                    meta: body["params"]["_meta"].clone(),
                };
                let answers = Rc::clone(&self.answers.borrow());
                answers(&called)
            }
            _ => Reply::Answer { status: 202, headers: Vec::new(), parts: Vec::new() },
        }
    }

    /// What the revision without sessions asks of every request.
    fn stateless(&self, request: &Request, body: &Value, method: &str) {
        assert_eq!(header(request, "mcp-session-id"), None);
        assert_eq!(header(request, "mcp-method").as_deref(), Some(method));
        let meta = &body["params"]["_meta"];
        assert_eq!(meta["io.modelcontextprotocol/protocolVersion"], "2026-07-28");
        assert!(meta["io.modelcontextprotocol/clientCapabilities"].is_object());
        if method == "tools/call" {
            let name = header(request, "mcp-name").unwrap();
            let name = mycelium::mcp::wire::field_text(&name).unwrap();
            assert_eq!(body["params"]["name"], name);
        }
    }

    fn listed(&self, body: &Value) -> Reply {
        let from: usize =
            body["params"]["cursor"].as_str().map_or(0, |cursor| cursor.parse().unwrap());
        let tools = self.tools.borrow();
        let to = (from + self.page.get()).min(tools.len());
        let mut result = json!({"tools": tools[from..to]});
        if to < tools.len() {
            result["nextCursor"] = json!(to.to_string());
        }
        if let Some(ttl_ms) = self.ttl_ms.get() {
            result["ttlMs"] = json!(ttl_ms);
        }
        Reply::json(200, &response(&body["id"], &result).to_string())
    }
}

pub(crate) fn header(request: &Request, name: &str) -> Option<String> {
    let mut headers = request.headers.iter();
    headers.find(|(found, _)| found == name).map(|(_, value)| value.clone())
}

#[derive(Default)]
pub(crate) struct Known(pub(crate) RefCell<BTreeMap<String, String>>);

impl Known {
    pub(crate) fn set(&self, name: &str, value: &str) {
        self.0.borrow_mut().insert(name.to_owned(), value.to_owned());
    }
}

impl Secrets for Known {
    fn secret(&self, name: &str) -> Option<String> {
        self.0.borrow().get(name).cloned()
    }
}

/// A host with one server connected.
pub(crate) struct World {
    pub(crate) host: Host,
    pub(crate) fake: Fake,
    pub(crate) network: FakeFetch,
    pub(crate) secrets: Rc<Known>,
    pub(crate) storage: Rc<MemoryStorage>,
    pub(crate) server: Rc<McpServer>,
    pub(crate) upstream: Rc<dyn Upstream>,
    pub(crate) cancellation: Cancellation,
    pub(crate) changes: Rc<Cell<usize>>,
    pub(crate) logged: Rc<RefCell<Vec<String>>>,
    pub(crate) reported: Rc<RefCell<Vec<String>>>,
}

/// What an owner says of the fake.
pub(crate) fn server() -> McpServer {
    McpServer::new("test-fake", "fake", Endpoint::new(URL).unwrap())
}

impl World {
    pub(crate) fn new(fake: &Fake) -> Self {
        Self::with(fake, server())
    }

    pub(crate) fn with(fake: &Fake, server: McpServer) -> Self {
        Self::over(fake, server, fake.network(), Rc::new(MemoryStorage::new()))
    }

    pub(crate) fn over(
        fake: &Fake,
        server: McpServer,
        network: FakeFetch,
        storage: Rc<MemoryStorage>,
    ) -> Self {
        let host = Host::new();
        let secrets = Rc::new(Known::default());
        let ports = McpPorts {
            fetch: Rc::new(network.clone()),
            secrets: secrets.clone(),
            host: host.ports(),
        };
        let server = Rc::new(server);
        let rows: Rc<dyn Storage> = storage.clone();
        let upstream = LocalUpstream::new(Rc::clone(&server), ports, rows);
        Self {
            cancellation: Cancellation::new(host.ports().handoff),
            fake: fake.clone(),
            upstream: Rc::new(upstream),
            changes: Rc::default(),
            logged: Rc::default(),
            reported: Rc::default(),
            host,
            network,
            secrets,
            storage,
            server,
        }
    }

    pub(crate) fn ports(&self) -> McpPorts {
        McpPorts {
            fetch: Rc::new(self.network.clone()),
            secrets: self.secrets.clone(),
            host: self.host.ports(),
        }
    }

    /// The catalog of what the server lists now.
    pub(crate) fn catalog(&self) -> Result<Catalog, String> {
        let listed = self.upstream.list(true);
        let listing = self.host.run(listed).ok_or("it hangs")?;
        let listing = listing.map_err(|error| error.to_string())?;
        let changes = Rc::clone(&self.changes);
        let changed: Rc<dyn Fn()> = Rc::new(move || changes.set(changes.get() + 1));
        let module = module(&self.server, &listing, &self.upstream, &self.ports(), &changed);
        Catalog::new([module.map_err(|error| error.to_string())?])
            .map_err(|error| error.to_string())
    }

    /// Starts a call of the operation at `path`.
    pub(crate) fn start(&self, path: &str, input: Value) -> Started<Result<Value, Failure>> {
        self.start_of(&self.catalog().unwrap(), path, input)
    }

    /// The same of a catalog that there is.
    fn start_of(
        &self,
        catalog: &Catalog,
        path: &str,
        input: Value,
    ) -> Started<Result<Value, Failure>> {
        let path = format!("mcp.fake.{path}");
        let entry = catalog.find(&path).unwrap_or_else(|| panic!("no {path}")).clone();
        let (logged, reported) = (Rc::clone(&self.logged), Rc::clone(&self.reported));
        let reporter = Reporter::new(move |report| reported.borrow_mut().push(report.to_string()))
            .logging(move |line| logged.borrow_mut().push(line.to_owned()));
        let context = Context::builder()
            .cancellation(self.cancellation.signal())
            .reporter(reporter)
            .trace(Trace::read(TRACE).unwrap())
            .build();
        self.host.start(async move {
            let run = async { entry.operation().decode(input)?.run(context).await };
            run.await.map_err(|fault| fault.failure(&path).0)
        })
    }

    /// Calls the operation at `path` to its end, letting time pass.
    pub(crate) fn call(&self, path: &str, input: Value) -> Result<Value, Failure> {
        self.call_of(&self.catalog().unwrap(), path, input)
    }

    pub(crate) fn call_of(
        &self,
        catalog: &Catalog,
        path: &str,
        input: Value,
    ) -> Result<Value, Failure> {
        let mut started = self.start_of(catalog, path, input);
        loop {
            if let Some(end) = started.end() {
                return end;
            }
            let ms = self.host.time().next_ms().expect("the call ends");
            self.host.pass(ms);
        }
    }

    /// Calls the only tool, `t`.
    pub(crate) fn only(&self) -> Result<Value, Failure> {
        self.call("t", json!({}))
    }
}

/// A server of one tool `t`, with sessions.
pub(crate) fn one(answers: impl Fn(&Called) -> Reply + 'static) -> Fake {
    Fake::new(Speaks::Sessions("2025-11-25"), vec![tool("t")]).answering(answers)
}
