//! Fault injection, in test builds only.
//!
//! A fault is asked for in two ways: by calling an operation of the module
//! `faults`, or by a request whose URL says `?fault=place.kind`, where the place
//! is `gate` (the stateless request) or `object` (the request in an object).
//!
//! Besides, whatever a law needs to be seen from outside: modules that say what
//! happens to them, and an object's [`Trial`].

mod bed;
mod bench;
mod contract;
mod credential;
mod echo;
mod fixture;
mod session;
mod witness;

use std::{cell::RefCell, rc::Rc};

use serde_json::json;
use wasm_bindgen::{JsValue, closure::Closure, prelude::wasm_bindgen};

use super::ports::{PlatformConsole, PlatformTimer};
use crate::{
    operation::{Module, Operation, OperationError},
    port::{Console, Timer},
    runtime::{Mycelium, Options},
};
pub(super) use credential::revocable;
pub(super) use fixture::tools;
use session::Session;

#[wasm_bindgen(inline_js = "export function callLater(callback) {
    setTimeout(() => {
        try {
            callback();
        } catch (error) {
            console.warn('a callback was refused:', error.message);
        }
    }, 400);
}")]
extern "C" {
    /// Calls back in 400 ms, and says when that was refused.
    #[wasm_bindgen(js_name = callLater)]
    fn call_later(callback: &JsValue);
}

#[wasm_bindgen]
extern "C" {
    /// Collects garbage, where the engine was told to let that be asked for.
    #[wasm_bindgen(js_name = gc, catch)]
    fn collect() -> Result<(), JsValue>;
    /// Throws, and isn't declared to: the way no import of ours may be.
    #[wasm_bindgen(js_name = decodeURIComponent)]
    fn throwing(text: &str) -> String;
}

thread_local! {
    static CELL: &'static RefCell<()> = Box::leak(Box::default());
}

/// The module `faults`: operations that fail the way a host can fail.
pub(super) fn module() -> Module {
    Module::new("test-faults", "faults")
        .operation("panic", Operation::new(any(), |_, _| async { Ok(panic_now()) }))
        .operation("overflow", Operation::new(any(), |_, _| async { Ok(json!(descend(1))) }))
        .operation("dive", Operation::new(any(), |_, _| async { Ok(json!(dive(1))) }))
        .operation(
            "wait",
            Operation::new(any(), |input, _| async move {
                let ms = input.get("ms").and_then(serde_json::Value::as_u64);
                let ms = ms.ok_or_else(|| OperationError::new("ms is a whole number"))?;
                PlatformTimer.sleep(ms).await;
                Ok(json!({"waited": ms}))
            }),
        )
}

/// The options of an object's runtime, with the modules that laws are seen by.
pub(super) fn on_trial(mut options: Options, env: &worker::Env) -> Options {
    let session = Session::default();
    options.modules.extend(witness::modules());
    options.modules.extend(session.modules());
    options.modules.extend(echo::echo(env));
    options.modules.push(credential::module());
    options.modules.push(fixture::module());
    options.access = options.access.session_grants(Rc::new(session));
    options
}

/// What a request may ask of an object beside what an object does.
pub(crate) struct Trial {
    runtime: Mycelium,
    context: JsValue,
}

impl Trial {
    /// Over an object's runtime and context.
    pub(crate) fn new(runtime: Mycelium, context: JsValue) -> Self {
        Self { runtime, context }
    }

    /// Does what `url` asks for, if it does; an answer stands for the object's own.
    pub(crate) async fn answer(&self, url: &str) -> Option<String> {
        let asked = asked(url, "object")?;
        if let Some(work) = asked.strip_prefix("bench.") {
            return Some(bench::run(work).await);
        }
        match asked {
            "close" => self.runtime.close().await,
            "contract" => return Some(contract::isolates(self.context.clone()).await),
            "mute" => return Some(contract::mute().await),
            kind => fault(kind).await,
        }
        None
    }
}

fn any() -> serde_json::Value {
    json!({})
}

/// Brings about what a stateless request asks for, if it does; an answer stands for the
/// Worker's own.
pub(super) async fn inject(request: &web_sys::Request) -> Option<String> {
    let url = request.url();
    match asked(&url, "gate")? {
        "sleep" => return Some(bed::sleep(true, request).await),
        "doze" => return Some(bed::sleep(false, request).await),
        "wake" => return Some(bed::wake()),
        kind => fault(kind).await,
    }
    None
}

/// The kind of what `url` asks for at `place`.
fn asked<'a>(url: &'a str, place: &str) -> Option<&'a str> {
    let (_, asked) = url.split_once("?fault=")?;
    asked.strip_prefix(place)?.strip_prefix('.')
}

async fn fault(kind: &str) {
    match kind {
        "panic" => drop(panic_now()),
        "spawned" => {
            wasm_bindgen_futures::spawn_local(async { drop(panic_now()) });
            PlatformTimer.sleep(50).await;
        }
        "hold" => hold().await,
        "borrow" => drop(CELL.with(|cell| cell.borrow_mut())),
        "overflow" => keep(descend(1)),
        "dive" => keep(dive(1)),
        "import" => keep(import(1)),
        "later" => {
            PlatformTimer.sleep(20).await;
            keep(descend(1));
        }
        "throw" => drop(throwing("%")),
        "memory" => keep([half(), half(), half()]),
        "tick" => tick(),
        "collect" => keep(collect()),
        "wait" => PlatformTimer.sleep(600).await,
        other => PlatformConsole.warn(&format!("no fault {other}")),
    }
}

/// Half of all the memory that can be addressed.
fn half() -> Vec<u8> {
    Vec::with_capacity(isize::MAX.unsigned_abs())
}

/// Uses a value, so that what made it isn't optimised away.
fn keep<T>(value: T) {
    std::hint::black_box(value);
}

/// Leaves a callback behind that says when it runs.
fn tick() {
    let callback = Closure::<dyn FnMut()>::new(|| PlatformConsole.warn("a callback ran"));
    call_later(callback.as_ref());
    callback.forget();
}

/// Holds a borrow over an await, which no code of ours may.
#[allow(clippy::await_holding_refcell_ref, reason = "that is what it is for")]
async fn hold() {
    let held = CELL.with(|cell| cell.borrow_mut());
    PlatformTimer.sleep(600).await;
    drop(held);
}

/// Panics.
#[allow(clippy::panic, reason = "that is what it is for")]
fn panic_now() -> serde_json::Value {
    panic!("injected")
}

/// Recurses until the module's own stack is gone.
fn descend(depth: u64) -> u64 {
    let mut frame = [depth; 64];
    std::hint::black_box(&mut frame);
    if depth == 0 {
        return 0;
    }
    descend(depth.wrapping_add(1)).wrapping_add(frame.iter().sum())
}

/// Recurses without using the module's own stack, until the engine's is gone.
#[inline(never)]
fn dive(depth: u64) -> u64 {
    if depth == 0 {
        return 0;
    }
    dive(depth.wrapping_add(1)).rotate_left(1) ^ depth
}

/// Recurses through an import, so that the engine's stack may end in JavaScript.
#[inline(never)]
fn import(depth: u64) -> u64 {
    if js_sys::Date::now() < 0.0 {
        return 0;
    }
    import(depth.wrapping_add(1)).rotate_left(1) ^ depth
}
