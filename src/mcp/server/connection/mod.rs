//! One client's connection: its record, its streams, what runs on it.

mod asking;
mod running;

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};

use futures::FutureExt;
use serde_json::{Map, Value};

use super::{
    ServerParts, call,
    call::Calling,
    methods,
    pending::Pending,
    stream::{Stream, Streams},
};
use crate::{
    failure::{Failure, Party},
    limits::{KEEPALIVE_MS, RETRY_MS, SESSION_TTL_MS, STANDALONE_MS},
    mcp::{
        Answering, Caller, McpSession, NotOpen, Reply, SESSION_HEADER,
        http::{Event, EventId, EventStream, Keeping, body, single},
        session::{Due, Journal, Parking, Record, Schedule},
        wire::{self, Id, Message, Revision, RpcError, code, coded, progress_token},
    },
    port::{Storage, StorageError},
    runtime::access::Moment,
};
use asking::StreamPeer;
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

/// How much of a session's time must be gone before its end is set anew: each time is
/// a write.
const TOUCH_MS: u64 = SESSION_TTL_MS / 24;

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
    standalone: RefCell<Option<futures::channel::mpsc::UnboundedSender<Event>>>,
    used_ms: Cell<u64>,
    closed: Cell<bool>,
}

impl Connection {
    /// The connection named `id`, whose rows are in `storage`.
    #[must_use]
    pub fn new(id: impl Into<String>, parts: ServerParts, storage: Rc<dyn Storage>) -> Self {
        let journal = Journal::new(Rc::clone(&storage));
        let streams = Streams { storage, journal, ports: parts.ports.clone() };
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
                Due::Streams => self.inner.streams.sweep(now_ms)?,
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

    async fn initialize(&self, posted: &Posted<'_>, id: &Id, params: &Map<String, Value>) -> Reply {
        let opened = self.open(posted.caller, params).await;
        match opened {
            Ok(result) => {
                let text = wire::success(id, result);
                short(text, posted.answering).with(SESSION_HEADER, self.inner.id.clone())
            }
            Err(Refused::Full) => full(id),
            Err(Refused::Error(status, error)) => Reply::error(status, Some(id), &error),
        }
    }

    async fn open(&self, caller: &Caller, params: &Map<String, Value>) -> Result<Value, Refused> {
        let revision =
            methods::asked_revision(params).map_err(|error| Refused::Error(200, error))?;
        let (inner, principal) = (&self.inner, &caller.principal);
        let parts = &inner.parts;
        let read = parts.catalog.refresh(principal, Moment::Call).await;
        let authority =
            read.map_err(|error| Refused::Error(200, call::unreadable(&error, parts)))?;
        let open = parts.catalog.open(principal, &inner.id, parts.connections).await;
        let session = open.map_err(|error| inner.refused(error))?;
        let expires_ms = inner.now_ms().saturating_add(SESSION_TTL_MS);
        let record = Record::opened(principal.key(), revision, params, expires_ms);
        let kept = inner
            .keep(record)
            .and_then(|()| Schedule(&*inner.streams.storage).set(Due::Session, expires_ms));
        kept.map_err(|error| Refused::Error(500, error.into()))?;
        inner.session.replace(Some(session));
        Ok(methods::initialize(revision, authority.instructions.as_deref()))
    }

    async fn request(
        &self,
        posted: &Posted<'_>,
        id: Id,
        method: &str,
        params: Map<String, Value>,
    ) -> Reply {
        if method == "ping" {
            return short(wire::success(&id, Value::Object(Map::new())), posted.answering);
        }
        let session = match self.seated(posted.caller).await {
            Ok(session) => session,
            Err(Refused::Full) => return full(&id),
            Err(Refused::Error(404, _)) => return Reply::no_session(),
            Err(Refused::Error(status, error)) => return Reply::error(status, Some(&id), &error),
        };
        let text = match method {
            "tools/list" => self.list(session, posted.caller, &id, &params).await,
            "tools/call" => return self.call(session, posted, id, params).await,
            other => wire::error(Some(&id), &RpcError::no_method(other)),
        };
        short(text, posted.answering)
    }

    /// The session, with a place among those at work.
    async fn seated(&self, caller: &Caller) -> Result<Rc<dyn McpSession>, Refused> {
        let inner = &self.inner;
        let parked = inner.record.borrow().as_ref().is_some_and(|record| record.is_parked);
        let session = inner.session.borrow().clone();
        if let (Some(session), false) = (session, parked) {
            return Ok(session);
        }
        let resumed = inner.parts.catalog.resume(&caller.principal, &inner.id).await;
        let session = resumed.map_err(|error| inner.refused(error))?;
        let own = session.filter(|session| session.principal().is(&caller.principal));
        let gone = || Refused::Error(404, RpcError::new(code::INVALID_REQUEST, "no session"));
        let session = own.ok_or_else(gone)?;
        inner.session.replace(Some(Rc::clone(&session)));
        inner.seat().map_err(|error| Refused::Error(500, error.into()))?;
        Ok(session)
    }

    async fn list(
        &self,
        session: Rc<dyn McpSession>,
        caller: &Caller,
        id: &Id,
        params: &Map<String, Value>,
    ) -> String {
        let listed = async {
            methods::one_page(params)?;
            let parts = &self.inner.parts;
            let read = parts.catalog.refresh(&caller.principal, Moment::Call).await;
            let authority = read.map_err(|error| call::unreadable(&error, parts))?;
            let listing = session.list(authority).await;
            listing.map_err(|failure| RpcError::new(code::INTERNAL_ERROR, coded(&failure)))
        };
        match listed.await {
            Ok(listing) => wire::success(id, methods::list(listing)),
            Err(error) => wire::error(Some(id), &error),
        }
    }

    async fn call(
        &self,
        session: Rc<dyn McpSession>,
        posted: &Posted<'_>,
        id: Id,
        params: Map<String, Value>,
    ) -> Reply {
        let inner = &self.inner;
        let meta = params.get("_meta").and_then(Value::as_object);
        let token = meta.map_or(Ok(None), progress_token);
        let call = token.and_then(|token| Ok((token, methods::tool_call(&id, &params)?)));
        let (token, call) = match call {
            Ok(call) => call,
            Err(error) => return short(wire::error(Some(&id), &error), posted.answering),
        };
        let Some(place) = inner.running.enter(&id, &inner.parts.ports) else {
            let message = "a request with this id is still running";
            let error = RpcError::new(code::INVALID_REQUEST, message);
            return short(wire::error(Some(&id), &error), posted.answering);
        };
        let streamed = posted.answering != Answering::Json && !inner.closed.get();
        let stream =
            streamed.then(|| Rc::new(Stream::open(&inner.streams, id.clone(), inner.revision())));
        place.streamed_on(stream.clone());
        let peer = StreamPeer::new(Rc::clone(inner), stream.clone(), token);
        let calling = Calling {
            parts: inner.parts.clone(),
            session,
            caller: posted.caller.clone(),
            authority: None,
            asks: inner.asks(stream.is_some()),
            cancellation: place.cancellation().clone(),
            peer: Rc::new(peer),
        };
        let Some(stream) = stream else {
            let result = calling.make(call).await;
            drop(place);
            return Reply::json(200, call::answer(&id, result, None));
        };
        let events = stream.begin();
        let work = async move {
            let result = calling.make(call).await;
            stream.answer(&call::answer(&id, result, None));
            drop(place);
        };
        inner.parts.ports.background.spawn(work.boxed_local());
        Reply::events(body(events, inner.keeping(), ()))
    }

    fn resume(&self, from: &EventId) -> Result<Reply, StorageError> {
        let inner = &self.inner;
        let Some(kept) = inner.streams.journal.read(&from.stream)? else {
            return Ok(Reply::refusal(400, "Last-Event-ID is none of this session's"));
        };
        let live = inner.running.stream(&from.stream);
        let mut messages = kept.messages;
        if live.is_none() && !kept.ended {
            messages.push(inner.lost(&from.stream, &kept.request, messages.last())?);
        }
        messages.retain(|(number, _)| *number > from.number);
        let Some(live) = live else {
            // 204 tells a client that there is nothing to come back for.
            let replay = (!messages.is_empty()).then(|| replay(&from.stream, messages));
            return Ok(replay.map_or_else(|| Reply::empty(204), Reply::events));
        };
        let events = live.attach();
        let rest = body(events, inner.keeping(), ());
        let stream = futures::StreamExt::chain(replay(&from.stream, messages), rest);
        Ok(Reply::events(futures::StreamExt::boxed_local(stream)))
    }

    /// A stream for what no request asked for. This server says nothing on it; it keeps
    /// those content that want one, and ends now and again, so that a silent client
    /// doesn't keep its object.
    fn standalone(&self) -> Reply {
        let inner = &self.inner;
        let taken = inner.standalone.borrow().as_ref().is_some_and(|sink| {
            // One whose client is gone is noticed by writing only.
            !sink.is_closed()
        });
        if taken {
            return Reply::refusal(409, "this session has a stream of its own already");
        }
        let (sink, events) = futures::channel::mpsc::unbounded();
        if inner.revision().primes() {
            let id = EventId { stream: STANDALONE.to_owned(), number: 0 };
            // Its receiver is right here.
            let _ = sink.unbounded_send(Event::Prime { id, retry_ms: RETRY_MS });
        }
        inner.standalone.replace(Some(sink));
        let weak = Rc::downgrade(inner);
        let timer = Rc::clone(&inner.parts.ports.timer);
        let ends = async move {
            timer.sleep(STANDALONE_MS).await;
            if let Some(inner) = weak.upgrade() {
                inner.standalone.replace(None);
            }
        };
        let events = body(events, inner.keeping(), ());
        Reply::events(futures::StreamExt::boxed_local(futures::StreamExt::take_until(
            events,
            ends.boxed_local(),
        )))
    }
}

/// Why a request isn't served.
enum Refused {
    Full,
    Error(u16, RpcError),
}

impl Inner {
    fn now_ms(&self) -> u64 {
        self.parts.ports.clock.now_ms()
    }

