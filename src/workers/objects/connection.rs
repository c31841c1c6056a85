//! The object that one MCP connection lives in.

use std::rc::Rc;

use wasm_bindgen::JsValue;
use worker::{Env, Request};

use super::super::{http, ports::ObjectRecord, runtime};
use crate::mcp::{Connection, Posted};

/// What an object keeps in memory: its connection with its runtime.
pub(crate) struct ConnectionState {
    connection: Connection,
    /// What a test asks of it.
    #[cfg(feature = "faults")]
    pub(crate) trial: super::super::faults::Trial,
}

impl ConnectionState {
    /// The state of the object whose context is `context`.
    ///
    /// # Errors
    ///
    /// A text when the settings are wrong or the catalog can't be built.
    pub(crate) fn new(context: &JsValue, env: &Env) -> Result<Self, JsValue> {
        let settings = runtime::settings(env).map_err(|errors| http::config_text(&errors))?;
        let runtime = runtime::runtime(&settings, env, context.clone())?;
        let record = ObjectRecord::new(context.clone().into());
        Ok(Self {
            #[cfg(feature = "faults")]
            trial: super::super::faults::Trial::new(runtime.clone(), context.clone()),
            connection: Connection::new(runtime, Rc::new(record)),
        })
    }

    /// Answers a request that the stateless Worker forwarded.
    pub(crate) async fn fetch(&self, request: Request) -> worker::Result<worker::Response> {
        let forwarded = http::Forwarded::read(request).await?;
        let reply = match &forwarded.body {
            Some(body) => {
                let posted = Posted {
                    session: &forwarded.session,
                    fresh: forwarded.fresh,
                    principal: &forwarded.principal,
                    body,
                };
                self.connection.post(posted).await
            }
            None => self.connection.delete(),
        };
        http::response(reply)
    }
}
