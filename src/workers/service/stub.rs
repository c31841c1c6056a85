//! A function of another Worker's.

use std::cell::RefCell;

use futures::{FutureExt, future::LocalBoxFuture};
use js_sys::{Function, JSON, Promise, Reflect};
use serde_json::Value;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;

use super::{
    super::ports::RemoteFunction,
    argument::{dispose, pack},
};
use crate::{
    failure::{MESSAGE_BYTES, bounded},
    json::parse,
    limits::SERVICE_REQUEST_BYTES,
    service::{Remote, RemoteError},
};

/// How the platform says that an answer is more than it carries.
const OVER_THE_PLATFORM: &str = "Serialized RPC arguments or return values are limited to";

/// A stub of the host's own, which is let go with it.
pub(super) struct Stub {
    function: RefCell<Option<RemoteFunction>>,
}

impl Stub {
    pub(super) fn new(function: Function) -> Self {
        Self { function: RefCell::new(Some(RemoteFunction::new(function))) }
    }
}

impl Remote for Stub {
    fn call(&self, arguments: Vec<Value>) -> LocalBoxFuture<'static, Result<Value, RemoteError>> {
        let function = self.function.borrow().clone();
        async move { call(&function.ok_or(RemoteError::Gone)?, &arguments).await }.boxed_local()
    }

    fn dispose(&self) {
        let function = self.function.borrow_mut().take();
        if let Some(function) = function {
            dispose(function.function());
        }
    }
}

impl Drop for Stub {
    fn drop(&mut self) {
        self.dispose();
    }
}

/// Something of another Worker's, let go when it is dropped.
struct Held(JsValue);

impl Drop for Held {
    fn drop(&mut self) {
        dispose(&self.0);
    }
}

async fn call(function: &RemoteFunction, arguments: &[Value]) -> Result<Value, RemoteError> {
    let arguments: Result<Vec<_>, _> =
        arguments.iter().map(|value| JSON::parse(&value.to_string())).collect();
    let called = function.call(&arguments.map_err(threw)?).map_err(threw)?;
    // The promise is let go with the future, its answer with what is read of it.
    let promise = Held(called);
    let answer = JsFuture::from(Promise::resolve(&promise.0)).await.map_err(threw)?;
    said(&Held(answer).0)
}

fn said(answer: &JsValue) -> Result<Value, RemoteError> {
    let bytes = u32::try_from(SERVICE_REQUEST_BYTES).unwrap_or(u32::MAX);
    let packed = pack(answer, bytes, false).map_err(threw)?;
    if let Some(refusal) = packed.refusal() {
        return Err(RemoteError::Answer(refusal));
    }
    parse(&packed.text()).map_err(|error| RemoteError::Answer(error.to_string()))
}

/// The message of what was thrown, and nothing else of it.
fn threw(error: JsValue) -> RemoteError {
    let message = Reflect::get(&error, &JsValue::from("message")).ok();
    let message = message.and_then(|message| message.as_string()).or_else(|| error.as_string());
    let message = message.unwrap_or_else(|| "it threw what has no message".to_owned());
    if message.starts_with(OVER_THE_PLATFORM) {
        let problem = "it is more than the 32 MiB that the platform carries: answer with less";
        return RemoteError::Answer(problem.to_owned());
    }
    RemoteError::Threw(bounded(&message, MESSAGE_BYTES))
}
