//! Replies as responses.

use futures::StreamExt;
use wasm_bindgen::JsValue;
use worker::{Response, ResponseBuilder};

use crate::{
    config::ConfigError,
    mcp::{Body, Reply},
};

/// The response that says `reply`. `held` is dropped with the body of a stream.
pub(crate) fn response(reply: Reply, held: Option<super::Hold>) -> worker::Result<Response> {
    let mut builder = ResponseBuilder::new().with_status(reply.status);
    let cached = matches!(reply.body, Body::Events(_));
    if !cached {
        builder = builder.with_header("cache-control", "no-store")?;
    }
    for (name, value) in reply.headers {
        builder = builder.with_header(name, &value)?;
    }
    match reply.body {
        Body::Empty => Ok(builder.empty()),
        Body::Json(text) => {
            Ok(builder.with_header("content-type", "application/json")?.fixed(text.into_bytes()))
        }
        Body::Events(events) => {
            let bytes = events.map(move |text| {
                let _held = &held;
                Ok::<_, worker::Error>(text.into_bytes())
            });
            builder.with_header("content-type", "text/event-stream")?.from_stream(bytes)
        }
    }
}

/// An object's response with the header fields that `told` has.
pub(crate) fn told(response: Response, told: Reply) -> worker::Result<Response> {
    if told.headers.is_empty() {
        return Ok(response);
    }
    let headers = worker::Headers::new();
    for (name, value) in response.headers() {
        headers.set(&name, &value)?;
    }
    for (name, value) in told.headers {
        headers.set(name, &value)?;
    }
    Ok(response.with_headers(headers))
}

/// All that is wrong in the settings, as one text.
pub(crate) fn config_text(errors: &[ConfigError]) -> JsValue {
    JsValue::from(errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))
}
