//! Asking another host over HTTP.
//!
//! Owns what a request and its answer are, and reading an answer within a bound.
//! Doesn't own who may be asked: a caller builds the URL, and a redirect is an
//! answer that is never followed.
//!
//! Nothing here waits for ever by itself: see [`within`](super::within). Whoever
//! gives up drops the future or the [`Answer`], and the request is aborted.

use std::fmt;

use futures::future::LocalBoxFuture;

/// One request.
#[derive(Clone, PartialEq, Eq)]
pub struct Request {
    /// The method, in capitals.
    pub method: String,
    /// The whole URL, without a fragment.
    pub url: String,
    /// The headers by name, in order; a name may occur more than once.
    pub headers: Vec<(String, String)>,
    /// The body; none for a request without one.
    pub body: Option<Vec<u8>>,
}

impl fmt::Debug for Request {
    /// Without the values of headers, which may be credentials.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.headers.iter().map(|(name, _)| name.as_str()).collect();
        formatter
            .debug_struct("Request")
            .field("method", &self.method)
            .field("headers", &names)
            .field("body_bytes", &self.body.as_ref().map(Vec::len))
            .finish_non_exhaustive()
    }
}

/// What came back; its body is still to be read.
pub struct Answer {
    /// The status, from 200 on. A redirect is an answer as any other.
    pub status: u16,
    /// The headers, their names in small letters.
    pub headers: Vec<(String, String)>,
    /// The body, after any transfer or content encoding was undone.
    pub body: Box<dyn Body>,
}

/// The bytes of an answer as they come. Dropping it aborts the request.
pub trait Body {
    /// The next bytes, none at the end; never an empty part.
    fn next(&mut self) -> LocalBoxFuture<'_, Result<Option<Vec<u8>>, FetchError>>;
}

/// Asks over HTTP.
pub trait Fetch {
    /// Sends `request` and waits for the head of the answer. Dropping the future aborts
    /// the request, which may have arrived all the same.
    fn fetch(&self, request: Request) -> LocalBoxFuture<'static, Result<Answer, FetchError>>;
}

/// Why there is no answer, or no whole one. Evidence is the operator's alone.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FetchError {
    /// The platform doesn't send such a request; nothing was sent.
    Unsendable {
        /// What the platform said.
        evidence: String,
    },
    /// No answer came; the request may have arrived.
    Unreachable {
        /// What the platform said.
        evidence: String,
    },
    /// The answer's body broke off.
    Broken {
        /// What the platform said.
        evidence: String,
    },
    /// The answer's body is over the bound; the rest of it was not read.
    TooLarge {
        /// The bound in bytes.
        limit: usize,
    },
}

impl fmt::Display for FetchError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unsendable { .. } => formatter.write_str("the request can't be sent"),
            Self::Unreachable { .. } => formatter.write_str("no answer came"),
            Self::Broken { .. } => formatter.write_str("the answer broke off"),
            Self::TooLarge { limit } => write!(formatter, "the answer has more than {limit} bytes"),
        }
    }
}

impl std::error::Error for FetchError {}

impl Answer {
    /// The value of the first header with this name, given in small letters.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut headers = self.headers.iter();
        headers.find(|(found, _)| found == name).map(|(_, value)| value.as_str())
    }

    /// The whole body.
    ///
    /// # Errors
    ///
    /// It broke off, or has more than `limit` bytes.
    pub async fn bytes(&mut self, limit: usize) -> Result<Vec<u8>, FetchError> {
        match self.beginning(limit).await? {
            (bytes, false) => Ok(bytes),
            (_, true) => Err(FetchError::TooLarge { limit }),
        }
    }

    /// The body's first bytes, at most `limit`, and whether there are more.
    ///
    /// # Errors
    ///
    /// It broke off.
    pub async fn beginning(&mut self, limit: usize) -> Result<(Vec<u8>, bool), FetchError> {
        let mut bytes = Vec::new();
        while let Some(part) = self.body.next().await? {
            let room = limit.saturating_sub(bytes.len());
            bytes.extend_from_slice(part.get(..room).unwrap_or(&part));
            if part.len() > room {
                return Ok((bytes, true));
            }
        }
        Ok((bytes, false))
    }
}

impl fmt::Debug for Answer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Answer").field("status", &self.status).finish_non_exhaustive()
    }
}
