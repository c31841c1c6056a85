//! The WebSocket to one isolate.
//!
//! The `worker` crate's own type panics on events after its stream is gone, and
//! leaves closing to its user. This one closes and aborts when it is dropped.

use std::{
    cell::RefCell,
    collections::VecDeque,
    future::poll_fn,
    rc::Rc,
    task::{Poll, Waker},
};

use futures::{FutureExt, future::LocalBoxFuture};
use wasm_bindgen::{JsCast, JsValue, closure::Closure, prelude::wasm_bindgen};

use crate::sandbox::{Transport, TransportClosed};

#[wasm_bindgen]
extern "C" {
    /// The socket on a response that switched protocols.
    pub(crate) type RawSocket;

    #[wasm_bindgen(method, catch)]
    fn accept(this: &RawSocket) -> Result<(), JsValue>;
    #[wasm_bindgen(method, catch)]
    fn send(this: &RawSocket, frame: &str) -> Result<(), JsValue>;
    #[wasm_bindgen(method, catch)]
    fn close(this: &RawSocket, code: u16, reason: &str) -> Result<(), JsValue>;
    #[wasm_bindgen(method, catch, js_name = addEventListener)]
    fn listen(this: &RawSocket, kind: &str, listener: &JsValue) -> Result<(), JsValue>;
    #[wasm_bindgen(method, catch, js_name = removeEventListener)]
    fn unlisten(this: &RawSocket, kind: &str, listener: &JsValue) -> Result<(), JsValue>;
}

/// Aborts its signal when it is dropped.
pub(crate) struct Abort(web_sys::AbortController);

impl Abort {
    /// A fresh signal's owner.
    pub(crate) fn new() -> Result<Self, JsValue> {
        web_sys::AbortController::new().map(Self)
    }

    /// The signal.
    pub(crate) fn signal(&self) -> web_sys::AbortSignal {
        self.0.signal()
    }
}

impl Drop for Abort {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// An accepted socket whose frames wait here until they are taken.
pub(crate) struct GuestSocket {
    socket: RawSocket,
    inbox: Rc<RefCell<Inbox>>,
    on_message: Closure<dyn FnMut(JsValue)>,
    on_end: Closure<dyn FnMut(JsValue)>,
    // Dropped last: the isolate's work is aborted after the socket is closed.
    _abort: Abort,
}

#[derive(Default)]
struct Inbox {
    frames: VecDeque<String>,
    closed: bool,
    waker: Option<Waker>,
}

impl GuestSocket {
    /// Accepts `socket`; from here on dropping it closes it and aborts `abort`.
    pub(crate) fn accept(socket: RawSocket, abort: Abort) -> Result<Self, JsValue> {
        let inbox: Rc<RefCell<Inbox>> = Rc::default();
        let on_message = listener(&inbox, |inbox, event| match text(&event) {
            Some(frame) => inbox.frames.push_back(frame),
            None => inbox.closed = true,
        });
        let on_end = listener(&inbox, |inbox, _| inbox.closed = true);
        let accepted = Self { socket, inbox, on_message, on_end, _abort: abort };
        accepted.listeners(RawSocket::listen)?;
        accepted.socket.accept()?;
        Ok(accepted)
    }

    fn listeners(
        &self,
        change: fn(&RawSocket, &str, &JsValue) -> Result<(), JsValue>,
    ) -> Result<(), JsValue> {
        change(&self.socket, "message", self.on_message.as_ref())?;
        change(&self.socket, "close", self.on_end.as_ref())?;
        change(&self.socket, "error", self.on_end.as_ref())
    }
}

/// A listener that changes the inbox and wakes whoever waits for it.
fn listener(
    inbox: &Rc<RefCell<Inbox>>,
    change: impl Fn(&mut Inbox, JsValue) + 'static,
) -> Closure<dyn FnMut(JsValue)> {
    let inbox = Rc::clone(inbox);
    Closure::wrap_assert_unwind_safe(Box::new(move |event: JsValue| {
        // Waking runs foreign code: the borrow ends first.
        let waker = {
            let mut inbox = inbox.borrow_mut();
            change(&mut inbox, event);
            inbox.waker.take()
        };
        if let Some(waker) = waker {
            waker.wake();
        }
    }))
}

/// The text of a message; a guest that sends bytes breaks the protocol.
fn text(event: &JsValue) -> Option<String> {
    event.unchecked_ref::<web_sys::MessageEvent>().data().as_string()
}

impl Transport for GuestSocket {
    fn send(&self, frame: &str) -> Result<(), TransportClosed> {
        self.socket.send(frame).map_err(|_| TransportClosed)
    }

    fn next(&mut self) -> LocalBoxFuture<'_, Option<String>> {
        let inbox = &self.inbox;
        poll_fn(move |context| {
            let mut inbox = inbox.borrow_mut();
            if let Some(frame) = inbox.frames.pop_front() {
                return Poll::Ready(Some(frame));
            }
            if inbox.closed {
                return Poll::Ready(None);
            }
            inbox.waker = Some(context.waker().clone());
            Poll::Pending
        })
        .boxed_local()
    }
}

impl Drop for GuestSocket {
    fn drop(&mut self) {
        // A socket that the other side closed throws; it is closed either way.
        let _ = self.listeners(RawSocket::unlisten);
        let _ = self.socket.close(1_000, "settled");
    }
}
