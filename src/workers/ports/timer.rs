//! Waiting, by `setTimeout`.

use std::{
    future::Future,
    pin::Pin,
    task::{Context, Poll},
};

use futures::{FutureExt, future::LocalBoxFuture};
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

use super::{RemoteFunction, handoff::promise};
use crate::port::Timer;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = setTimeout, catch)]
    fn set_timeout(callback: &JsValue, ms: f64) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(js_name = clearTimeout, catch)]
    fn clear_timeout(timer: &JsValue) -> Result<(), JsValue>;
}

pub(crate) struct PlatformTimer;

impl Timer for PlatformTimer {
    fn sleep(&self, ms: u64) -> LocalBoxFuture<'static, ()> {
        Sleep::new(ms).boxed_local()
    }
}

struct Sleep {
    timer: JsValue,
    resolve: RemoteFunction,
    elapsed: LocalBoxFuture<'static, ()>,
}

impl Sleep {
    fn new(ms: u64) -> Self {
        let (resolve, elapsed) = promise();
        #[allow(clippy::cast_precision_loss, reason = "at most 900 000")]
        let timer = set_timeout(resolve.function(), ms as f64).unwrap_or_else(|_| {
            // A timer that can't be set is over at once: what it guards must not hang.
            let _ = resolve.call(&[]);
            JsValue::UNDEFINED
        });
        Self { timer, resolve, elapsed }
    }
}

impl Future for Sleep {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        self.elapsed.as_mut().poll(context)
    }
}

impl Drop for Sleep {
    fn drop(&mut self) {
        // Neither throws; resolving frees the callbacks that wait for the promise.
        let _ = clear_timeout(&self.timer);
        let _ = self.resolve.call(&[]);
    }
}
