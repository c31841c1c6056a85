//! A connection's place among those of its principal that work.

use std::rc::Rc;

use super::{Connection, Inner};
use crate::{
    mcp::{
        Caller, McpSession, NotOpen, Reply,
        wire::{Id, RpcError, code},
    },
    port::StorageError,
};

/// A connection that is being opened: it has a place already, and no record yet.
pub(super) struct Opening(Rc<Inner>);

impl Opening {
    pub(super) fn begin(inner: &Rc<Inner>) -> Self {
        inner.opening.set(true);
        Self(Rc::clone(inner))
    }
}

impl Drop for Opening {
    fn drop(&mut self) {
        self.0.opening.set(false);
    }
}

/// Why a request isn't served.
pub(super) enum Refused {
    Full,
    Error(u16, RpcError),
}

impl Connection {
    /// The session, with a place among those at work.
    pub(super) async fn seated(&self, caller: &Caller) -> Result<Rc<dyn McpSession>, Refused> {
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
}

impl Inner {
    fn seat(&self) -> Result<(), StorageError> {
        match self.record()? {
            Some(record) if record.is_parked => self.keep(record.parked(false)),
            _ => Ok(()),
        }
    }

    pub(super) fn refused(&self, error: NotOpen) -> Refused {
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

/// Seconds after which a place may be free.
const RETRY_AFTER_SECONDS: &str = "5";

pub(super) fn full(id: &Id) -> Reply {
    let message = "every connection of this principal is at work: end one, or try again later";
    let error = RpcError::new(code::INTERNAL_ERROR, message);
    Reply::error(429, Some(id), &error).with("retry-after", RETRY_AFTER_SECONDS)
}
