//! Any endpoint that speaks the OpenAI chat API.

use std::{fmt, rc::Rc};

use futures::{FutureExt, future::LocalBoxFuture};
use serde_json::json;

use super::{Asked, Writer, WriterError, read_reply};
use crate::{
    knapsack::openapi::Server,
    limits::{WRITER_BYTES, WRITER_TOKENS},
    port::{
        Fetch, Secrets,
        fetch::{FetchError, Request},
    },
};

/// The endpoint can't be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndpointError(String);

impl fmt::Display for EndpointError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for EndpointError {}

/// A model behind an endpoint that speaks the OpenAI chat API, answering whole.
#[derive(Clone)]
pub struct OpenAiWriter {
    url: String,
    model: String,
    secret: Option<String>,
    fetch: Rc<dyn Fetch>,
    secrets: Rc<dyn Secrets>,
}

impl OpenAiWriter {
    /// The model `model` at `base`, such as `https://api.example/v1`; its credential is the
    /// secret of the name `secret`, read for each request and sent nowhere else.
    ///
    /// # Errors
    ///
    /// `base` is no URL of a server: `https`, or on this machine.
    pub fn new(
        base: &str,
        model: &str,
        secret: Option<&str>,
        fetch: Rc<dyn Fetch>,
        secrets: Rc<dyn Secrets>,
    ) -> Result<Self, EndpointError> {
        Server::new(base).map_err(|error| EndpointError(error.to_string()))?;
        Ok(Self {
            url: format!("{}/chat/completions", base.trim_end_matches('/')),
            model: model.to_owned(),
            secret: secret.map(str::to_owned),
            fetch,
            secrets,
        })
    }

    fn request(&self, asked: &Asked) -> Result<Request, WriterError> {
        let mut headers = vec![
            ("content-type".to_owned(), "application/json".to_owned()),
            ("accept".to_owned(), "application/json".to_owned()),
        ];
        if let Some(name) = &self.secret {
            let secret = self.secrets.secret(name).ok_or_else(|| {
                let evidence = format!("the secret {name} isn't set");
                WriterError::new("the writer has no credential; tell the owner of this host")
                    .with_evidence(evidence)
            })?;
            headers.push(("authorization".to_owned(), format!("Bearer {secret}")));
        }
        let body = json!({
            "model": self.model,
            "messages": asked.messages,
            "stream": false,
            "temperature": 0,
            "max_tokens": WRITER_TOKENS,
        });
        let body = Some(body.to_string().into_bytes());
        Ok(Request { method: "POST".to_owned(), url: self.url.clone(), headers, body })
    }
}

impl Writer for OpenAiWriter {
    fn answer(&self, asked: Asked) -> LocalBoxFuture<'static, Result<String, WriterError>> {
        let (request, fetch) = (self.request(&asked), Rc::clone(&self.fetch));
        async move {
            let mut answer = fetch.fetch(request?).await.map_err(unreachable)?;
            if answer.status != 200 {
                let after = answer.header("retry-after").and_then(|after| after.parse().ok());
                return Err(status(answer.status, after));
            }
            let body = answer.bytes(WRITER_BYTES).await.map_err(unreachable)?;
            read_reply(&body)
        }
        .boxed_local()
    }
}

fn unreachable(error: FetchError) -> WriterError {
    let problem = match &error {
        FetchError::Unsendable { .. } | FetchError::Unreachable { .. } => {
            "the model's endpoint can't be reached; try again later".to_owned()
        }
        FetchError::Broken { .. } => "the model's answer broke off; try again later".to_owned(),
        FetchError::TooLarge { limit } => {
            format!("the model's answer has more than {limit} bytes; ask for less")
        }
    };
    WriterError::new(problem).with_evidence(format!("{error:?}"))
}

/// What a status says; what the endpoint writes beside it is shown to nobody.
fn status(status: u16, after: Option<u64>) -> WriterError {
    let again = after.map_or_else(
        || "; try again later".to_owned(),
        |seconds| format!("; try again after {seconds} s"),
    );
    let problem = match status {
        401 | 403 => format!(
            "the model's endpoint answered {status}: it doesn't admit this host; tell the owner of this host"
        ),
        429 => format!("the model's endpoint is busy (429){again}"),
        300..=399 => format!(
            "the model's endpoint answered {status}, a redirect, which is not followed; tell the owner of this host"
        ),
        500.. => format!("the model's endpoint failed ({status}){again}"),
        _ => format!("the model's endpoint answered {status}; tell the owner of this host"),
    };
    WriterError::new(problem)
}
