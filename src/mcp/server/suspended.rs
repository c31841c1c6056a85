//! One call without a session that may have to ask: it runs on while its client comes
//! and goes with the answers.

use std::{cell::RefCell, rc::Rc};

use data_encoding::BASE64URL_NOPAD;
use futures::{FutureExt, channel::mpsc::unbounded};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::{
    Modern, ServerParts, call, methods,
    rounds::{Hangup, Rounds},
    seal::{Bound, Key, Sealed},
    stateless::{calling, keeping},
};
use crate::{
    failure::Failure,
    json::Digest,
    mcp::{
        Answering, CallResult, Caller, Reply,
        http::{Event, body},
        wire::{self, RpcError, coded},
    },
    operation::Cancellation,
    port::{Storage, StorageError},
};

/// Milliseconds after the last question's end in which its outcome can be fetched.
const FETCHED_MS: u64 = 60_000;

/// Milliseconds for which more questions are awaited once there is one, so that those
/// asked at once are asked together.
const GATHER_MS: u64 = 20;

const KEY: &str = "call";

/// What is kept of a suspended call, so that its end is reported whatever happens.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Row {
    key: String,
    owner: String,
    digest: String,
    expires_ms: u64,
    round: u64,
    /// Whether the round's answers have come.
    taken: bool,
}

/// One call. Clones are the same.
#[derive(Clone)]
pub struct SuspendedCall {
    inner: Rc<Inner>,
}

struct Inner {
    id: String,
    parts: ServerParts,
    storage: Rc<dyn Storage>,
    running: RefCell<Option<Running>>,
}

#[derive(Clone)]
struct Running {
    rounds: Rc<Rounds>,
    cancellation: Cancellation,
    result: Rc<RefCell<Option<Result<CallResult, RpcError>>>>,
}

impl SuspendedCall {
    /// The call named `id`, whose row is in `storage`.
    #[must_use]
    pub fn new(id: impl Into<String>, parts: ServerParts, storage: Rc<dyn Storage>) -> Self {
        let inner = Inner { id: id.into(), parts, storage, running: RefCell::default() };
        Self { inner: Rc::new(inner) }
    }

    /// Answers a request of the call: the first starts it, the others bring answers.
    pub async fn answer(&self, caller: &Caller, modern: &Modern, answering: Answering) -> Reply {
        let running = match modern.state() {
            None => self.start(caller, modern),
            Some(state) => self.come_back(caller, modern, state),
        };
        match running {
            Ok(running) => self.respond(running, caller, modern, answering).await,
            Err(error) => modern.refused(&error),
        }
    }

    /// Forgets a call that nobody came back to.
    ///
    /// # Errors
    ///
    /// [`StorageError`] when the row can't be forgotten.
    pub fn wake(&self) -> Result<(), StorageError> {
        let running = self.inner.running.take();
        if let Some(running) = running {
            running.cancellation.cancel(Failure::Cancelled { by: crate::failure::Party::Host });
        }
        self.inner.storage.clear()
    }

    fn start(&self, caller: &Caller, modern: &Modern) -> Result<Running, RpcError> {
        let call = modern.call()?;
        let inner = &self.inner;
        let parts = &inner.parts;
        let rounds = Rounds::new(&parts.ports, modern, true);
        let cancellation = Cancellation::new(Rc::clone(&parts.ports.handoff));
        let session = parts.catalog.visit(&caller.principal);
        let work = calling(parts, session, caller, modern, &rounds, &cancellation);
        let running = Running { rounds, cancellation, result: Rc::default() };
        inner.running.replace(Some(running.clone()));
        let (result, rounds) = (Rc::clone(&running.result), Rc::clone(&running.rounds));
        let work = async move {
            let made = work.make(call).await;
            result.replace(Some(made));
            rounds.notify();
        };
        parts.ports.background.spawn(work.boxed_local());
        Ok(running)
    }

    /// Checks a state and spends it: the same one opens nothing a second time.
    fn come_back(
        &self,
        caller: &Caller,
        modern: &Modern,
        state: &str,
    ) -> Result<Running, RpcError> {
        let inner = &self.inner;
        let responses = modern.responses()?;
        let mut row = inner.row()?.ok_or_else(unknown)?;
        let sealed = Sealed::read(state).ok_or_else(unknown)?;
        let key = row.key().ok_or(StorageError)?;
        let (owner, digest) = (caller.principal.key(), digest(modern)?);
        let bound = Bound { owner: &owner, digest: &digest };
        let own = row.owner == owner && row.digest == digest && sealed.call == inner.id;
        if !own || !sealed.is_sealed(&key, bound) {
            return Err(unknown());
        }
        if sealed.expires_ms <= inner.parts.ports.clock.now_ms() {
            return Err(RpcError::params("requestState has expired: make the call anew"));
        }
        if row.taken || sealed.round != row.round {
            return Err(RpcError::params("requestState was used already: make the call anew"));
        }
        row.taken = true;
        inner.keep(&row)?;
        let running = inner.running.borrow().clone();
        let Some(running) = running else { return Ok(lost(inner, modern)) };
        running.rounds.answer(responses);
        Ok(running)
    }

