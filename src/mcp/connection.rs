//! One client's connection: what it opened, what runs on it.

use std::{cell::RefCell, collections::BTreeMap, rc::Rc};

use futures::StreamExt;
use serde_json::{Map, Value};

use super::{
    http::{Reply, SESSION_HEADER},
    methods::{self, Answer},
    wire::{self, Id, Message, code},
};
use crate::{
    failure::{Failure, Party},
    operation::Cancellation,
    runtime::{Lease, Mycelium, Part},
};

/// The record can't be read or written; the platform's log has the cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordError;

/// Where a connection's record is kept; it outlives the process.
///
/// Every method fails with [`RecordError`] when the storage does.
#[allow(clippy::missing_errors_doc, reason = "said once, above")]
pub trait RecordStore {
    /// The revision that was negotiated; none when the connection isn't open.
    fn revision(&self) -> Result<Option<String>, RecordError>;
    /// Records that it is open with `revision`.
    fn open(&self, revision: &str) -> Result<(), RecordError>;
    /// Forgets it.
    fn end(&self) -> Result<(), RecordError>;
}

/// One POST, admitted and routed.
#[derive(Clone, Copy, Debug)]
pub struct Posted<'a> {
    /// The session's id.
    pub session: &'a str,
    /// Whether the request named none, and this one was made for it.
    pub fresh: bool,
    /// On whose behalf, as an owner key.
    pub principal: &'a str,
    /// The body.
    pub body: &'a str,
}

/// One connection.
pub struct Connection {
    runtime: Mycelium,
    store: Rc<dyn RecordStore>,
    running: RefCell<BTreeMap<Id, Cancellation>>,
}

impl Connection {
    /// The connection whose record is in `store`.
    #[must_use]
    pub fn new(runtime: Mycelium, store: Rc<dyn RecordStore>) -> Self {
        Self { runtime, store, running: RefCell::default() }
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
        match self.admit(posted.fresh, &message) {
            Ok(()) => self.answer(posted, message).await,
            Err(refusal) => refusal,
        }
    }

    /// Ends the connection and everything that runs on it.
    #[must_use]
    pub fn delete(&self) -> Reply {
        match self.store.revision() {
            Ok(Some(_)) => {}
            Ok(None) => return Reply::no_session(),
            Err(error) => return error.into(),
        }
        if let Err(error) = self.store.end() {
            return error.into();
        }
        let running = self.running.take();
        for cancellation in running.into_values() {
            cancellation.cancel(Failure::Cancelled { by: Party::Host });
        }
        Reply::empty(204)
    }

    /// Holds a message to the session's state.
    fn admit(&self, fresh: bool, message: &Message) -> Result<(), Reply> {
        let initialize =
            matches!(message, Message::Request { method, .. } if method == "initialize");
        if fresh {
            let missing = || Reply::refusal(400, "MCP-Session-Id is missing: initialize first");
            return initialize.then_some(()).ok_or_else(missing);
        }
        if self.store.revision()?.is_none() {
            return Err(Reply::no_session());
        }
        if initialize {
            return Err(Reply::refusal(400, "this session is initialized already"));
        }
        Ok(())
    }

    async fn answer(&self, posted: Posted<'_>, message: Message) -> Reply {
        match message {
            Message::Request { id, method, .. } if method == "initialize" => {
                match self.store.open(wire::REVISION) {
                    Ok(()) => Reply::json(200, wire::success(&id, methods::initialize()))
                        .with(SESSION_HEADER, posted.session),
                    Err(error) => error.into(),
                }
            }
            Message::Request { id, method, params } => {
                self.request(posted.principal, id, &method, &params).await
            }
            Message::Notification { method, params } => {
                self.notice(&method, &params);
                Reply::empty(202)
            }
            Message::Response { .. } => Reply::empty(202),
        }
    }

    async fn request(
        &self,
        principal: &str,
        id: Id,
        method: &str,
        params: &Map<String, Value>,
    ) -> Reply {
        let answer = match method {
            "ping" => Ok(Value::Object(Map::new())),
            "tools/list" => self.list(principal, params).await,
            "tools/call" => self.call(principal, &id, params).await,
            other => {
                let method = crate::failure::bounded(other, 100);
                Err((code::METHOD_NOT_FOUND, format!("there is no method {method:?}")))
            }
        };
        let body = match answer {
            Ok(result) => wire::success(&id, result),
            Err((code, message)) => wire::failure(Some(&id), code, &message),
        };
        Reply::json(200, body)
    }

    async fn list(&self, principal: &str, params: &Map<String, Value>) -> Answer {
        let lease = self.lease(principal).await?;
        let tools = methods::list_tools(&lease.execute_tool(), params);
        lease.release().await;
        tools
    }

    async fn call(&self, principal: &str, id: &Id, params: &Map<String, Value>) -> Answer {
        let call = methods::tool_call(id, params)?;
        let running = Running::enter(self, id)?;
        let lease = self.lease(principal).await?;
        let prepared = match lease.execute_tool().prepare(&call) {
            Ok(prepared) => prepared,
            Err(error) => return Ok(methods::refusal_result("input-invalid", &error.to_string())),
        };
        let last = prepared.execute(running.cancellation.clone()).collect::<Vec<_>>().await.pop();
        // Not released: that would wait for work which nobody confirmed has stopped.
        drop((prepared, lease));
        last.and_then(Part::last).as_ref().map(methods::part_result).ok_or_else(|| {
            (code::INTERNAL_ERROR, "the execution ended without a result".to_owned())
        })
    }

    async fn lease(&self, principal: &str) -> Result<Lease, (i32, String)> {
        self.runtime
            .acquire(Some(principal))
            .await
            .map_err(|failure| methods::unavailable(&failure))
    }

    fn notice(&self, method: &str, params: &Map<String, Value>) {
        if method != "notifications/cancelled" {
            return;
        }
        let Some(id) = params.get("requestId").and_then(Id::read) else { return };
        let cancellation = self.running.borrow().get(&id).cloned();
        if let Some(cancellation) = cancellation {
            cancellation.cancel(Failure::Cancelled { by: Party::Caller });
        }
    }
}

impl From<RecordError> for Reply {
    fn from(_: RecordError) -> Self {
        let message = "the connection's record can't be reached: try again";
        Self::json(500, wire::failure(None, code::INTERNAL_ERROR, message))
    }
}

/// One execution's place in the table of running ones; leaving is its drop.
struct Running<'a> {
    connection: &'a Connection,
    id: &'a Id,
    cancellation: Cancellation,
}

impl<'a> Running<'a> {
    fn enter(connection: &'a Connection, id: &'a Id) -> Result<Self, (i32, String)> {
        let mut running = connection.running.borrow_mut();
        if running.contains_key(id) {
            let message = "a request with this id is still running".to_owned();
            return Err((code::INVALID_REQUEST, message));
        }
        let cancellation = connection.runtime.cancellation();
        running.insert(id.clone(), cancellation.clone());
        Ok(Self { connection, id, cancellation })
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.connection.running.borrow_mut().remove(self.id);
    }
}
