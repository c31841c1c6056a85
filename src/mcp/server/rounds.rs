//! A call's client where the server can't send requests: questions are a result, and
//! their answers come with the next request.

use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    rc::Rc,
};

use futures::{FutureExt, channel::mpsc::UnboundedSender, future::LocalBoxFuture};
use serde_json::{Map, Value, json};

use super::{
    Modern,
    pending::{Pending, Rising},
};
use crate::{
    failure::{Failure, Party},
    mcp::{
        Asked, Peer, Question,
        http::Event,
        wire::{self, asks_by_form},
    },
    operation::Cancellation,
    port::{Give, Ports},
};

/// The questions of one call that are open, and where its progress goes.
pub(super) struct Rounds {
    ports: Ports,
    capabilities: Map<String, Value>,
    token: Option<Value>,
    suspends: bool,
    pending: Pending,
    open: RefCell<BTreeMap<String, Value>>,
    /// Answers that came before their questions.
    early: RefCell<Map<String, Value>>,
    sink: RefCell<Option<UnboundedSender<Event>>>,
    rising: Rising,
    changed: RefCell<Option<Give>>,
}

impl Rounds {
    /// Of a call that `modern` makes; one that doesn't suspend asks nobody.
    pub(super) fn new(ports: &Ports, modern: &Modern, suspends: bool) -> Rc<Self> {
        Rc::new(Self {
            ports: ports.clone(),
            capabilities: modern.meta.capabilities.clone(),
            token: modern.meta.progress_token.clone(),
            suspends,
            pending: Pending::default(),
            open: RefCell::default(),
            early: RefCell::new(modern.responses().unwrap_or_default()),
            sink: RefCell::default(),
            rising: Rising::default(),
            changed: RefCell::default(),
        })
    }

    /// Whether it may wait for another request.
    pub(super) fn suspends(&self) -> bool {
        self.suspends
    }

    /// Where progress goes from now on.
    pub(super) fn report_to(&self, sink: Option<UnboundedSender<Event>>) {
        self.sink.replace(sink);
    }

    /// The questions that are open, as a result has them; none when there are none.
    pub(super) fn questions(&self) -> Option<Map<String, Value>> {
        let open = self.open.borrow();
        let questions: Map<String, Value> =
            open.iter().map(|(key, question)| (key.clone(), question.clone())).collect();
        (!questions.is_empty()).then_some(questions)
    }

    /// Takes the answers of another request. What nobody asked is nobody's.
    pub(super) fn answer(&self, responses: Map<String, Value>) {
        for (key, response) in responses {
            self.open.borrow_mut().remove(&key);
            self.pending.answer(&key, Ok(response));
        }
    }

    /// Resolves when a question is opened, or when [`notify`](Self::notify) says so.
    pub(super) fn changed(&self) -> LocalBoxFuture<'static, ()> {
        let (give, given) = self.ports.handoff.pair();
        let before = self.changed.replace(Some(give));
        drop(before);
        given
    }

    /// Wakes whoever waits for a change.
    pub(super) fn notify(&self) {
        let waiting = self.changed.take();
        if let Some(waiting) = waiting {
            waiting.give();
        }
    }

    fn can(&self, method: &str) -> bool {
        match method {
            "elicitation/create" => asks_by_form(&self.capabilities),
            "sampling/createMessage" => self.capabilities.contains_key("sampling"),
            "roots/list" => self.capabilities.contains_key("roots"),
            _ => false,
        }
    }
}

/// The client of a call, for whatever runs in it.
pub(super) struct RoundPeer(pub(super) Rc<Rounds>);

impl Peer for RoundPeer {
    fn progress(&self, progress: f64, total: Option<f64>, message: Option<&str>) {
        let rounds = &self.0;
        let sink = rounds.sink.borrow().clone();
        let (Some(sink), Some(token)) = (sink, &rounds.token) else { return };
        let Some(at) = rounds.rising.to(progress) else { return };
        let mut params = json!({ "progressToken": token, "progress": at });
        if let Some(params) = params.as_object_mut() {
            params.extend(total.map(|total| ("total".to_owned(), json!(total))));
            params.extend(message.map(|message| ("message".to_owned(), json!(message))));
        }
        let text = wire::notification("notifications/progress", params).into();
        // A client that is gone needs no progress.
        let _ = sink.unbounded_send(Event::Message { id: None, text });
    }

    fn ask(&self, question: Question) -> LocalBoxFuture<'static, Asked> {
        let rounds = Rc::clone(&self.0);
        let early = rounds.early.borrow_mut().remove(&question.key);
        if let Some(early) = early {
            return async { Asked::Answered(early) }.boxed_local();
        }
        if !rounds.suspends || !rounds.can(question.method) {
            return async { Asked::Unreachable }.boxed_local();
        }
        let waiting = rounds.pending.open(&question.key, &rounds.ports);
        let said = json!({ "method": question.method, "params": question.params });
        rounds.open.borrow_mut().insert(question.key.clone(), said);
        rounds.notify();
        let withdrawal = Withdrawal { rounds: Rc::clone(&rounds), key: question.key };
        async move {
            let asked = waiting.answered(&rounds.ports, || {}).await;
            drop(withdrawal);
            asked
        }
        .boxed_local()
    }

    fn capabilities(&self) -> Map<String, Value> {
        self.0.capabilities.clone()
    }

    fn cut(&self) {}
}

/// Takes a question back that nobody waits for any more.
struct Withdrawal {
    rounds: Rc<Rounds>,
    key: String,
}

impl Drop for Withdrawal {
    fn drop(&mut self) {
        self.rounds.open.borrow_mut().remove(&self.key);
    }
}

/// Cancels a call when its client cuts the stream that the answer is to come on.
pub(super) struct Hangup {
    cancellation: Cancellation,
    answered: Rc<Cell<bool>>,
}

impl Hangup {
    /// Over the cancellation of the call.
    pub(super) fn new(cancellation: Cancellation) -> Self {
        Self { cancellation, answered: Rc::default() }
    }

    /// What says that the answer is on its way, so that its end is no cut.
    pub(super) fn disarmer(&self) -> Rc<Cell<bool>> {
        Rc::clone(&self.answered)
    }
}

impl Drop for Hangup {
    fn drop(&mut self) {
        if !self.answered.get() {
            self.cancellation.cancel(Failure::Cancelled { by: Party::Disconnect });
        }
    }
}