    /// Waits for the result or for questions, whichever comes first.
    async fn respond(
        &self,
        running: Running,
        caller: &Caller,
        modern: &Modern,
        answering: Answering,
    ) -> Reply {
        let digest = match digest(modern) {
            Ok(digest) => digest,
            Err(error) => return modern.refused(&error),
        };
        let (owner, id) = (caller.principal.key(), modern.id.clone());
        let call = self.clone();
        if answering == Answering::Json {
            let text = call.next(&running, &owner, &digest, &id).await;
            return Reply::json(200, text);
        }
        let (sink, events) = unbounded();
        running.rounds.report_to(Some(sink.clone()));
        let hangup = Hangup::new(running.cancellation.clone());
        let answered = hangup.disarmer();
        let keeping = keeping(&self.inner.parts);
        let background = Rc::clone(&self.inner.parts.ports.background);
        let work = async move {
            let text = call.next(&running, &owner, &digest, &id).await;
            answered.set(true);
            running.rounds.report_to(None);
            // A client that is gone has cancelled the call by that.
            let _ = sink.unbounded_send(Event::Message { id: None, text: text.into() });
        };
        background.spawn(work.boxed_local());
        Reply::events(body(events, keeping, hangup))
    }

    async fn next(&self, running: &Running, owner: &str, digest: &str, id: &wire::Id) -> String {
        loop {
            let result = running.result.borrow().clone();
            if let Some(result) = result {
                self.inner.done();
                return call::answer(id, result, Some(&methods::complete()));
            }
            if running.rounds.questions().is_some() {
                self.inner.parts.ports.timer.sleep(GATHER_MS).await;
                if let Some(questions) = running.rounds.questions() {
                    return match self.inner.suspend(owner, digest) {
                        Ok(state) => required(id, questions, &state),
                        Err(error) => wire::error(Some(id), &error.into()),
                    };
                }
                continue;
            }
            running.rounds.changed().await;
        }
    }
}

impl Inner {
    fn row(&self) -> Result<Option<Row>, StorageError> {
        let Some(text) = self.storage.get(KEY)? else { return Ok(None) };
        serde_json::from_str(&text).map(Some).map_err(|_| StorageError)
    }

    fn keep(&self, row: &Row) -> Result<(), StorageError> {
        let text = serde_json::to_string(row).map_err(|_| StorageError)?;
        self.storage.put(KEY, &text)
    }

    /// Keeps that it waits; gives the state to come back with.
    fn suspend(&self, owner: &str, digest: &str) -> Result<String, StorageError> {
        let ports = &self.parts.ports;
        let waits_ms = self.parts.approval_ms.saturating_add(FETCHED_MS);
        let expires_ms = ports.clock.now_ms().saturating_add(waits_ms);
        let before = self.row()?;
        let round = before.as_ref().map_or(1, |row| row.round.saturating_add(1));
        let fresh = || {
            let words = std::iter::repeat_with(|| ports.random.bits().to_be_bytes());
            BASE64URL_NOPAD.encode(&words.take(4).flatten().collect::<Vec<u8>>())
        };
        let row = Row {
            key: before.map_or_else(fresh, |row| row.key),
            owner: owner.to_owned(),
            digest: digest.to_owned(),
            expires_ms,
            round,
            taken: false,
        };
        let key = row.key().ok_or(StorageError)?;
        self.keep(&row)?;
        self.storage.wake_at(Some(expires_ms))?;
        Ok(Sealed::write(&self.id, round, expires_ms, &key, Bound { owner, digest }))
    }

    /// Forgets a call that has its result.
    fn done(&self) {
        self.running.replace(None);
        if self.row().is_ok_and(|row| row.is_some()) && self.storage.clear().is_err() {
            self.parts.ports.console.warn("a call's row can't be forgotten");
        }
    }
}

impl Row {
    fn key(&self) -> Option<Key> {
        BASE64URL_NOPAD.decode(self.key.as_bytes()).ok()?.try_into().ok()
    }
}

/// A call that was lost with its process: it is reported, and never made again.
#[cold]
#[inline(never)]
fn lost(inner: &Inner, modern: &Modern) -> Running {
    let result = CallResult::failure(coded(&Failure::ExecutionLost {}));
    Running {
        rounds: Rounds::new(&inner.parts.ports, modern, false),
        cancellation: Cancellation::new(Rc::clone(&inner.parts.ports.handoff)),
        result: Rc::new(RefCell::new(Some(Ok(result)))),
    }
}

/// One answer for whatever isn't a state of this principal's call: tampered with, made
/// up, another's, or of a call that has ended.
fn unknown() -> RpcError {
    RpcError::params("requestState is none of this call's: make the call anew, without it")
}

/// The digest of what is called, with what.
fn digest(modern: &Modern) -> Result<String, RpcError> {
    let call = modern.call()?;
    let what = json!({ "name": call.name, "arguments": call.arguments });
    Ok(Digest::of(&what).to_string())
}

fn required(id: &wire::Id, questions: Map<String, Value>, state: &str) -> String {
    let result = json!({
        "resultType": "input_required",
        "inputRequests": questions,
        "requestState": state,
    });
    wire::success(id, result)
}
