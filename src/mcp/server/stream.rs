//! One call's stream: what its client is told, stored before it is written.

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};

use futures::channel::mpsc::{UnboundedReceiver, UnboundedSender, unbounded};

use super::super::{
    http::{Event, EventId},
    session::{Due, Journal, Schedule},
    wire::{Id, Revision},
};
use crate::{
    limits::RETRY_MS,
    port::{Ports, Storage},
};

/// What the streams of one connection share.
#[derive(Clone)]
pub(super) struct Streams {
    pub(super) storage: Rc<dyn Storage>,
    pub(super) journal: Journal,
    pub(super) ports: Ports,
}

/// A stream that isn't answered yet.
pub(super) struct Stream {
    name: String,
    request: Id,
    revision: Revision,
    shared: Streams,
    number: Cell<u64>,
    bytes: Cell<usize>,
    ended: Cell<bool>,
    sink: RefCell<Option<UnboundedSender<Event>>>,
}

impl Stream {
    /// The stream that answers `request`, kept before anything is said on it.
    pub(super) fn open(shared: &Streams, request: Id, revision: Revision) -> Self {
        let name = format!("{:016x}", shared.ports.random.bits());
        if shared.journal.open(&name, &request).is_err() {
            shared.ports.console.warn("a stream can't be stored: a cut would lose its answer");
        }
        Self {
            name,
            request,
            revision,
            shared: shared.clone(),
            number: Cell::new(0),
            bytes: Cell::new(0),
            ended: Cell::new(false),
            sink: RefCell::default(),
        }
    }

    /// Its name, which begins the ids of its events.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// The first connection to it.
    pub(super) fn begin(&self) -> UnboundedReceiver<Event> {
        let events = self.attach();
        if self.revision.primes() {
            let id = EventId { stream: self.name.clone(), number: 0 };
            self.send(Event::Prime { id, retry_ms: RETRY_MS });
        }
        events
    }

    /// A connection to what is said from now on; it takes the place of any other.
    pub(super) fn attach(&self) -> UnboundedReceiver<Event> {
        let (sink, events) = unbounded();
        self.sink.replace((!self.ended.get()).then_some(sink));
        events
    }

    /// Says a message.
    pub(super) fn say(&self, text: &str) {
        if self.ended.get() {
            return;
        }
        let number = self.number.get().saturating_add(1);
        self.number.set(number);
        self.bytes.set(self.bytes.get().saturating_add(text.len()));
        let stored = self.shared.journal.keep(&self.name, number, text);
        if stored.is_err() {
            self.shared.ports.console.warn("a message can't be stored: a cut would lose it");
        }
        let id = EventId { stream: self.name.clone(), number };
        self.send(Event::Message { id: stored.is_ok().then_some(id), text: text.into() });
    }

    /// Ends the connection to it, not the stream.
    pub(super) fn cut(&self) {
        if self.revision.primes() {
            self.send(Event::Cut);
            self.sink.replace(None);
        }
    }

    /// Ends the connection to it for good measure: the host closes.
    pub(super) fn detach(&self) {
        self.sink.replace(None);
    }

    /// Says the answer and ends it.
    pub(super) fn answer(&self, text: &str) {
        self.say(text);
        self.end();
    }

    /// Ends it. Without an answer, when the request was cancelled.
    pub(super) fn end(&self) {
        if self.ended.replace(true) {
            return;
        }
        let now_ms = self.shared.ports.clock.now_ms();
        if self.shared.ended(&self.name, &self.request, self.bytes.get(), now_ms).is_err() {
            self.shared.ports.console.warn("a stream's end can't be stored");
        }
        self.sink.replace(None);
    }

    fn send(&self, event: Event) {
        let sink = self.sink.borrow().clone();
        if let Some(sink) = sink
            && sink.unbounded_send(event).is_err()
        {
            // Nobody reads any more; what was said can be read again.
            self.sink.replace(None);
        }
    }
}

impl Streams {
    /// Keeps a stream's end, and has what is old forgotten when it is time.
    pub(super) fn ended(
        &self,
        stream: &str,
        request: &Id,
        bytes: usize,
        now_ms: u64,
    ) -> Result<(), crate::port::StorageError> {
        self.journal.end(stream, request, bytes, now_ms)?;
        self.sweep(now_ms)
    }

    /// Forgets what is old.
    pub(super) fn sweep(&self, now_ms: u64) -> Result<(), crate::port::StorageError> {
        let schedule = Schedule(&*self.storage);
        if let Some(next_ms) = self.journal.sweep(now_ms)?
            && schedule.at(Due::Streams)?.is_none()
        {
            schedule.set(Due::Streams, next_ms)?;
        }
        Ok(())
    }
}
