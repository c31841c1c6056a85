//! Requests of the revision without sessions, each by itself.

use std::rc::Rc;

use futures::{FutureExt, channel::mpsc::unbounded};
use serde_json::{Map, Value};

use super::{
    ServerParts,
    call::{self, Calling, unreadable},
    methods,
    rounds::{Hangup, RoundPeer, Rounds},
    seal::Sealed,
};
use crate::{
    limits::KEEPALIVE_STATELESS_MS,
    mcp::{
        Answering, Caller, Head, McpSession, Reply,
        http::{Event, Keeping, body, id, same, single},
        wire::{self, Id, Message, Meta, RpcError, code, coded},
    },
    operation::Cancellation,
    runtime::{ToolCall, access::Moment},
};

/// One request, its head and its `_meta` checked.
#[derive(Clone, Debug, PartialEq)]
pub struct Modern {
    pub(super) id: Id,
    pub(super) method: String,
    pub(super) params: Map<String, Value>,
    pub(super) meta: Meta,
}

impl Modern {
    /// The request in `message`; none for a notification, which is only taken note of.
    ///
    /// # Errors
    ///
    /// The refusal to answer with.
    pub(super) fn read(head: &Head, message: Message) -> Result<Option<Self>, Reply> {
        let refused = |id: Option<&Id>, error: RpcError| Reply::error(400, id, &error);
        match message {
            Message::Request { id, method, params } => {
                let meta = Meta::read(&params, head.revision());
                let checked = meta.and_then(|meta| same(head, &method, &params).map(|()| meta));
                match checked {
                    Ok(meta) => Ok(Some(Self { id, method, params, meta })),
                    Err(error) => Err(refused(Some(&id), error)),
                }
            }
            Message::Notification { .. } => Ok(None),
            response @ Message::Response { .. } => {
                let message = "this revision has no requests of the server's to answer";
                let error = RpcError::new(code::INVALID_REQUEST, message);
                Err(refused(id(&response), error))
            }
        }
    }

    /// Reads one that was read before, from the text of its message.
    ///
    /// # Errors
    ///
    /// The refusal to answer with.
    pub fn again(body: &str) -> Result<Self, Reply> {
        let refused = || Reply::refusal(400, "this is no request");
        match Message::read(body) {
            Ok(Message::Request { id, method, params }) => {
                let meta = Meta::read(&params, Some(wire::MODERN)).map_err(|_| refused())?;
                Ok(Self { id, method, params, meta })
            }
            _ => Err(refused()),
        }
    }

    /// The call it asks for.
    pub(super) fn call(&self) -> Result<ToolCall, RpcError> {
        methods::tool_call(&self.id, &self.params)
    }

    /// The answers it brings, by the names of their questions.
    pub(super) fn responses(&self) -> Result<Map<String, Value>, RpcError> {
        match self.params.get("inputResponses") {
            None => Ok(Map::new()),
            Some(Value::Object(all)) if all.values().all(Value::is_object) => Ok(all.clone()),
            Some(_) => Err(RpcError::params("inputResponses is an object of objects")),
        }
    }

    /// What it was given to come back with.
    pub(super) fn state(&self) -> Option<&str> {
        self.params.get("requestState").and_then(Value::as_str)
    }

    /// The answer that is this error, with the status it goes with.
    pub(super) fn refused(&self, error: &RpcError) -> Reply {
        let status = match error.code {
            code::METHOD_NOT_FOUND => 404,
            code::INTERNAL_ERROR => 500,
            _ => 400,
        };
        Reply::error(status, Some(&self.id), error)
    }
}

/// The name of the suspended call that a request comes back to, if it does.
#[must_use]
pub fn suspended_in(modern: &Modern) -> Option<String> {
    let state = modern.state().filter(|_| modern.method == "tools/call")?;
    // One that can't be read is a call's that isn't there.
    Some(Sealed::read(state).map_or_else(|| "0".repeat(32), |sealed| sealed.call))
}

/// What came of a request.
pub(super) enum Served {
    /// Its answer.
    Replied(Reply),
    /// It may have to ask: something must hold it that outlives the request.
    MayAsk,
}

/// The server for requests without sessions.
#[derive(Clone)]
pub struct Stateless {
    parts: ServerParts,
}

impl Stateless {
    /// Over a catalog.
    #[must_use]
    pub fn new(parts: ServerParts) -> Self {
        Self { parts }
    }

    /// Answers a request; none when it may have to ask, and so needs a
    /// [`SuspendedCall`](super::SuspendedCall).
    pub async fn answer(
        &self,
        caller: &Caller,
        modern: &Modern,
        answering: Answering,
    ) -> Option<Reply> {
        match self.served(caller, modern, answering).await {
            Ok(Served::Replied(reply)) => Some(reply),
            Ok(Served::MayAsk) => None,
            Err(error) => Some(modern.refused(&error)),
        }
    }

