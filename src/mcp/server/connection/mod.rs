//! One client's connection: its record, its streams, what runs on it.

mod asking;
mod records;
mod requests;
mod resume;
mod running;
mod seats;

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};

use futures::channel::mpsc::UnboundedSender;
use serde_json::{Map, Value};

use super::{ServerParts, pending::Pending, stream::Streams};
use crate::{
    failure::{Failure, Party},
    limits::{KEEPALIVE_MS, SESSION_TTL_MS},
    mcp::{
        Answering, Caller, McpSession, Reply,
        http::{Event, EventId, Keeping},
        session::{Due, Journal, Parking, Record, Schedule},
        wire::{self, Id, Message, RpcError, code},
    },
    port::{Storage, StorageError},
};
use running::Running;

/// One POST, admitted and routed.
#[derive(Clone, Debug)]
pub struct Posted<'a> {
    /// Who sends it.
    pub caller: &'a Caller,
    /// Whether the request named no session, and this one was made for it.
    pub fresh: bool,
    /// How the client can be answered.
    pub answering: Answering,
    /// The body.
    pub body: &'a str,
}

/// The stream that no request opened.
const STANDALONE: &str = "0";

/// One connection. Clones are the same.
#[derive(Clone)]
pub struct Connection {
    inner: Rc<Inner>,
}

struct Inner {
    id: String,
    parts: ServerParts,
    streams: Streams,
    session: RefCell<Option<Rc<dyn McpSession>>>,
    record: RefCell<Option<Record>>,
    running: Running,
    pending: Pending,
    standalone: RefCell<Option<UnboundedSender<Event>>>,
    used_ms: Cell<u64>,
    /// Whether it is being opened.
    opening: Cell<bool>,
    closed: Cell<bool>,
}

impl Connection {
    /// The connection named `id`, whose rows are in `storage`.
    #[must_use]
    pub fn new(id: impl Into<String>, parts: ServerParts, storage: Rc<dyn Storage>) -> Self {
        let journal = Journal::new(Rc::clone(&storage));
        let streams =
            Streams { storage, journal, ports: parts.ports.clone(), sweeping: Rc::default() };
        let used_ms = Cell::new(parts.ports.clock.now_ms());
        let inner = Inner {
            id: id.into(),
            parts,
            streams,
            session: RefCell::default(),
            record: RefCell::default(),
            running: Running::default(),
            pending: Pending::default(),
            standalone: RefCell::default(),
            used_ms,
            opening: Cell::new(false),
            closed: Cell::new(false),
        };
        Self { inner: Rc::new(inner) }
    }

    /// The connection of a session whose beginning was lost with its process: nobody
    /// knows what its client can do.
    ///
    /// # Errors
    ///
    /// [`StorageError`] when the record can't be kept.
    pub fn resumed(
        session: Rc<dyn McpSession>,
        parts: ServerParts,
        storage: Rc<dyn Storage>,
    ) -> Result<Self, StorageError> {
        let connection = Self::new(session.id(), parts, storage);
        let expires_ms = connection.inner.now_ms().saturating_add(SESSION_TTL_MS);
        let record = Record::resumed(session.principal().key(), expires_ms);
        connection.inner.keep(record)?;
        connection.inner.session.replace(Some(session));
        Ok(connection)
    }

    /// Answers a POST.
    pub async fn post(&self, posted: Posted<'_>) -> Reply {
        let message = match Message::read(posted.body) {
            Ok(message) => message,
            Err(fault) => {
                let body = wire::failure(fault.id.as_ref(), fault.code, &fault.message);
                return Reply::json(400, body);
            }
        };
        let initialize = is_initialize(&message);
        match self.inner.admit(posted.caller, posted.fresh, initialize) {
            Ok(()) => {}
            Err(refusal) => return refusal,
        }
        self.inner.used_ms.set(self.inner.now_ms());
        match message {
            Message::Request { id, params, .. } if initialize => {
                self.initialize(&posted, &id, &params).await
            }
            Message::Request { id, method, params } => {
                self.request(&posted, id, &method, params).await
            }
            Message::Notification { method, params } => {
                self.inner.notice(&method, &params);
                Reply::empty(202)
            }
            Message::Response { id, outcome } => {
                if let Id::Text(name) = &id {
                    self.inner.pending.answer(name, outcome);
                }
                Reply::empty(202)
            }
        }
    }

