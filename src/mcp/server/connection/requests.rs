//! The requests of a connection, each answered by its method.

use std::rc::Rc;

use futures::{
    FutureExt,
    future::{Either, select},
};
use serde_json::{Map, Value};

use super::{
    super::{call, call::Calling, methods, stream::Stream},
    Connection, Posted,
    asking::StreamPeer,
    seats::{Opening, Refused, full},
};
use crate::{
    limits::{BEGIN_MS, SESSION_TTL_MS},
    mcp::{
        Answering, Caller, McpSession, Reply, SESSION_HEADER,
        http::{body, single},
        session::{Due, Record, Schedule},
        wire::{self, Id, RpcError, code, coded, progress_token},
    },
    runtime::access::Moment,
};

impl Connection {
    pub(super) async fn initialize(
        &self,
        posted: &Posted<'_>,
        id: &Id,
        params: &Map<String, Value>,
    ) -> Reply {
        let opening = Opening::begin(&self.inner);
        let opened = self.open(posted.caller, params).await;
        drop(opening);
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

    pub(super) async fn request(
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
        let caller = methods::traced(posted.caller, &params);
        let streamed = posted.answering != Answering::Json && !inner.closed.get();
        let stream =
            streamed.then(|| Rc::new(Stream::open(&inner.streams, id.clone(), inner.revision())));
        place.streamed_on(stream.clone());
        let peer = StreamPeer::new(Rc::clone(inner), stream.clone(), token);
        let calling = Calling {
            parts: inner.parts.clone(),
            session,
            caller,
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
        let events = stream.attach();
        let timer = Rc::clone(&inner.parts.ports.timer);
        let work = async move {
            let made = Box::pin(calling.make(call));
            let result = match select(made, timer.sleep(BEGIN_MS)).await {
                Either::Left((result, _)) => result,
                Either::Right(((), made)) => {
                    stream.begin();
                    made.await
                }
            };
            stream.answer(&call::answer(&id, result, None));
            drop(place);
        };
        inner.parts.ports.background.spawn(work.boxed_local());
        Reply::events(body(events, inner.keeping(), ()))
    }
}

/// A short answer: JSON, unless the client takes only events.
fn short(text: String, answering: Answering) -> Reply {
    match answering {
        Answering::Events => Reply::events(single(text)),
        Answering::Either | Answering::Json => Reply::json(200, text),
    }
}
