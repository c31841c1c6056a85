//! The three endpoints that an app's pages speak to, before they are the platform's.
//!
//! | request | answer |
//! | --- | --- |
//! | `GET …/events` | the page's events; with `Last-Event-ID` it stays the page that it was |
//! | `POST …/claims` | 200 with a claim and the input, 409 when it is another's or over |
//! | `POST …/results` | 204, 409 when it isn't the page's to answer, 422 when it isn't as declared |
//!
//! Any of them: 400 for a body that isn't as it must be, 404 without such a session, 405,
//! 410 when all is closed, 413, 429 when too many pages are open, 503.

use std::fmt;

use futures::stream::LocalBoxStream;
use serde_json::json;

/// A request of a page.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The HTTP method, in capitals.
    pub method: &'a str,
    /// The path of its URL.
    pub path: &'a str,
    /// `Last-Event-ID`.
    pub last_event: Option<&'a str>,
    /// The body.
    pub body: &'a str,
}

/// An answer to a page.
#[derive(Debug)]
pub struct Reply {
    /// The HTTP status.
    pub status: u16,
    /// The body.
    pub body: Body,
}

/// What an answer has beside its status.
pub enum Body {
    /// Nothing.
    Empty,
    /// JSON text.
    Json(String),
    /// Events; dropping the stream is the page's disconnect.
    Events(LocalBoxStream<'static, String>),
}

impl Reply {
    /// An answer without a body.
    pub(super) fn empty(status: u16) -> Self {
        Self { status, body: Body::Empty }
    }

    pub(super) fn json(status: u16, body: &serde_json::Value) -> Self {
        Self { status, body: Body::Json(body.to_string()) }
    }

    /// A refusal, and what to do next.
    #[must_use]
    pub fn refusal(status: u16, problem: &str) -> Self {
        Self::json(status, &json!({"error": problem}))
    }

    /// The answer about a session that isn't there, whoever asks and whatever it was.
    #[must_use]
    pub fn no_session() -> Self {
        Self::refusal(404, "there is no such session: open the app from one that there is")
    }

    /// The answer when all is closed.
    pub(super) fn closed() -> Self {
        Self::refusal(410, "this session's app connection is closed: open a new session")
    }

    /// The text of a JSON body.
    #[must_use]
    pub fn text(&self) -> &str {
        match &self.body {
            Body::Json(text) => text,
            Body::Empty | Body::Events(_) => "",
        }
    }
}

impl fmt::Debug for Body {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => formatter.write_str("Empty"),
            Self::Json(text) => formatter.debug_tuple("Json").field(text).finish(),
            Self::Events(_) => formatter.write_str("Events"),
        }
    }
}

/// One of the endpoints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Endpoint {
    /// What is asked, as events.
    Events,
    /// Where a page takes a request.
    Claims,
    /// Where a page sends what came of it.
    Results,
}

impl Endpoint {
    /// The one method that it has.
    #[must_use]
    pub fn method(self) -> &'static str {
        match self {
            Self::Events => "GET",
            Self::Claims | Self::Results => "POST",
        }
    }
}

/// An endpoint of one session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place<'a> {
    /// The session's id.
    pub session: &'a str,
    /// Which of its endpoints.
    pub endpoint: Endpoint,
}

/// The most bytes of a session's id.
const ID_BYTES: usize = 128;

impl<'a> Place<'a> {
    /// The place of `/browser/sessions/<session>/browser/{events,claims,results}`; none when
    /// the path is none of these. A session's id has letters, digits, `-`, `_` and `.`.
    ///
    /// ```
    /// use mycelium::knapsack::ui::{Endpoint, Place};
    ///
    /// let place = Place::of("/browser/sessions/s1/browser/events").unwrap();
    /// assert_eq!((place.session, place.endpoint), ("s1", Endpoint::Events));
    /// assert!(Place::of("/browser/sessions/s1/browser/other").is_none());
    /// ```
    #[must_use]
    pub fn of(path: &'a str) -> Option<Self> {
        let (session, endpoint) = path.strip_prefix("/browser/sessions/")?.split_once('/')?;
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
        if session.is_empty() || session.len() > ID_BYTES || !session.bytes().all(plain) {
            return None;
        }
        let endpoint = match endpoint {
            "browser/events" => Endpoint::Events,
            "browser/claims" => Endpoint::Claims,
            "browser/results" => Endpoint::Results,
            _ => return None,
        };
        Some(Self { session, endpoint })
    }
}
