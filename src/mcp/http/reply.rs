//! Answers, before they are the platform's.

use std::fmt;

use futures::stream::LocalBoxStream;

use super::super::wire::{self, Id, RpcError, code};

/// The texts of an event stream, as they are written.
pub type EventStream = LocalBoxStream<'static, String>;

/// What an answer has beside its head.
pub enum Body {
    /// Nothing.
    Empty,
    /// JSON text.
    Json(String),
    /// Events; dropping the stream is the client's disconnect.
    Events(EventStream),
}

/// An HTTP answer.
#[derive(Debug)]
pub struct Reply {
    /// The HTTP status.
    pub status: u16,
    /// Header fields beside those of the body.
    pub headers: Vec<(&'static str, String)>,
    /// The body.
    pub body: Body,
}

impl Reply {
    fn new(status: u16, body: Body) -> Self {
        Self { status, headers: Vec::new(), body }
    }

    /// An answer with a JSON body.
    #[must_use]
    pub fn json(status: u16, body: String) -> Self {
        Self::new(status, Body::Json(body))
    }

    /// An answer without a body.
    #[must_use]
    pub fn empty(status: u16) -> Self {
        Self::new(status, Body::Empty)
    }

    /// A stream of events.
    #[must_use]
    pub fn events(events: EventStream) -> Self {
        Self::new(200, Body::Events(events))
            .with("cache-control", "no-cache, no-transform")
            .with("x-accel-buffering", "no")
    }

    /// A refusal that answers no request in particular.
    #[must_use]
    pub fn refusal(status: u16, message: &str) -> Self {
        Self::json(status, wire::failure(None, code::INVALID_REQUEST, message))
    }

    /// An error of the protocol.
    #[must_use]
    pub fn error(status: u16, id: Option<&Id>, error: &RpcError) -> Self {
        Self::json(status, wire::error(id, error))
    }

    /// The refusal of a session that isn't there, whoever asks and whatever it was.
    #[must_use]
    pub fn no_session() -> Self {
        Self::refusal(404, "there is no such session: initialize a new one")
    }

    /// The answer with one header field more.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }

    /// The text of a JSON body.
    #[must_use]
    pub fn text(&self) -> &str {
        match &self.body {
            Body::Json(text) => text,
            Body::Empty | Body::Events(_) => "",
        }
    }

    /// The value of a header field.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        let same = |(known, _): &&(&str, String)| known.eq_ignore_ascii_case(name);
        self.headers.iter().find(same).map(|(_, value)| value.as_str())
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
