//! Asking a session's client, on the stream of the call that asks.

use std::{cell::Cell, rc::Rc};

use futures::{FutureExt, future::LocalBoxFuture};
use serde_json::{Map, Value, json};

use super::{
    super::{pending::Rising, stream::Stream},
    Inner,
};
use crate::mcp::{
    Asked, Peer, Question,
    wire::{self, Id},
};

/// The client of one call.
pub(super) struct StreamPeer {
    inner: Rc<Inner>,
    stream: Option<Rc<Stream>>,
    token: Option<Value>,
    rising: Rc<Rising>,
    asked: Cell<u64>,
}

impl StreamPeer {
    /// The client that reads `stream` and wants progress under `token`.
    pub(super) fn new(inner: Rc<Inner>, stream: Option<Rc<Stream>>, token: Option<Value>) -> Self {
        Self { inner, stream, token, rising: Rc::default(), asked: Cell::new(0) }
    }

    fn reports(&self) -> Option<(Rc<Stream>, Value)> {
        Some((self.stream.clone()?, self.token.clone()?))
    }
}

fn report(stream: &Stream, token: &Value, at: f64, total: Option<f64>, message: Option<&str>) {
    let mut params = json!({ "progressToken": token, "progress": at });
    if let Some(params) = params.as_object_mut() {
        if let Some(total) = total {
            params.insert("total".to_owned(), json!(total));
        }
        if let Some(message) = message {
            params.insert("message".to_owned(), json!(message));
        }
    }
    stream.say(&wire::notification("notifications/progress", params));
}

impl Peer for StreamPeer {
    fn progress(&self, progress: f64, total: Option<f64>, message: Option<&str>) {
        if let (Some((stream, token)), Some(at)) = (self.reports(), self.rising.to(progress)) {
            report(&stream, &token, at, total, message);
        }
    }

    fn ask(&self, question: Question) -> LocalBoxFuture<'static, Asked> {
        let asks = self.inner.asks(true) == Some(true);
        let Some(stream) = self.stream.clone().filter(|_| asks) else {
            return async { Asked::Unreachable }.boxed_local();
        };
        let number = self.asked.replace(self.asked.get().saturating_add(1));
        let name = format!("ask-{}-{number}", stream.name());
        let mut params = question.params;
        if !self.inner.revision().names_forms()
            && let Some(params) = params.as_object_mut()
        {
            params.remove("mode");
        }
        let (inner, rising, reports) =
            (Rc::clone(&self.inner), Rc::clone(&self.rising), self.reports());
        let ports = inner.parts.ports.clone();
        let waiting = inner.pending.open(&name, &ports);
        stream.say(&wire::request(&Id::Text(name.clone()), question.method, params));
        let withdrawal = Withdrawal { stream, name: Some(name) };
        async move {
            let tick = || {
                if let Some((stream, token)) = &reports {
                    report(stream, token, rising.next(), None, Some("waiting for a person"));
                }
            };
            let asked = waiting.answered(&ports, tick).await;
            withdrawal.answered();
            asked
        }
        .boxed_local()
    }

    fn capabilities(&self) -> Map<String, Value> {
        let mut capabilities = Map::new();
        if self.inner.asks(true) == Some(true) {
            capabilities.insert("elicitation".to_owned(), json!({ "form": {} }));
        }
        capabilities
    }

    fn cut(&self) {
        if let Some(stream) = &self.stream {
            stream.cut();
        }
    }
}

/// Tells the client that its answer isn't waited for any more, unless it came.
struct Withdrawal {
    stream: Rc<Stream>,
    name: Option<String>,
}

impl Withdrawal {
    fn answered(mut self) {
        self.name = None;
    }
}

impl Drop for Withdrawal {
    fn drop(&mut self) {
        let Some(name) = self.name.take() else { return };
        let params = json!({ "requestId": name, "reason": "nobody waits for the answer any more" });
        self.stream.say(&wire::notification("notifications/cancelled", params));
    }
}
