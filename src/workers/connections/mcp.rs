//! MCP servers: each has one object that owns how it is spoken to.
//!
//! Requests to a server go out from wherever it is called; only its session, token and tools
//! are in its object.

use std::{cell::RefCell, collections::BTreeMap, rc::Rc};

use futures::{FutureExt, future::LocalBoxFuture};
use wasm_bindgen::JsValue;
use worker::{Env, Method, Request, RequestInit};

use super::super::ports::{self, BoundSecrets, PlatformFetch};
use crate::{
    config::{Connection, ConnectionRow, Settings},
    knapsack::{
        computers::{Unavailable, UnavailableObserver, WhyUnavailable},
        mcp::{
            Known, McpConnection, McpPorts, McpServer, McpServers, Owner, RemoteUpstream, Upstream,
        },
    },
    runtime::Source,
};

/// The binding of the servers' objects in `wrangler.toml`.
const UPSTREAMS: &str = "UPSTREAMS";

thread_local! {
    // What each owner last said, by the server's id; finished values only.
    static KNOWN: RefCell<BTreeMap<String, Rc<Known>>> = const { RefCell::new(BTreeMap::new()) };
    // Why servers were left out last.
    static MISSING: RefCell<BTreeMap<String, String>> = const { RefCell::new(BTreeMap::new()) };
}

/// The source of all servers that list their tools.
pub(super) fn source(servers: Vec<McpServer>, env: &Env) -> Rc<dyn Source> {
    let connections = servers.into_iter().map(|server| connection(server, env)).collect();
    Rc::new(McpServers::new(connections, mcp_ports(env)).on_unavailable(Rc::new(Noting)))
}

/// The server of this id.
pub(in crate::workers) fn server(settings: &Settings, id: &str) -> Option<McpServer> {
    match settings.connections.get(id) {
        Some(Connection::Mcp(mcp)) => Some(mcp.server.clone()),
        _ => None,
    }
}

/// What the client needs of its host, in one request or object.
pub(in crate::workers) fn mcp_ports(env: &Env) -> McpPorts {
    let bindings: &JsValue = env.as_ref();
    McpPorts {
        fetch: Rc::new(PlatformFetch),
        secrets: Rc::new(BoundSecrets::new(bindings.clone())),
        host: ports::ports(),
    }
}

/// A row with what is known of its server by now, if it is one.
pub(super) fn seen(mut row: ConnectionRow) -> ConnectionRow {
    if row.word != "mcp" {
        return row;
    }
    let kept = known(&row.name).listing();
    row.operations = kept.map(|kept| kept.tools.len()).or(row.operations);
    if row.operations.is_none() {
        let missing = MISSING.with_borrow(|missing| missing.get(&row.name).cloned());
        row.problem = row.problem.or(missing);
    }
    row
}

fn known(id: &str) -> Rc<Known> {
    KNOWN.with_borrow_mut(|known| Rc::clone(known.entry(id.to_owned()).or_default()))
}

fn connection(server: McpServer, env: &Env) -> McpConnection {
    let owner = Rc::new(ObjectOwner { env: env.clone(), id: server.id.clone() });
    let upstream = RemoteUpstream::new(owner, known(&server.id), ports::ports().clock);
    McpConnection { server: Rc::new(server), upstream: Rc::new(upstream) as Rc<dyn Upstream> }
}

/// Notes which servers were left out, for the status; the log has the evidence.
struct Noting;

impl UnavailableObserver for Noting {
    fn unavailable(&self, unavailable: Unavailable) -> LocalBoxFuture<'static, ()> {
        let problem = match &unavailable.why {
            WhyUnavailable::Failed { .. } => "it can't be used: the log says why".to_owned(),
            why => why.to_string(),
        };
        MISSING.with_borrow_mut(|missing| missing.insert(unavailable.name, problem));
        async {}.boxed_local()
    }
}

/// The object of one server.
struct ObjectOwner {
    env: Env,
    id: String,
}

impl ObjectOwner {
    async fn asked(env: Env, id: String, order: String) -> worker::Result<String> {
        let object = env.durable_object(UPSTREAMS)?.get_by_name(&id)?;
        let mut init = RequestInit::new();
        init.with_method(Method::Post).with_body(Some(JsValue::from(order)));
        // The object doesn't know the name that it was reached by.
        let url = format!("https://upstream/{}", String::from(js_sys::encode_uri_component(&id)));
        let request = Request::new_with_init(&url, &init)?;
        object.fetch_with_request(request).await?.text().await
    }
}

impl Owner for ObjectOwner {
    fn ask(&self, order: String) -> LocalBoxFuture<'static, Result<String, String>> {
        let asked = Self::asked(self.env.clone(), self.id.clone(), order);
        async move { asked.await.map_err(|error| error.to_string()) }.boxed_local()
    }
}
