//! Replies as responses.

use wasm_bindgen::JsValue;
use worker::{Response, ResponseBuilder};

use crate::{config::ConfigError, mcp::Reply};

/// The response that says `reply`.
pub(crate) fn response(reply: Reply) -> worker::Result<Response> {
    let mut builder = ResponseBuilder::new()
        .with_status(reply.status)
        .with_header("cache-control", "no-store")?;
    for (name, value) in reply.headers {
        builder = builder.with_header(name, &value)?;
    }
    if reply.body.is_empty() {
        return Ok(builder.empty());
    }
    Ok(builder.with_header("content-type", "application/json")?.fixed(reply.body.into_bytes()))
}

/// All that is wrong in the settings, as one text.
pub(crate) fn config_text(errors: &[ConfigError]) -> JsValue {
    JsValue::from(errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))
}
