//! A computer that is asked over HTTPS.

use std::{fmt, rc::Rc};

use futures::{FutureExt, future::LocalBoxFuture};
use serde_json::Value;

use super::{Computer, ComputerError, answer, call_body};
use crate::{
    json,
    limits::{ADVERTISEMENT_BYTES, FRAME_BYTES},
    operation::Context,
    port::fetch::{Answer, Fetch, FetchError, Request},
};

/// A computer at a URL: `GET <url>/describe` and `POST <url>/call`, both in JSON.
///
/// Redirects are refused, answers are bounded, and giving a call up aborts its request.
/// The headers, a bearer token for instance, are sent with every request and shown nowhere.
#[derive(Clone)]
pub struct HttpsComputer {
    fetch: Rc<dyn Fetch>,
    url: Rc<str>,
    headers: Rc<[(String, String)]>,
}

/// A URL that no computer can be asked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndpointError {
    rule: &'static str,
}

impl fmt::Display for EndpointError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.rule)
    }
}

impl std::error::Error for EndpointError {}

/// Whether a computer can be asked at `url`.
///
/// # Errors
///
/// It isn't `https://`, or has a query, a fragment or credentials.
pub fn is_endpoint(url: &str) -> Result<(), EndpointError> {
    let rest = url.strip_prefix("https://");
    let host = rest.and_then(|rest| rest.split('/').next()).unwrap_or_default();
    if host.is_empty() {
        return Err(EndpointError { rule: "a computer's URL begins with https:// and a host" });
    }
    if host.contains('@') || url.contains(['?', '#', '\\']) || url.contains(char::is_whitespace) {
        let rule =
            "a computer's URL has no credentials, query or fragment: send secrets as headers";
        return Err(EndpointError { rule });
    }
    Ok(())
}

impl HttpsComputer {
    /// The computer at `url`.
    ///
    /// # Errors
    ///
    /// The URL isn't `https://`, or has a query, a fragment or credentials.
    pub fn new(
        fetch: Rc<dyn Fetch>,
        url: &str,
        headers: Vec<(String, String)>,
    ) -> Result<Self, EndpointError> {
        is_endpoint(url)?;
        let url = url.trim_end_matches('/').into();
        Ok(Self { fetch, url, headers: headers.into() })
    }

    fn request(&self, method: &str, path: &str, body: Option<Vec<u8>>) -> Request {
        let mut headers = vec![("accept".to_owned(), "application/json".to_owned())];
        if body.is_some() {
            headers.push(("content-type".to_owned(), "application/json".to_owned()));
        }
        headers.extend(self.headers.iter().cloned());
        Request { method: method.to_owned(), url: format!("{}{path}", self.url), headers, body }
    }
}

impl Computer for HttpsComputer {
    fn describe(&self) -> LocalBoxFuture<'static, Result<Value, ComputerError>> {
        let (fetch, request) = (Rc::clone(&self.fetch), self.request("GET", "/describe", None));
        async move {
            let mut answer = fetch.fetch(request).await.map_err(|error| broken(&error))?;
            if answer.status != 200 {
                return Err(ComputerError::not_done(format!("status {}", answer.status)));
            }
            body(&mut answer, ADVERTISEMENT_BYTES).await
        }
        .boxed_local()
    }

    fn call(
        &self,
        operation: String,
        input: Value,
        context: Context,
    ) -> LocalBoxFuture<'static, Result<Value, ComputerError>> {
        let bytes = call_body(&operation, &input, &context).to_string().into_bytes();
        let mut request = self.request("POST", "/call", Some(bytes));
        if let Some(trace) = context.trace() {
            trace.put(&mut request.headers);
        }
        let fetch = Rc::clone(&self.fetch);
        async move {
            let mut answered = fetch.fetch(request).await.map_err(|error| broken(&error))?;
            match answered.status {
                200 => answer(body(&mut answered, FRAME_BYTES).await?),
                // It did not follow the call: neither do we.
                status @ (300..=399 | 401 | 403 | 404 | 405 | 429) => {
                    Err(ComputerError::not_done(format!("status {status}")))
                }
                status => Err(ComputerError::unknown(format!("status {status}"))),
            }
        }
        .boxed_local()
    }
}

async fn body(answer: &mut Answer, limit: usize) -> Result<Value, ComputerError> {
    let bytes = answer.bytes(limit).await.map_err(|error| broken(&error))?;
    let text = String::from_utf8(bytes);
    let text = text.map_err(|_| ComputerError::unknown("the answer isn't UTF-8"))?;
    json::parse(&text)
        .map_err(|error| ComputerError::unknown(format!("the answer is no JSON: {error}")))
}

fn broken(error: &FetchError) -> ComputerError {
    match error {
        FetchError::Unsendable { evidence } => ComputerError::not_done(evidence),
        FetchError::Unreachable { evidence } | FetchError::Broken { evidence } => {
            ComputerError::unknown(format!("{error}: {evidence}"))
        }
        _ => ComputerError::unknown(error.to_string()),
    }
}