    async fn served(
        &self,
        caller: &Caller,
        modern: &Modern,
        answering: Answering,
    ) -> Result<Served, RpcError> {
        let result = match modern.method.as_str() {
            "server/discover" => {
                let authority = self.authority(caller).await?;
                methods::discover(authority.instructions.as_deref())
            }
            "tools/list" => {
                methods::one_page(&modern.params)?;
                let authority = self.authority(caller).await?;
                let session = self.parts.catalog.visit(&caller.principal);
                let listing = session.list(authority).await;
                let listing = listing
                    .map_err(|failure| RpcError::new(code::INTERNAL_ERROR, coded(&failure)))?;
                methods::list_stateless(listing)
            }
            "tools/call" => return self.call(caller, modern, answering).await,
            other => return Err(RpcError::no_method(other)),
        };
        let text = wire::success(&modern.id, methods::completed(result));
        Ok(Served::Replied(match answering {
            Answering::Events => Reply::events(single(text)),
            Answering::Either | Answering::Json => Reply::json(200, text),
        }))
    }

    async fn authority(&self, caller: &Caller) -> Result<Rc<crate::mcp::Authority>, RpcError> {
        let read = self.parts.catalog.refresh(&caller.principal, Moment::Call).await;
        read.map_err(|error| unreadable(&error, &self.parts))
    }

    async fn call(
        &self,
        caller: &Caller,
        modern: &Modern,
        answering: Answering,
    ) -> Result<Served, RpcError> {
        let call = modern.call()?;
        modern.responses()?;
        let session = self.parts.catalog.visit(&caller.principal);
        if let Some(missing) = call::missing(&*session, &call.name, &modern.meta.capabilities) {
            return Err(RpcError::capability(missing));
        }
        let form = modern.meta.asks_by_form();
        let authority = self.authority(caller).await?;
        let asks = session.asks(&call.name, form, Rc::clone(&authority)).await;
        let asks = asks.map_err(|failure| RpcError::new(code::INTERNAL_ERROR, coded(&failure)))?;
        if asks {
            return Ok(Served::MayAsk);
        }
        let rounds = Rounds::new(&self.parts.ports, modern, false);
        let cancellation = Cancellation::new(Rc::clone(&self.parts.ports.handoff));
        let work = Calling {
            authority: Some(authority),
            ..calling(&self.parts, session, caller, modern, &rounds, &cancellation)
        };
        Ok(Served::Replied(here(&self.parts, modern, answering, call, (rounds, work)).await))
    }
}

/// The call of a request, to be made with `rounds` as its client.
pub(super) fn calling(
    parts: &ServerParts,
    session: Rc<dyn McpSession>,
    caller: &Caller,
    modern: &Modern,
    rounds: &Rc<Rounds>,
    cancellation: &Cancellation,
) -> Calling {
    Calling {
        parts: parts.clone(),
        session,
        caller: methods::traced(caller, &modern.params),
        authority: None,
        asks: Some(modern.meta.asks_by_form() && rounds.suspends()),
        cancellation: cancellation.clone(),
        peer: Rc::new(RoundPeer(Rc::clone(rounds))),
    }
}

/// Makes a call that asks nobody, and answers it where the request is.
async fn here(
    parts: &ServerParts,
    modern: &Modern,
    answering: Answering,
    call: ToolCall,
    (rounds, work): (Rc<Rounds>, Calling),
) -> Reply {
    let (id, meta) = (modern.id.clone(), methods::complete());
    if answering == Answering::Json {
        let result = work.make(call).await;
        return Reply::json(200, call::answer(&id, result, Some(&meta)));
    }
    let (sink, events) = unbounded();
    rounds.report_to(Some(sink.clone()));
    let hangup = Hangup::new(work.cancellation.clone());
    let answered = hangup.disarmer();
    let work = async move {
        let text = call::answer(&id, work.make(call).await, Some(&meta));
        answered.set(true);
        rounds.report_to(None);
        // A client that is gone needs no answer.
        let _ = sink.unbounded_send(Event::Message { id: None, text: text.into() });
    };
    parts.ports.background.spawn(work.boxed_local());
    Reply::events(body(events, keeping(parts), hangup))
}

/// How streams are kept alive on which a cut cancels.
pub(super) fn keeping(parts: &ServerParts) -> Keeping {
    Keeping { timer: Rc::clone(&parts.ports.timer), every_ms: KEEPALIVE_STATELESS_MS }
}
