//! MCP servers as the Worker reaches them: each has one object that owns how it is spoken to.
//!
//! Owns which servers there are and the way to their objects. Requests to a server go out
//! from wherever it is called; only its session, token and tools are in its object.

use std::{cell::RefCell, collections::BTreeMap, rc::Rc};

use futures::{FutureExt, future::LocalBoxFuture};
use wasm_bindgen::JsValue;
use worker::{Env, Method, Request, RequestInit};

use super::ports::{self, BoundSecrets, PlatformFetch};
use crate::{
    knapsack::mcp::{Known, McpConnection, McpPorts, McpServer, McpServers, Owner, RemoteUpstream},
    runtime::Source,
};

/// The binding of the servers' objects in `wrangler.toml`.
const UPSTREAMS: &str = "UPSTREAMS";

thread_local! {
    // What each owner last said, by the server's id; finished values only.
    static KNOWN: RefCell<BTreeMap<String, Rc<Known>>> = const { RefCell::new(BTreeMap::new()) };
}

/// The source of all servers, if there are any.
pub(super) fn source(env: &Env) -> Option<Rc<dyn Source>> {
    let servers = servers(env);
    if servers.is_empty() {
        return None;
    }
    let connections = servers.into_iter().map(|server| connection(server, env)).collect();
    Some(Rc::new(McpServers::new(connections, mcp_ports(env))))
}

/// The server of this id.
pub(super) fn server(env: &Env, id: &str) -> Option<McpServer> {
    servers(env).into_iter().find(|server| server.id == id)
}

/// Every server that is configured.
fn servers(env: &Env) -> Vec<McpServer> {
    #[cfg(feature = "faults")]
    return super::faults::servers(env);
    #[cfg(not(feature = "faults"))]
    {
        let _ = env;
        Vec::new()
    }
}

/// What the client needs of its host, in one request or object.
pub(super) fn mcp_ports(env: &Env) -> McpPorts {
    let bindings: &JsValue = env.as_ref();
    McpPorts {
        fetch: Rc::new(PlatformFetch),
        secrets: Rc::new(BoundSecrets::new(bindings.clone())),
        host: ports::ports(),
    }
}

fn connection(server: McpServer, env: &Env) -> McpConnection {
    let known =
        KNOWN.with_borrow_mut(|known| Rc::clone(known.entry(server.id.clone()).or_default()));
    let owner = Rc::new(ObjectOwner { env: env.clone(), id: server.id.clone() });
    let upstream = RemoteUpstream::new(owner, known, ports::ports().clock);
    McpConnection { server: Rc::new(server), upstream: Rc::new(upstream) }
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
        let url = format!("https://upstream/{}", urlencoded(&id));
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

/// An id as one segment of a path.
fn urlencoded(id: &str) -> String {
    js_sys::encode_uri_component(id).into()
}
