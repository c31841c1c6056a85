//! What the Worker's parts tell one another, and back.
//!
//! Only the Worker can address an object, so its word is taken.

use serde::{Deserialize, Serialize};
use worker::{Headers, Method, Request, RequestInit};

use crate::mcp::{Answering, Caller};

/// The header field that carries the order; the body is the client's.
const ORDER: &str = "mycelium-order";

/// What an object is asked for.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Order {
    /// To answer a POST of its session.
    Post { id: String, fresh: bool, caller: Caller, answering: Way },
    /// To answer a GET of its session.
    Get { id: String, caller: Caller, last_event: Option<String> },
    /// To end its session.
    Delete { id: String, caller: Caller },
    /// To answer a request of its call, which has no session.
    Call { id: String, caller: Caller, answering: Way },
    /// To answer a page of the app that is open in its session's browser.
    Browser { id: String, caller: Caller, method: String, path: String, last_event: Option<String> },
    /// To give up its place, when it is idle.
    Park { id: String, idle_ms: u64 },
    /// To give a session a place.
    Admit { session: String, owner: String },
    /// To tell the grants of its principal's sessions.
    TellGrants {},
    /// To put those in the body in their place, and tell what stood.
    SetGrants {},
    /// To take note that a session has ended.
    End { session: String, owner: String },
}

/// How a client can be answered.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Way {
    Either,
    Json,
    Events,
}

impl From<Answering> for Way {
    fn from(answering: Answering) -> Self {
        match answering {
            Answering::Either => Self::Either,
            Answering::Json => Self::Json,
            Answering::Events => Self::Events,
        }
    }
}

impl From<Way> for Answering {
    fn from(way: Way) -> Self {
        match way {
            Way::Either => Self::Either,
            Way::Json => Self::Json,
            Way::Events => Self::Events,
        }
    }
}

impl Order {
    /// The request that an object gets.
    pub(crate) fn request(&self, url: &str, body: Option<&str>) -> worker::Result<Request> {
        let headers = Headers::new();
        // Header fields are bytes: what isn't ASCII is escaped.
        headers.set(ORDER, &ascii(&serde_json::to_string(self)?))?;
        let mut init = RequestInit::new();
        init.with_method(Method::Post).with_headers(headers).with_body(body.map(Into::into));
        Request::new_with_init(url, &init)
    }

    /// The order in a request, and the client's body.
    pub(crate) async fn read(mut request: Request) -> worker::Result<(Self, String)> {
        let order = request.headers().get(ORDER)?.unwrap_or_default();
        Ok((serde_json::from_str(&order)?, request.text().await?))
    }
}

/// JSON text in ASCII alone.
fn ascii(text: &str) -> String {
    use std::fmt::Write as _;
    if text.is_ascii() {
        return text.to_owned();
    }
    let mut ascii = String::with_capacity(text.len());
    for letter in text.chars() {
        if letter.is_ascii() {
            ascii.push(letter);
        } else {
            for unit in letter.encode_utf16(&mut [0; 2]) {
                // Writing to a string can't fail.
                let _ = write!(ascii, "\\u{unit:04x}");
            }
        }
    }
    ascii
}
