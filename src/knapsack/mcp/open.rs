//! Beginning to speak to a server: which era, and its session.

use serde_json::{Map, Value, json};

use super::{
    Era, Protocol, Standing, Token,
    answer::Deaf,
    line::{Answered, Line, client_info},
    missed::Missed,
};
use crate::mcp::wire::{MODERN, Revision};

/// The revisions with sessions that are understood when a server offers them, the newest
/// first. The older ones say the same of tools, and less of them.
const UNDERSTOOD: [&str; 4] =
    [Revision::V2025_11_25.as_str(), Revision::V2025_06_18.as_str(), "2025-03-26", "2024-11-05"];

/// The most bytes of a session's id.
const SESSION_BYTES: usize = 1_024;

/// Begins to speak to the server.
pub(super) async fn open(line: &Line, token: Option<Token>) -> Result<Standing, Missed> {
    match line.server.protocol {
        Protocol::Sessions => sessions(line, token).await,
        Protocol::Stateless => stateless(line, token).await,
        Protocol::Either => match sessions(line, token.clone()).await {
            Err(missed) if speaks_otherwise(&missed) => {
                // Why it has no sessions is told, unless it can be spoken to without.
                stateless(line, token).await.map_err(|_| missed)
            }
            opened => opened,
        },
    }
}

/// Whether a server may have said that it has no sessions.
fn speaks_otherwise(missed: &Missed) -> bool {
    matches!(missed, Missed::Refused(_) | Missed::NotDone { .. })
}

async fn sessions(line: &Line, token: Option<Token>) -> Result<Standing, Missed> {
    let mut params = Map::new();
    let newest = Revision::V2025_11_25.as_str();
    params.insert("protocolVersion".to_owned(), newest.into());
    params.insert("capabilities".to_owned(), json!({}));
    params.insert("clientInfo".to_owned(), client_info());
    let ask = line.ask("initialize", params);
    // What isn't settled yet is not said; the token is.
    let era = Era::Sessions { revision: String::new(), session: None };
    let first = Standing { era, token: token.clone() };
    let Answered { result, session } = line.answer(&first, &ask, &Deaf).await?;
    let offered = result.get("protocolVersion").and_then(Value::as_str).unwrap_or_default();
    let Some(revision) = UNDERSTOOD.iter().find(|known| **known == offered) else {
        let says = "the server speaks no revision of the protocol that is understood here";
        return Err(Missed::not_done(says, format!("it offers {offered:?}")));
    };
    if session.as_deref().is_some_and(|session| !is_session(session)) {
        let says = "the server gives its session an id that can't be sent back";
        return Err(Missed::not_done(says, "it has other characters than visible ASCII"));
    }
    let era = Era::Sessions { revision: (*revision).to_owned(), session };
    let standing = Standing { era, token };
    line.tell(&standing, "notifications/initialized", json!({})).await?;
    Ok(standing)
}

async fn stateless(line: &Line, token: Option<Token>) -> Result<Standing, Missed> {
    let standing = Standing { era: Era::Stateless, token };
    let ask = line.ask("server/discover", Map::new());
    let result = line.answer(&standing, &ask, &Deaf).await?.result;
    let spoken = result.get("supportedVersions").and_then(Value::as_array);
    if spoken.is_some_and(|spoken| !spoken.contains(&Value::from(MODERN))) {
        let says = "the server speaks no revision of the protocol that is understood here";
        return Err(Missed::not_done(says, format!("it doesn't speak {MODERN}")));
    }
    Ok(standing)
}

fn is_session(id: &str) -> bool {
    !id.is_empty() && id.len() <= SESSION_BYTES && id.bytes().all(|byte| byte.is_ascii_graphic())
}
