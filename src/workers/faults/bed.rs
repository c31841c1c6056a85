//! Two stateless requests of one isolate: one sleeps until the other wakes it, then goes on
//! with what is its own. Requests to one object share a context, and would notice nothing.

use std::cell::RefCell;

use futures::{
    FutureExt,
    channel::oneshot,
    future::{LocalBoxFuture, select},
};
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;

use super::super::ports::{self, PlatformTimer};
use crate::port::{Give, Timer};

thread_local! {
    // What no static of ours may hold, for that is what is on trial.
    static SLEEPER: RefCell<Option<Give>> = const { RefCell::new(None) };
}

/// How long a sleeper waits to be woken, in milliseconds.
const PATIENCE_MS: u64 = 2_000;

/// Sleeps until it is woken, by the platform's hand-over or by a Rust waker alone, and then
/// reads the body of its own request, which no other request may.
pub(super) async fn sleep(handed_over: bool, request: &web_sys::Request) -> String {
    let (give, given) = if handed_over { ports::ports().handoff.pair() } else { waker() };
    drop(SLEEPER.replace(Some(give)));
    // A stateless request without a timer or anything else of the platform's under way is
    // ended as one that hangs.
    select(given, PlatformTimer.sleep(PATIENCE_MS)).await;
    match own_body(request).await {
        Ok(body) => body,
        Err(error) => format!("{error:?}"),
    }
}

/// Wakes who sleeps.
pub(super) fn wake() -> String {
    drop(SLEEPER.take());
    "woken".to_owned()
}

async fn own_body(request: &web_sys::Request) -> Result<String, JsValue> {
    let body = JsFuture::from(request.text()?).await?;
    body.as_string().ok_or(body)
}

/// What would do if an isolate had one request at a time.
fn waker() -> (Give, LocalBoxFuture<'static, ()>) {
    let (wake, woken) = oneshot::channel::<()>();
    (Give::new(Box::new(move || drop(wake))), woken.map(drop).boxed_local())
}
