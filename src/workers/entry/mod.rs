//! What `entry.mjs` calls, and nothing else is reachable from it.
//!
//! Here it is what it does; a Worker's own crate [exports](crate::entry) it.
//!
//! The classes that the platform needs are JavaScript classes in `entry.mjs`,
//! because a Rust class can't extend the platform's own. Each hands its context
//! to one of these functions.

mod export;
mod service;

use std::{panic::AssertUnwindSafe, rc::Rc};

use js_sys::{Array, Function, Promise, WebAssembly::Module};
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::future_to_promise;
use worker::{Env, Request};

pub use export::exports;
pub use service::{Execution, failed_service, lost_service, serve};

use super::{
    app::{self, Build},
    bundle, http, objects,
    ports::{self, RemoteFunction},
};
use crate::{failure::Failure, mcp::wire};

/// Hands over the compiled intake module and what is bundled, once for each instance of
/// this one: `{"toml": text, "tables": {name: text}}`.
pub fn install(intake: Module, bundled: JsValue, build: Build) {
    ports::install(intake);
    bundle::install(bundled);
    app::install(build);
}

/// The body that answers a request whose instance is lost. The entry asks for it
/// beforehand: afterwards nobody is there to ask.
pub fn lost_reply() -> String {
    wire::host_failure(&Failure::ExecutionLost {})
}

/// The body that answers a request which failed in the host; the cause is in the log,
/// under `reference`.
pub fn failed_reply(reference: &str) -> String {
    let message = format!("{} (reference {reference})", wire::coded(&Failure::Unknown {}));
    wire::failure(None, wire::code::INTERNAL_ERROR, &message)
}

/// Answers a request from outside.
pub fn gate(request: web_sys::Request, env: Env, ctx: JsValue) -> Promise {
    respond(async move {
        #[cfg(feature = "faults")]
        if let Some(answer) = super::faults::inject(&request).await {
            return worker::Response::ok(answer);
        }
        http::gate(Request::from(request), env, ctx).await
    })
}

/// One connection's object.
pub struct Connection {
    // A panic leaves it usable: no borrow of it is held across an await.
    state: AssertUnwindSafe<Rc<objects::ConnectionState>>,
}

impl Connection {
    /// The object whose context and bindings these are; `hold` counts the streams that
    /// are open, up and down.
    ///
    /// # Errors
    ///
    /// A text that says which settings are wrong.
    pub fn new(context: &JsValue, env: &Env, hold: Function) -> Result<Self, JsValue> {
        let state = Rc::new(objects::ConnectionState::new(context, env, hold)?);
        Ok(Self { state: AssertUnwindSafe(state) })
    }

    /// Answers a request that the Worker forwarded.
    pub fn fetch(&self, request: web_sys::Request) -> Promise {
        let state = Rc::clone(&self.state);
        respond(async move {
            #[cfg(feature = "faults")]
            if let Some(answer) = state.trial.answer(&request.url()).await {
                return worker::Response::ok(answer);
            }
            state.fetch(Request::from(request)).await
        })
    }

    /// Does what has fallen due.
    pub fn alarm(&self) -> Promise {
        let state = Rc::clone(&self.state);
        respond(async move {
            state.alarm().await?;
            worker::Response::empty()
        })
    }
}

/// One principal's object.
pub struct Principal {
    state: AssertUnwindSafe<Rc<objects::PrincipalState>>,
}

impl Principal {
    /// The object whose context and bindings these are.
    ///
    /// # Errors
    ///
    /// A text that says which settings are wrong.
    pub fn new(context: &JsValue, env: Env) -> Result<Self, JsValue> {
        let state = Rc::new(objects::PrincipalState::new(context, env)?);
        Ok(Self { state: AssertUnwindSafe(state) })
    }

    /// Answers a connection's object.
    pub fn fetch(&self, request: web_sys::Request) -> Promise {
        let state = Rc::clone(&self.state);
        respond(async move { state.fetch(Request::from(request)).await })
    }
}

/// The owner of what one MCP server is spoken to with.
pub struct Upstream {
    state: AssertUnwindSafe<Rc<objects::UpstreamState>>,
}

impl Upstream {
    /// The object whose context and bindings these are.
    #[must_use]
    pub fn new(context: &JsValue, env: Env) -> Self {
        Self { state: AssertUnwindSafe(Rc::new(objects::UpstreamState::new(context, env))) }
    }

    /// Answers whoever calls the server.
    pub fn fetch(&self, request: web_sys::Request) -> Promise {
        let state = Rc::clone(&self.state);
        respond(async move { state.fetch(Request::from(request)).await })
    }
}

fn respond(answer: impl Future<Output = worker::Result<worker::Response>> + 'static) -> Promise {
    owed(async move {
        let response = answer.await.map_err(|error| JsValue::from(error.to_string()));
        Ok(JsValue::from(web_sys::Response::from(response?)))
    })
}

/// One persona's book of pens.
pub struct Pen {
    state: AssertUnwindSafe<Rc<objects::PenState>>,
}

impl Pen {
    /// The object whose context this is.
    #[must_use]
    pub fn new(context: JsValue) -> Self {
        Self { state: AssertUnwindSafe(Rc::new(objects::PenState::new(context))) }
    }

    /// Carries out an order of the Worker's.
    pub fn fetch(&self, request: web_sys::Request) -> Promise {
        let state = Rc::clone(&self.state);
        respond(async move { state.fetch(Request::from(request)).await })
    }
}

/// A panic in `answer` rejects this promise and touches nothing else.
fn owed(answer: impl Future<Output = Result<JsValue, JsValue>> + 'static) -> Promise {
    let (owed, dropped) = Owed::new();
    let answer = async move {
        let answer = answer.await;
        owed.settle();
        answer
    };
    Promise::race(&Array::of2(&future_to_promise(AssertUnwindSafe(answer)), &dropped))
}

/// An answer that is owed. What a platform's function throws against its declaration
/// unwinds like a panic, but nothing catches it: it drops the answer without a word.
struct Owed(Option<RemoteFunction>);

impl Owed {
    /// The debt, and a promise that is rejected when it is dropped unsettled.
    fn new() -> (Self, Promise) {
        let (reject, dropped) = ports::rejectable();
        (Self(Some(reject)), dropped)
    }

    fn settle(mut self) {
        self.0 = None;
    }
}

impl Drop for Owed {
    fn drop(&mut self) {
        // A panic is told by the promise of the answer itself.
        if let (Some(reject), false) = (self.0.take(), std::thread::panicking()) {
            // A promise's own reject function doesn't throw.
            let _ = reject.call(&["the answer was dropped".into()]);
        }
    }
}
