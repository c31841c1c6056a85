//! The object that one MCP connection lives in, or one call without a session.

use std::{cell::RefCell, rc::Rc};

use wasm_bindgen::{JsCast, JsValue};
use worker::{Env, Request, Response};

use super::super::{
    http::{self, Holds, Order},
    ports::{ObjectStorage, RemoteFunction},
    runtime,
    ui::{SessionUi, Slot},
};
use crate::{
    knapsack::ui,
    mcp::{Body, Connection, Modern, Parking, Posted, Reply, ServerParts, SuspendedCall},
    port::Storage,
};

/// What an object keeps in memory.
pub(crate) struct ConnectionState {
    parts: ServerParts,
    storage: Rc<dyn Storage>,
    holds: Holds,
    connection: Slot,
    ui: SessionUi,
    call: RefCell<Option<SuspendedCall>>,
    /// What a test asks of it.
    #[cfg(feature = "faults")]
    pub(crate) trial: super::super::faults::Trial,
}

impl ConnectionState {
    /// The state of the object whose context is `context`; `hold` counts its streams.
    ///
    /// # Errors
    ///
    /// A text when the settings are wrong or the catalog can't be built.
    pub(crate) fn new(
        context: &JsValue,
        env: &Env,
        hold: js_sys::Function,
    ) -> Result<Self, JsValue> {
        let settings = runtime::settings(env).map_err(|errors| http::config_text(&errors))?;
        let connection = Slot::default();
        let ui = SessionUi::new(&settings, Rc::clone(&connection));
        let sources = ui.sources();
        let runtime = runtime::runtime(&settings, env, context.clone(), sources)?;
        let storage = ObjectStorage::new(context.clone().unchecked_into());
        Ok(Self {
            #[cfg(feature = "faults")]
            trial: super::super::faults::Trial::new(runtime.clone(), context.clone()),
            parts: runtime::parts_over(&settings, env, runtime),
            storage: Rc::new(storage),
            holds: Holds::new(RemoteFunction::new(hold)),
            connection,
            ui,
            call: RefCell::default(),
        })
    }

    /// Answers a request of the Worker's.
    pub(crate) async fn fetch(&self, request: Request) -> worker::Result<Response> {
        let (order, body) = Order::read(request).await?;
        let reply = match order {
            Order::Post { id, fresh, caller, answering } => {
                let answering = answering.into();
                let posted = Posted { caller: &caller, fresh, answering, body: &body };
                self.connection(&id).post(posted).await
            }
            Order::Get { id, caller, last_event } => {
                self.connection(&id).get(&caller, last_event.as_deref())
            }
            Order::Delete { id, caller } => {
                let reply = self.connection(&id).delete(&caller).await;
                if reply.status == 204 {
                    self.ui.close();
                }
                reply
            }
            Order::Browser { id, caller, method, path, last_event } => {
                drop(self.connection(&id));
                let (method, path, last_event) = (&*method, &*path, last_event.as_deref());
                let request = ui::Request { method, path, last_event, body: &body };
                self.ui.answer(&caller, request).await
            }
            Order::Call { id, caller, answering } => match Modern::again(&body) {
                Ok(modern) => self.call(&id).answer(&caller, &modern, answering.into()).await,
                Err(refusal) => refusal,
            },
            Order::Park { id, idle_ms } => parked(&self.connection(&id), idle_ms),
            Order::Admit { .. }
            | Order::End { .. }
            | Order::TellGrants {}
            | Order::SetGrants {} => Reply::refusal(400, "this is no principal's object"),
        };
        let streams = matches!(reply.body, Body::Events(_));
        http::response(reply, streams.then(|| self.holds.hold()))
    }

    /// Does what has fallen due.
    pub(crate) async fn alarm(&self) -> worker::Result<()> {
        // An alarm doesn't know the object's name: what is made for it isn't kept.
        let known = self.connection.borrow().clone();
        let make = || Connection::new("", self.parts.clone(), Rc::clone(&self.storage));
        let connection = known.unwrap_or_else(make);
        let owner = connection.owner().map_err(worker_error)?;
        if owner.is_none() {
            // No session's, so it is a call's that nobody came back to.
            let known = self.call.borrow().clone();
            let make = || SuspendedCall::new("", self.parts.clone(), Rc::clone(&self.storage));
            return known.unwrap_or_else(make).wake().map_err(worker_error);
        }
        // The principal's table forgets an ended session by its own time.
        let ended = connection.wake().await.map_err(worker_error)?;
        if ended {
            self.ui.close();
        }
        Ok(())
    }

    fn connection(&self, id: &str) -> Connection {
        let mut connection = self.connection.borrow_mut();
        let make = || Connection::new(id, self.parts.clone(), Rc::clone(&self.storage));
        connection.get_or_insert_with(make).clone()
    }

    fn call(&self, id: &str) -> SuspendedCall {
        let mut call = self.call.borrow_mut();
        let make = || SuspendedCall::new(id, self.parts.clone(), Rc::clone(&self.storage));
        call.get_or_insert_with(make).clone()
    }
}

fn parked(connection: &Connection, idle_ms: u64) -> Reply {
    let said = match connection.park(idle_ms) {
        Ok(Parking::Parked) => "parked",
        Ok(Parking::Gone) => "gone",
        Ok(Parking::Busy) | Err(_) => "busy",
    };
    Reply::json(200, format!("\"{said}\""))
}

fn worker_error(error: crate::port::StorageError) -> worker::Error {
    worker::Error::RustError(error.to_string())
}
