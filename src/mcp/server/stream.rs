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
    /// Whether it is known that a sweep is due; then the schedule needn't be read.
    pub(super) sweeping: Rc<Cell<bool>>,
}

/// A stream that isn't answered yet.
pub(super) struct Stream {
    name: String,
    request: Id,
    revision: Revision,
    shared: Streams,
    number: Cell<u64>,
    bytes: Cell<usize>,
    begun: Cell<bool>,
    ended: Cell<bool>,
    sink: RefCell<Option<UnboundedSender<Event>>>,
}

impl Stream {
    /// The stream that answers `request`. Nothing is stored or said of it yet.
    pub(super) fn open(shared: &Streams, request: Id, revision: Revision) -> Self {
        Self {
            name: format!("{:016x}", shared.ports.random.bits()),
            request,
            revision,
            shared: shared.clone(),
            number: Cell::new(0),
            bytes: Cell::new(0),
            begun: Cell::new(false),
            ended: Cell::new(false),
            sink: RefCell::default(),
        }
    }

    /// Its name, which begins the ids of its events.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Keeps it, and then says the id that a client can come back with. What is said on it
    /// begins it too; an answer at once is then stored with its beginning, and what runs
    /// meanwhile doesn't wait for the disk.
    pub(super) fn begin(&self) {
        if self.ended.get() || self.begun.replace(true) {
            return;
        }
        if self.shared.journal.open(&self.name, &self.request).is_err() {
            let console = &self.shared.ports.console;
            console.warn("a stream can't be stored: a cut would lose its answer");
        }
        if self.revision.primes() {
            let id = EventId { stream: self.name.clone(), number: 0 };
            self.send(Event::Prime { id, retry_ms: RETRY_MS });
        }
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
        self.begin();
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
            self.begin();
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
        if self.begun.get() {
            self.keep_end();
        }
        self.sink.replace(None);
    }

    fn keep_end(&self) {
        let now_ms = self.shared.ports.clock.now_ms();
        if self.shared.ended(&self.name, &self.request, self.bytes.get(), now_ms).is_err() {
            self.shared.ports.console.warn("a stream's end can't be stored");
        }
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
        let Some(next_ms) = self.journal.sweep(now_ms)? else { return Ok(()) };
        if self.sweeping.replace(true) {
            return Ok(());
        }
        let schedule = Schedule(&*self.storage);
        match schedule.at(Due::Streams)? {
            Some(_) => Ok(()),
            None => schedule.set(Due::Streams, next_ms),
        }
    }
}
