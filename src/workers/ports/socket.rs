//! The WebSocket to one isolate.
//!
//! The `worker` crate's own type panics on events after its stream is gone, and
//! leaves closing to its user. This one closes and aborts when it is dropped.

use std::{
    cell::RefCell,
    collections::VecDeque,
    future::poll_fn,
    rc::Rc,
    task::{Context, Poll, Waker},
};

use futures::{FutureExt, future::LocalBoxFuture};
use js_sys::{JsString, Reflect};
use wasm_bindgen::{JsCast, JsValue, closure::Closure, prelude::wasm_bindgen};

use super::timer::PlatformTimer;
use crate::{
    port::Timer,
    sandbox::{Limits, Lost, Transport, TransportClosed, wire::FRAME_OVERHEAD},
};

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
        // Nobody hears the reason; without one the platform makes an exception with a stack.
        self.0.abort_with_reason(&JsValue::from("dropped"));
    }
}

/// An accepted socket whose frames wait here until they are taken.
pub(crate) struct GuestSocket {
    socket: RawSocket,
    inbox: Rc<RefCell<Inbox>>,
    on_message: Closure<dyn FnMut(JsValue)>,
    on_close: Closure<dyn FnMut(JsValue)>,
    on_error: Closure<dyn FnMut(JsValue)>,
    isolates: u32,
    breath: Breath,
    // Dropped last: the isolate's work is aborted after the socket is closed.
    _abort: Abort,
}

/// What has come and not been taken.
struct Inbox {
    frames: VecDeque<String>,
    /// Bytes of the frames, and of those taken that are in use.
    waiting: usize,
    in_use: usize,
    /// The most that both may come to, and the most units of one frame.
    flight_bytes: usize,
    frame_units: usize,
    lost: Option<Lost>,
    waker: Option<Waker>,
}

impl Inbox {
    fn new(limits: &Limits) -> Self {
        Self {
            frames: VecDeque::new(),
            waiting: 0,
            in_use: 0,
            flight_bytes: limits.flight_bytes.saturating_add(limits.frame_bytes),
            frame_units: limits.frame_bytes.saturating_add(FRAME_OVERHEAD),
            lost: None,
            waker: None,
        }
    }

    /// Takes a message in, unless there is no room: its length is looked at before it is
    /// copied, for a copy that is too large is what the bound is there to prevent.
    fn receive(&mut self, event: &JsValue) {
        if self.lost.is_none()
            && let Err(lost) = self.admit(event)
        {
            self.lose(lost);
        }
    }

    fn admit(&mut self, event: &JsValue) -> Result<(), Lost> {
        let data = event.unchecked_ref::<web_sys::MessageEvent>().data();
        let Some(text) = data.dyn_ref::<JsString>() else {
            return Err(Lost::Binary { bytes: byte_length(&data) });
        };
        let units = usize::try_from(text.length()).unwrap_or(usize::MAX);
        if units > self.frame_units {
            return Err(Lost::Overlong { units });
        }
        let room = self.flight_bytes.saturating_sub(self.waiting).saturating_sub(self.in_use);
        if units > room {
            return Err(Lost::Flooded);
        }
        let frame = String::from(text);
        if frame.len() > room {
            return Err(Lost::Flooded);
        }
        self.waiting = self.waiting.saturating_add(frame.len());
        self.frames.push_back(frame);
        Ok(())
    }

    fn take(&mut self) -> Option<String> {
        let frame = self.frames.pop_front()?;
        self.waiting = self.waiting.saturating_sub(frame.len());
        Some(frame)
    }

    /// Of several causes the first is the cause.
    fn lose(&mut self, lost: Lost) {
        self.lost.get_or_insert(lost);
    }
}

/// The bytes of a message that is no text.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a size in bytes")]
fn byte_length(data: &JsValue) -> usize {
    let member = |key: &str| Reflect::get(data, &JsValue::from(key)).ok()?.as_f64();
    member("byteLength").or_else(|| member("size")).unwrap_or_default() as usize
}

