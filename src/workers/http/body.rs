//! A request's body, bounded while it is read.

use futures::StreamExt;
use worker::Request;

use crate::mcp::{BODY_BYTES, Reply};

/// How much of a body is read after all only to be thrown away: a client that is cut
/// off while it sends sees a broken connection and not the refusal.
const HEARD_BYTES: usize = 64 * 1_024 * 1_024;

/// The text of the body.
///
/// Errors are inside: the outer one is the platform's, the inner one is the
/// refusal of a body that is too large or no text.
pub(crate) async fn text(request: &mut Request) -> worker::Result<Result<String, Reply>> {
    if request.inner().body().is_none() {
        return Ok(Ok(String::new()));
    }
    let declared = request.headers().get("content-length")?;
    let declared = declared.and_then(|length| length.parse::<usize>().ok());
    let body = match declared {
        // The connection itself holds the client to what it declares.
        Some(length) if length <= BODY_BYTES => Some(request.bytes().await?),
        _ => bounded(request).await?,
    };
    let Some(body) = body else {
        return Ok(Err(Reply::refusal(413, "a message has at most 4 MiB")));
    };
    Ok(String::from_utf8(body).map_err(|_| Reply::refusal(400, "the body is not UTF-8")))
}

/// The bytes of a body of unknown length; none when there are too many.
async fn bounded(request: &mut Request) -> worker::Result<Option<Vec<u8>>> {
    let mut chunks = request.stream()?;
    let mut body = Vec::new();
    let mut size: usize = 0;
    while let Some(chunk) = chunks.next().await {
        let chunk = chunk?;
        size = size.saturating_add(chunk.len());
        if size <= BODY_BYTES {
            body.extend_from_slice(&chunk);
        } else if size > HEARD_BYTES {
            break;
        } else {
            body = Vec::new();
        }
    }
    Ok((size <= BODY_BYTES).then_some(body))
}