    /// Answers a GET: a stream from where the client lost it, or one of its own.
    #[must_use]
    pub fn get(&self, caller: &Caller, last_event: Option<&str>) -> Reply {
        if let Err(refusal) = self.inner.admit(caller, false, false) {
            return refusal;
        }
        match last_event.map(EventId::read) {
            None => self.standalone(),
            Some(Some(id)) if id.stream == STANDALONE => self.standalone(),
            Some(Some(id)) => self.resume(&id).unwrap_or_else(Into::into),
            Some(None) => Reply::refusal(400, "Last-Event-ID is none of this session's"),
        }
    }

    /// Ends the session and everything that runs on it.
    pub async fn delete(&self, caller: &Caller) -> Reply {
        if let Err(refusal) = self.inner.admit(caller, false, false) {
            return refusal;
        }
        self.inner.parts.catalog.end(&caller.principal, &self.inner.id).await;
        match self.inner.end() {
            Ok(()) => Reply::empty(204),
            Err(error) => error.into(),
        }
    }

    /// Gives up its place among those at work, unless it works or was used in the last
    /// `idle_ms`. Everything is kept; the next request takes a place again.
    ///
    /// # Errors
    ///
    /// [`StorageError`] when the record can't be kept: then it keeps its place.
    pub fn park(&self, idle_ms: u64) -> Result<Parking, StorageError> {
        if self.inner.opening.get() {
            return Ok(Parking::Busy);
        }
        let Some(record) = self.inner.record()? else { return Ok(Parking::Gone) };
        let idle = self.inner.now_ms().saturating_sub(self.inner.used_ms.get());
        if self.is_busy() || idle < idle_ms {
            return Ok(Parking::Busy);
        }
        self.inner.keep(record.parked(true))?;
        Ok(Parking::Parked)
    }

    /// Whether it has work or a question in flight.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        self.inner.running.count() > 0 || self.inner.pending.len() > 0
    }

    /// Does what has fallen due; whether the session has ended with it.
    ///
    /// # Errors
    ///
    /// [`StorageError`] when the schedule can't be read.
    pub async fn wake(&self) -> Result<bool, StorageError> {
        let now_ms = self.inner.now_ms();
        for due in Schedule(&*self.inner.streams.storage).take(now_ms)? {
            match due {
                Due::Streams => {
                    self.inner.streams.sweeping.set(false);
                    self.inner.streams.sweep(now_ms)?;
                }
                Due::Session if self.is_busy() => self.inner.touch(now_ms)?,
                Due::Session => {
                    let session = self.inner.session.borrow().clone();
                    self.inner.end()?;
                    if let Some(session) = session {
                        self.inner.parts.catalog.end(session.principal(), session.id()).await;
                    }
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Ends every connection to its streams. The session stays, for whoever holds it.
    pub fn close(&self) {
        self.inner.closed.set(true);
        self.inner.standalone.replace(None);
        self.inner.running.cut();
    }

    /// Its name.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.inner.id
    }

    /// Whose it is, as an owner key, when it is open.
    ///
    /// # Errors
    ///
    /// [`StorageError`] when the record can't be read.
    pub fn owner(&self) -> Result<Option<String>, StorageError> {
        Ok(self.inner.record()?.map(|record| record.owner))
    }
}

impl Inner {
    fn now_ms(&self) -> u64 {
        self.parts.ports.clock.now_ms()
    }

    fn keeping(&self) -> Keeping {
        Keeping { timer: Rc::clone(&self.parts.ports.timer), every_ms: KEEPALIVE_MS }
    }

    fn notice(&self, method: &str, params: &Map<String, Value>) {
        match method {
            "notifications/initialized" => self.ready(),
            "notifications/cancelled" => {
                if let Some(id) = params.get("requestId").and_then(Id::read) {
                    self.running.cancel(&id);
                }
            }
            _ => {}
        }
    }

    /// Forgets everything and ends what runs; streams end without an answer.
    fn end(&self) -> Result<(), StorageError> {
        self.running.end(&Failure::Cancelled { by: Party::Host });
        self.pending.end();
        self.standalone.replace(None);
        self.session.replace(None);
        self.streams.storage.clear()?;
        self.streams.journal.cleared();
        self.streams.sweeping.set(false);
        self.record.replace(None);
        Ok(())
    }
}

fn is_initialize(message: &Message) -> bool {
    matches!(message, Message::Request { method, .. } if method == "initialize")
}

impl From<StorageError> for RpcError {
    fn from(error: StorageError) -> Self {
        Self::new(code::INTERNAL_ERROR, error.to_string())
    }
}

impl From<StorageError> for Reply {
    fn from(error: StorageError) -> Self {
        Self::json(500, wire::error(None, &error.into()))
    }
}
