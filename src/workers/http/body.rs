//! A request's body, bounded while it is read.

use futures::StreamExt;
use worker::Request;

use crate::mcp::{BODY_BYTES, Reply};

/// The text of the body.
///
/// Errors are inside: the outer one is the platform's, the inner one is the
/// refusal of a body that is too large or no text.
pub(super) async fn text(request: &mut Request) -> worker::Result<Result<String, Reply>> {
    let declared = request.headers().get("content-length")?;
    let declared = declared.and_then(|length| length.parse::<usize>().ok());
    if declared.is_some_and(|length| length > BODY_BYTES) {
        return Ok(Err(too_large()));
    }
    if request.inner().body().is_none() {
        return Ok(Ok(String::new()));
    }
    let mut chunks = request.stream()?;
    let mut body = Vec::with_capacity(declared.unwrap_or_default());
    while let Some(chunk) = chunks.next().await {
        let chunk = chunk?;
        if body.len().saturating_add(chunk.len()) > BODY_BYTES {
            return Ok(Err(too_large()));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(String::from_utf8(body).map_err(|_| Reply::refusal(400, "the body is not UTF-8")))
}

fn too_large() -> Reply {
    Reply::refusal(413, "a message has at most 4 MiB")
}
