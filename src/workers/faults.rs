//! Fault injection, in test builds only.
//!
//! A fault is asked for in two ways: by calling an operation of the module
//! `faults`, or by a request whose URL says `?fault=place.kind`, where the place
//! is `gate` (the stateless request) or `object` (the request in an object).

use std::cell::RefCell;

use serde_json::json;
use wasm_bindgen::{JsValue, closure::Closure, prelude::wasm_bindgen};

use super::ports::{PlatformConsole, PlatformTimer};
use crate::{
    operation::{Module, Operation, OperationError},
    port::{Console, Timer},
};

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

fn any() -> serde_json::Value {
    json!({})
}

/// Brings about the fault that `url` asks for at `place`, if it does.
pub(super) async fn inject(url: &str, place: &str) {
    let Some((_, asked)) = url.split_once("?fault=") else { return };
    let Some((asked_place, kind)) = asked.split_once('.') else { return };
    if asked_place == place {
        fault(kind).await;
    }
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
