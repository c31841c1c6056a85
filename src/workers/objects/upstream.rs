//! The object that owns how one MCP server is spoken to.

use std::{cell::RefCell, rc::Rc};

use wasm_bindgen::{JsCast, JsValue};
use worker::{Env, Request, Response};

use super::super::{connections, ports::ObjectStorage, runtime};
use crate::{
    knapsack::mcp::{LocalUpstream, answer},
    port::Storage,
};

/// What the object keeps in memory.
pub(crate) struct UpstreamState {
    env: Env,
    storage: Rc<dyn Storage>,
    owner: RefCell<Option<LocalUpstream>>,
}

impl UpstreamState {
    /// The state of the object whose context is `context`.
    pub(crate) fn new(context: &JsValue, env: Env) -> Self {
        let storage = ObjectStorage::new(context.clone().unchecked_into());
        Self { env, storage: Rc::new(storage), owner: RefCell::default() }
    }

    /// Answers whoever calls the server.
    pub(crate) async fn fetch(&self, mut request: Request) -> worker::Result<Response> {
        let order = request.text().await?;
        let id = request.path();
        let id = js_sys::decode_uri_component(id.trim_start_matches('/'))?;
        match self.owner(&String::from(id)) {
            Some(owner) => Response::ok(answer(&owner, &order).await),
            None => Response::error("no server of this id is configured", 404),
        }
    }

    fn owner(&self, id: &str) -> Option<LocalUpstream> {
        let known = self.owner.borrow().clone();
        if known.is_some() {
            return known;
        }
        // Who asks has read the same configuration, so it is sound.
        let settings = runtime::settings(&self.env).ok()?;
        let server = Rc::new(connections::mcp_server(&settings, id)?);
        let ports = connections::mcp_ports(&self.env);
        let made = LocalUpstream::new(server, ports, Rc::clone(&self.storage));
        self.owner.replace(Some(made.clone()));
        Some(made)
    }
}
