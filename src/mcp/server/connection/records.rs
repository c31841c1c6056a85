//! A connection's record: who owns it, what its client can do, when it ends.

use super::Inner;
use crate::{
    limits::SESSION_TTL_MS,
    mcp::{
        Caller, Reply,
        session::{Due, Record, Schedule},
        wire::Revision,
    },
    port::StorageError,
};

/// How much of a session's time must be gone before its end is set anew: each time is
/// a write.
const TOUCH_MS: u64 = SESSION_TTL_MS / 24;

impl Inner {
    /// The record, read once.
    pub(super) fn record(&self) -> Result<Option<Record>, StorageError> {
        if let Some(record) = self.record.borrow().clone() {
            return Ok(Some(record));
        }
        let record = Record::read(&*self.streams.storage)?;
        self.record.replace(record.clone());
        Ok(record)
    }

    pub(super) fn keep(&self, record: Record) -> Result<(), StorageError> {
        record.write(&*self.streams.storage)?;
        self.record.replace(Some(record));
        Ok(())
    }

    pub(super) fn revision(&self) -> Revision {
        let record = self.record.borrow();
        record.as_ref().map_or(Revision::V2025_11_25, Record::revision)
    }

    /// Whether a call may ask a person. One that is answered without a stream can't,
    /// and nobody is asked before the client said that it is ready.
    pub(super) fn asks(&self, streamed: bool) -> Option<bool> {
        let record = self.record.borrow();
        let record = record.as_ref()?;
        Some(record.asks? && record.ready && streamed)
    }

    /// Holds a request to the session's state and to its owner.
    pub(super) fn admit(
        &self,
        caller: &Caller,
        fresh: bool,
        initialize: bool,
    ) -> Result<(), Reply> {
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
    pub(super) fn touch(&self, now_ms: u64) -> Result<(), StorageError> {
        let Some(mut record) = self.record()? else { return Ok(()) };
        let expires_ms = now_ms.saturating_add(SESSION_TTL_MS);
        if expires_ms.saturating_sub(record.expires_ms) < TOUCH_MS {
            return Ok(());
        }
        record.expires_ms = expires_ms;
        self.keep(record)?;
        Schedule(&*self.streams.storage).set(Due::Session, expires_ms)
    }

    pub(super) fn ready(&self) {
        let record = self.record.borrow().clone();
        let Some(record) = record.filter(|record| !record.ready) else { return };
        if self.keep(record.made_ready()).is_err() {
            self.parts.ports.console.warn("a session's record can't be kept");
        }
    }
}