    fn keeping(&self) -> Keeping {
        Keeping { timer: Rc::clone(&self.parts.ports.timer), every_ms: KEEPALIVE_MS }
    }

    /// The record, read once.
    fn record(&self) -> Result<Option<Record>, StorageError> {
        if let Some(record) = self.record.borrow().clone() {
            return Ok(Some(record));
        }
        let record = Record::read(&*self.streams.storage)?;
        self.record.replace(record.clone());
        Ok(record)
    }

    fn keep(&self, record: Record) -> Result<(), StorageError> {
        record.write(&*self.streams.storage)?;
        self.record.replace(Some(record));
        Ok(())
    }

    fn revision(&self) -> Revision {
        let record = self.record.borrow();
        record.as_ref().map_or(Revision::V2025_11_25, Record::revision)
    }

    /// Whether a call may ask a person. One that is answered without a stream can't,
    /// and nobody is asked before the client said that it is ready.
    fn asks(&self, streamed: bool) -> Option<bool> {
        let record = self.record.borrow();
        let record = record.as_ref()?;
        Some(record.asks? && record.ready && streamed)
    }

    /// Holds a request to the session's state and to its owner.
    fn admit(&self, caller: &Caller, fresh: bool, initialize: bool) -> Result<(), Reply> {
        if fresh {
            let missing = || Reply::refusal(400, "MCP-Session-Id is missing: initialize first");
            return initialize.then_some(()).ok_or_else(missing);
        }
        let record = self.record()?;
        let own = record.filter(|record| record.owner == caller.principal.key());
        let Some(_) = own else { return Err(Reply::no_session()) };
        if initialize {
            return Err(Reply::refusal(400, "this session is initialized already"));
        }
        self.touch(self.now_ms()).map_err(Reply::from)
    }