impl GuestSocket {
    /// Accepts `socket`; from here on dropping it closes it and aborts `abort`.
    pub(crate) fn accept(
        socket: RawSocket,
        abort: Abort,
        limits: &Limits,
        isolates: u32,
    ) -> Result<Self, JsValue> {
        let inbox = Rc::new(RefCell::new(Inbox::new(limits)));
        let on_message = listener(&inbox, |inbox, event| inbox.receive(&event));
        let on_close = listener(&inbox, |inbox, event| inbox.lose(closed(&event)));
        let on_error = listener(&inbox, |inbox, event| inbox.lose(failed(&event)));
        let accepted = Self {
            socket,
            inbox,
            on_message,
            on_close,
            on_error,
            isolates,
            breath: Breath::default(),
            _abort: abort,
        };
        accepted.listeners(RawSocket::listen)?;
        accepted.socket.accept()?;
        Ok(accepted)
    }

    fn listeners(
        &self,
        change: fn(&RawSocket, &str, &JsValue) -> Result<(), JsValue>,
    ) -> Result<(), JsValue> {
        change(&self.socket, "message", self.on_message.as_ref())?;
        change(&self.socket, "close", self.on_close.as_ref())?;
        change(&self.socket, "error", self.on_error.as_ref())
    }
}

/// What a close event says.
fn closed(event: &JsValue) -> Lost {
    let event = event.unchecked_ref::<web_sys::CloseEvent>();
    Lost::Closed { code: event.code(), reason: event.reason() }
}

/// What an error event says: its message, or its error's.
fn failed(event: &JsValue) -> Lost {
    let said = |key: &str| Reflect::get(event, &JsValue::from(key)).ok();
    let message = said("message").and_then(|message| message.as_string());
    let error = || said("error").map(|error| format!("{error:?}")).unwrap_or_default();
    Lost::Failed(message.filter(|message| !message.is_empty()).unwrap_or_else(error))
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

/// Lets everybody else have a turn now and then.
///
/// A program that awaits one quick call after another keeps the events of its socket coming, and
/// while any is due local workerd looks at no timer and at no other request: not even at the
/// program's own deadline.
#[derive(Default)]
struct Breath {
    frames: u32,
    taken: Option<LocalBoxFuture<'static, ()>>,
}

/// Frames from one breath to the next.
const FRAMES: u32 = 256;

impl Breath {
    /// One more frame was taken.
    fn count(&mut self) {
        self.frames = self.frames.saturating_add(1);
        if self.frames >= FRAMES {
            self.frames = 0;
            self.taken = Some(PlatformTimer.sleep(0));
        }
    }

    fn poll(&mut self, context: &mut Context<'_>) -> Poll<()> {
        if let Some(taken) = &mut self.taken {
            std::task::ready!(taken.poll_unpin(context));
            self.taken = None;
        }
        Poll::Ready(())
    }
}

impl Transport for GuestSocket {
    fn send(&self, frame: &str) -> Result<(), TransportClosed> {
        self.socket.send(frame).map_err(|_| TransportClosed)
    }

    fn next(&mut self) -> LocalBoxFuture<'_, Result<String, Lost>> {
        let Self { inbox, breath, .. } = self;
        poll_fn(move |context| {
            if breath.poll(context).is_pending() {
                return Poll::Pending;
            }
            let mut inbox = inbox.borrow_mut();
            if let Some(frame) = inbox.take() {
                breath.count();
                return Poll::Ready(Ok(frame));
            }
            if let Some(lost) = inbox.lost.clone() {
                return Poll::Ready(Err(lost));
            }
            inbox.waker = Some(context.waker().clone());
            Poll::Pending
        })
        .boxed_local()
    }

    fn in_use(&self, bytes: usize) {
        self.inbox.borrow_mut().in_use = bytes;
    }

    fn isolates(&self) -> u32 {
        self.isolates
    }
}

impl Drop for GuestSocket {
    fn drop(&mut self) {
        // A socket that the other side closed throws; it is closed either way.
        let _ = self.listeners(RawSocket::unlisten);
        let _ = self.socket.close(1_000, "settled");
    }
}
