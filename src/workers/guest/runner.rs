//! One isolate for one program.
//!
//! The loader itself is called in the `Runner` entrypoint, which is stateless: a
//! stub made in an object would live as long as the object. Only data crosses.

use std::rc::Rc;

use futures::{FutureExt, future::LocalBoxFuture};
use js_sys::Reflect;
use serde::Serialize;
use wasm_bindgen::{JsCast, JsValue, prelude::wasm_bindgen};

use super::super::ports::{Abort, GuestSocket, RemoteFunction};
use crate::sandbox::{
    IsolateLimits, Limits, LoadError, Loader, SandboxRequest, Transport, platform,
};

#[wasm_bindgen]
extern "C" {
    type Runner;
    #[wasm_bindgen(method, catch)]
    async fn fetch(
        this: &Runner,
        url: &str,
        init: &web_sys::RequestInit,
    ) -> Result<JsValue, JsValue>;
}

/// Loads isolates through the loopbacks of one context.
pub(crate) struct RunnerLoader {
    context: JsValue,
    outbound: Option<Outbound>,
}

/// The network of an isolate that has one, as the `Outbound` loopback is given it.
#[derive(Clone, Serialize)]
pub(crate) struct Outbound {
    /// The hosts that it may reach.
    pub(crate) allow: Vec<String>,
    /// The object that is told of whatever else it tries.
    pub(crate) book: String,
    /// Whose isolate it is.
    pub(crate) pen: String,
}

impl RunnerLoader {
    /// A loader over the context of an object or of a stateless request.
    pub(crate) fn new(context: JsValue) -> Self {
        Self { context, outbound: None }
    }

    /// The same, but that its isolates have a network of ours.
    pub(crate) fn outbound(context: JsValue, outbound: Outbound) -> Self {
        Self { context, outbound: Some(outbound) }
    }
}

/// What `Runner` is given: data, and no more than it needs.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Props<'a> {
    program: &'a str,
    limits: IsolateLimits,
    outbound: Option<&'a Outbound>,
}

impl Loader for RunnerLoader {
    fn load(
        &self,
        request: &SandboxRequest,
    ) -> LocalBoxFuture<'static, Result<Box<dyn Transport>, LoadError>> {
        let runner = runner(&self.context, request, self.outbound.as_ref());
        let (program, limits) = (Rc::clone(&request.program), request.limits.clone());
        async move {
            let load_error = |error| platform::load_error(&text(&error), &program, &limits);
            let runner = runner.map_err(load_error)?;
            let socket = connect(runner, &limits).await.map_err(load_error)?;
            Ok(Box::new(socket) as Box<dyn Transport>)
        }
        .boxed_local()
    }
}

/// The loopback for one program.
fn runner(
    context: &JsValue,
    request: &SandboxRequest,
    outbound: Option<&Outbound>,
) -> Result<Runner, JsValue> {
    let props =
        Props { program: &request.program.module, limits: request.limits.of_isolate(), outbound };
    let props = serde_wasm_bindgen::to_value(&props)?;
    let options = js_sys::Object::new();
    Reflect::set(&options, &JsValue::from("props"), &props)?;
    let exports = Reflect::get(context, &JsValue::from("exports"))?;
    let runner = RemoteFunction::member(&exports, "Runner")?.call(&[options.into()])?;
    Ok(runner.unchecked_into())
}

/// Starts the isolate and takes the socket from its answer.
async fn connect(runner: Runner, limits: &Limits) -> Result<GuestSocket, JsValue> {
    let abort = Abort::new()?;
    let headers = web_sys::Headers::new()?;
    headers.set("Upgrade", "websocket")?;
    let init = web_sys::RequestInit::new();
    init.set_headers(&headers);
    init.set_signal(Some(&abort.signal()));
    let response = runner.fetch("https://guest.invalid/", &init).await?;
    let socket = Reflect::get(&response, &JsValue::from("webSocket"))?;
    if !socket.is_object() {
        return Err(JsValue::from("the isolate gave no socket"));
    }
    let isolates = isolates(&response)?;
    GuestSocket::accept(socket.unchecked_into(), abort, limits, isolates)
}

/// How many isolates `Runner` says that it has loaded.
fn isolates(response: &JsValue) -> Result<u32, JsValue> {
    let headers: web_sys::Headers =
        Reflect::get(response, &JsValue::from("headers"))?.unchecked_into();
    let count = headers.get("isolates")?.and_then(|count| count.parse().ok());
    count.ok_or_else(|| JsValue::from("the runner doesn't say what it loaded"))
}

/// An error's message, or the value itself when it is no error.
fn text(error: &JsValue) -> String {
    error
        .dyn_ref::<js_sys::Error>()
        .map_or_else(|| format!("{error:?}"), |error| String::from(error.message()))
}