    /// Sets the session's end anew, when it is time.
    fn touch(&self, now_ms: u64) -> Result<(), StorageError> {
        let Some(mut record) = self.record()? else { return Ok(()) };
        let expires_ms = now_ms.saturating_add(SESSION_TTL_MS);
        if expires_ms.saturating_sub(record.expires_ms) < TOUCH_MS {
            return Ok(());
        }
        record.expires_ms = expires_ms;
        self.keep(record)?;
        Schedule(&*self.streams.storage).set(Due::Session, expires_ms)
    }

    fn seat(&self) -> Result<(), StorageError> {
        match self.record()? {
            Some(record) if record.is_parked => self.keep(record.parked(false)),
            _ => Ok(()),
        }
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

    fn ready(&self) {
        let record = self.record.borrow().clone();
        let Some(record) = record.filter(|record| !record.ready) else { return };
        if self.keep(record.made_ready()).is_err() {
            self.parts.ports.console.warn("a session's record can't be kept");
        }
    }

    /// Forgets everything and ends what runs; streams end without an answer.
    fn end(&self) -> Result<(), StorageError> {
        self.running.end(&Failure::Cancelled { by: Party::Host });
        self.pending.end();
        self.standalone.replace(None);
        self.session.replace(None);
        self.streams.storage.clear()?;
        self.record.replace(None);
        Ok(())
    }

    /// The answer of a stream whose execution was lost with its process.
    #[cold]
    #[inline(never)]
    fn lost(
        &self,
        stream: &str,
        request: &Id,
        last: Option<&(u64, String)>,
    ) -> Result<(u64, String), StorageError> {
        let number = last.map_or(0, |(number, _)| *number).saturating_add(1);
        let result = crate::mcp::CallResult::failure(coded(&Failure::ExecutionLost {}));
        let text = call::answer(request, Ok(result), None);
        self.streams.journal.keep(stream, number, &text)?;
        self.streams.ended(stream, request, text.len(), self.now_ms())?;
        Ok((number, text))
    }

    fn refused(&self, error: NotOpen) -> Refused {
        match error {
            NotOpen::Full => Refused::Full,
            NotOpen::Unavailable(evidence) => {
                self.parts.ports.console.warn(&evidence);
                let message = "the catalog can't be reached: try again later";
                Refused::Error(500, RpcError::new(code::INTERNAL_ERROR, message))
            }
        }
    }
}

fn is_initialize(message: &Message) -> bool {
    matches!(message, Message::Request { method, .. } if method == "initialize")
}

/// A short answer: JSON, unless the client takes only events.
fn short(text: String, answering: Answering) -> Reply {
    match answering {
        Answering::Events => Reply::events(single(text)),
        Answering::Either | Answering::Json => Reply::json(200, text),
    }
}

/// Seconds after which a place may be free.
const RETRY_AFTER_SECONDS: &str = "5";

fn full(id: &Id) -> Reply {
    let message = "every connection of this principal is at work: end one, or try again later";
    let error = RpcError::new(code::INTERNAL_ERROR, message);
    Reply::error(429, Some(id), &error).with("retry-after", RETRY_AFTER_SECONDS)
}

/// Messages that were said already.
fn replay(stream: &str, messages: Vec<(u64, String)>) -> EventStream {
    let stream = stream.to_owned();
    let texts = messages.into_iter().filter_map(move |(number, text)| {
        let id = EventId { stream: stream.clone(), number };
        Event::Message { id: Some(id), text: text.into() }.text()
    });
    futures::StreamExt::boxed_local(futures::stream::iter(texts))
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
