//! From a page's request to the object of its session.

use worker::{Env, Request, Response};

use super::super::{
    http::{self, CONNECTIONS, Order},
    ports,
};
use crate::{
    knapsack::ui::{Place, Reply as UiReply},
    mcp::{Caller, Head, Reply, is_session_id},
};

/// Answers a request for `path`, of which `place` is the meaning, from whoever was let in.
pub(crate) async fn serve(
    env: &Env,
    caller: Caller,
    (path, place): (&str, Place<'_>),
    head: &Head,
    mut request: Request,
) -> worker::Result<Result<Response, Reply>> {
    if !is_session_id(place.session) {
        return Ok(Err(reply(UiReply::no_session())));
    }
    let body = match head.method() {
        "POST" => match http::text(&mut request).await? {
            Ok(body) => body,
            Err(refusal) => return Ok(Err(reply(unreadable(refusal.status)))),
        },
        _ => String::new(),
    };
    let name = format!("{}/{}", caller.principal.digest(), place.session);
    let order = Order::Browser {
        id: place.session.to_owned(),
        caller,
        method: head.method().to_owned(),
        path: path.to_owned(),
        last_event: head.field("last-event-id").map(str::to_owned),
    };
    let url = request.inner().url();
    let asked = async {
        let object = env.durable_object(CONNECTIONS)?.get_by_name(&name)?;
        object.fetch_with_request(order.request(&url, Some(&body))?).await
    };
    Ok(asked.await.map_err(|error: worker::Error| {
        ports::ports().console.warn(&format!("a session's object didn't answer a page: {error}"));
        reply(UiReply::refusal(503, "the session can't be reached now: try again later"))
    }))
}

/// A body that can't be read, as pages are told.
fn unreadable(status: u16) -> UiReply {
    match status {
        413 => UiReply::refusal(413, "a body has at most 4 MiB: send less"),
        status => UiReply::refusal(status, "the body is not UTF-8: send JSON"),
    }
}

/// The protocol's way to say the same.
pub(super) fn reply(said: UiReply) -> Reply {
    use crate::knapsack::ui::Body;
    match said.body {
        Body::Empty => Reply::empty(said.status),
        Body::Json(text) => Reply::json(said.status, text),
        Body::Events(events) => Reply::events(events),
    }
}
