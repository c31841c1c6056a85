//! The methods for Workers that are bound to this one.
//!
//! Each gives a JSON text. What is thrown would cross with all its properties, so that
//! nothing is.

use std::{cell::RefCell, panic::AssertUnwindSafe};

use futures::{FutureExt, future::LocalBoxFuture};
use js_sys::Promise;
use wasm_bindgen::JsValue;
use worker::Env;

use super::{super::service, owed};
use crate::service as asked;

/// The reply of a method whose instance is lost. The entry asks for it beforehand.
pub fn lost_service() -> String {
    asked::lost()
}

/// The reference and the reply of a method that failed in the host.
pub fn failed_service() -> Vec<String> {
    let (reference, reply) = service::failed_reply();
    vec![reference, reply]
}

/// Serves `search`, `list`, `describe`, `invoke` or `status`.
pub fn serve(method: String, request: JsValue, env: Env, ctx: JsValue) -> Promise {
    owed(async move { Ok(service::serve(method, request, env, ctx).await.into()) })
}

/// A program that a bound Worker runs.
pub struct Execution {
    // A panic leaves them usable: each is replaced whole.
    hold: AssertUnwindSafe<Option<asked::Execution>>,
    reply: AssertUnwindSafe<RefCell<Option<LocalBoxFuture<'static, String>>>>,
}

impl Execution {
    /// Begins it. The functions in `request` are taken before this returns.
    pub fn new(request: &JsValue, env: &Env, ctx: JsValue) -> Self {
        let (hold, reply) = service::begin(request, env, ctx);
        Self { hold: AssertUnwindSafe(hold), reply: AssertUnwindSafe(RefCell::new(Some(reply))) }
    }

    /// Its reply, to be asked for once.
    pub fn reply(&self) -> Promise {
        let reply = self.reply.borrow_mut().take();
        owed(async move {
            match reply {
                Some(reply) => Ok(JsValue::from(reply.boxed_local().await)),
                None => Err(JsValue::from("the reply was asked for twice")),
            }
        })
    }

    /// Ends it for its caller.
    pub fn cancel(&self, reason: Option<String>) {
        if let Some(hold) = &*self.hold {
            hold.cancel(reason);
        }
    }
}
