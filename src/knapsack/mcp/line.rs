//! One request to a server, and its answer.
//!
//! Owns what is sent, what is read and within which bound. Doesn't own what an answer without
//! success [means](super::turned_away), nor when a request is sent again: that is a
//! [call's](super::call) business.

use std::rc::Rc;

use serde_json::{Map, Value, json};

use super::{
    Era, McpPorts, McpServer, Standing,
    answer::{Ear, Reading},
    mask::{mask, repeated},
    missed::Missed,
    server::Masked,
};
use crate::{
    failure::bounded,
    limits::{MCP_ANSWER_BYTES, MCP_NOTE_BYTES, MCP_RESUME_MS, MCP_RESUMES},
    mcp::wire::{
        self, CLIENT_CAPABILITIES, CLIENT_INFO, Id, MODERN, PROTOCOL_VERSION, RpcError, field_value,
    },
    operation::Trace,
    port::fetch::{Answer, Request},
};

/// The most milliseconds that a server may let us wait before a stream is taken up again.
const LONGEST_RESUME_MS: u64 = 30_000;

/// A result, and the session that came with it.
#[derive(Debug)]
pub(super) struct Answered {
    pub(super) result: Value,
    pub(super) session: Option<String>,
}

/// The way to one server.
#[derive(Clone)]
pub(super) struct Line {
    pub(super) server: Rc<McpServer>,
    pub(super) ports: McpPorts,
}

/// What is asked.
#[derive(Clone, Debug)]
pub(super) struct Ask {
    pub(super) id: Id,
    pub(super) method: &'static str,
    /// What the request is about, which its head repeats where the era says so.
    pub(super) name: Option<String>,
    pub(super) params: Map<String, Value>,
    /// Whether it wants to be told how far it has come.
    pub(super) tells: bool,
    /// Which trace it is part of.
    pub(super) trace: Option<Trace>,
}

impl Line {
    /// A fresh request: an id that no request of a session had before.
    pub(super) fn ask(&self, method: &'static str, params: Map<String, Value>) -> Ask {
        let id = Id::Text(self.ports.host.name());
        Ask { id, method, name: None, params, tells: false, trace: None }
    }

    /// Sends a request and reads its answer.
    pub(super) async fn answer(
        &self,
        standing: &Standing,
        ask: &Ask,
        ear: &dyn Ear,
    ) -> Result<Answered, Missed> {
        let body = wire::request(&ask.id, ask.method, params(standing, ask));
        let mut request = self.request("POST", standing, ask.method, ask.name.as_deref());
        if let Some(trace) = ask.trace {
            trace.put(&mut request.headers);
        }
        request.body = Some(body.into_bytes());
        let (mut answer, masked) = self.send(standing, request, Some(&ask.id)).await?;
        let session = answer.header("mcp-session-id").map(str::to_owned);
        let mut reading = Reading::new(ask.id.clone(), ear, &masked);
        if is_media(&answer, "application/json") {
            let bytes = answer.bytes(MCP_ANSWER_BYTES).await;
            let bytes = bytes.map_err(|error| Missed::unread(&error))?;
            let text = String::from_utf8(bytes);
            reading.message(&text.map_err(|_| Missed::unknown("the answer isn't UTF-8"))?)?;
        } else if is_media(&answer, "text/event-stream") {
            self.follow(standing, answer, &mut reading).await?;
        } else {
            let status = answer.status;
            return Err(Missed::unknown(&format!("status {status} without JSON or events")));
        }
        let ended = reading.outcome.ok_or_else(|| Missed::unknown("the answer has no result"))?;
        let result = ended.map_err(|mut error| {
            error.message = mask(&bounded(&error.message, MCP_NOTE_BYTES), &masked);
            Missed::Refused(error)
        })?;
        match repeated(&result, &masked) {
            Some(path) => Err(Missed::Repeats { path }),
            None => Ok(Answered { result, session }),
        }
    }

    /// Sends what wants no answer.
    pub(super) async fn tell(
        &self,
        standing: &Standing,
        method: &str,
        params: Value,
    ) -> Result<(), Missed> {
        self.post(standing, method, wire::notification(method, params)).await
    }

    async fn post(&self, standing: &Standing, method: &str, body: String) -> Result<(), Missed> {
        let mut request = self.request("POST", standing, method, None);
        request.body = Some(body.into_bytes());
        self.send(standing, request, None).await.map(drop)
    }

    /// Reads a stream to the answer, and takes it up again where it was cut before.
    async fn follow(
        &self,
        standing: &Standing,
        mut answer: Answer,
        reading: &mut Reading<'_>,
    ) -> Result<(), Missed> {
        for _ in 0..=MCP_RESUMES {
            let cut = self.stream(standing, &mut answer, reading).await?;
            if reading.outcome.is_some() {
                return Ok(());
            }
            let last = reading.events.last_id.clone();
            let (Some(last), true) = (last, standing.has_sessions()) else {
                return Err(cut);
            };
            // What a cut left of an event is sent again.
            reading.events.forget_part();
            let wait = reading.events.retry_ms.unwrap_or(MCP_RESUME_MS).min(LONGEST_RESUME_MS);
            drop(answer);
            self.ports.host.timer.sleep(wait).await;
            let mut request = self.request("GET", standing, "", None);
            request.headers.push(("last-event-id".to_owned(), last));
            let resumed = self.send(standing, request, None).await;
            // Whatever keeps us from the stream, the request itself has arrived.
            answer = resumed.map_err(|_| cut)?.0;
            if !is_media(&answer, "text/event-stream") {
                return Err(Missed::unknown("the stream can't be taken up again"));
            }
        }
        Err(Missed::unknown("the stream was cut too often"))
    }

    /// Reads until the answer or the end of the stream; gives how it ended.
    async fn stream(
        &self,
        standing: &Standing,
        answer: &mut Answer,
        reading: &mut Reading<'_>,
    ) -> Result<Missed, Missed> {
        loop {
            let part = match answer.body.next().await {
                Ok(Some(part)) => part,
                Ok(None) => return Ok(Missed::unknown("the stream ended without the answer")),
                Err(error) => return Ok(Missed::unread(&error)),
            };
            reading.part(&part)?;
            for (id, method) in reading.asked.drain(..) {
                self.reply(standing, &id, &method).await;
            }
            if reading.outcome.is_some() {
                return Ok(Missed::unknown(""));
            }
        }
    }

    /// Answers what the server asks. It was told that nothing can be asked of us, so all but a
    /// ping is refused; an answer that doesn't arrive is the server's own loss.
    async fn reply(&self, standing: &Standing, id: &Id, method: &str) {
        let body = match method {
            "ping" => wire::success(id, json!({})),
            _ => wire::error(Some(id), &RpcError::no_method(method)),
        };
        let _ = self.post(standing, "", body).await;
    }

    fn request(
        &self,
        verb: &str,
        standing: &Standing,
        method: &str,
        name: Option<&str>,
    ) -> Request {
        let accept =
            if verb == "GET" { "text/event-stream" } else { "application/json, text/event-stream" };
        let mut headers = vec![("accept".to_owned(), accept.to_owned())];
        let mut add = |name: &str, value: &str| headers.push((name.to_owned(), value.to_owned()));
        if verb == "POST" {
            add("content-type", "application/json");
        }
        match &standing.era {
            Era::Sessions { revision, session } => {
                if !revision.is_empty() {
                    add("mcp-protocol-version", revision);
                }
                if let Some(session) = session {
                    add("mcp-session-id", session);
                }
            }
            Era::Stateless => {
                add("mcp-protocol-version", MODERN);
                add("mcp-method", method);
                if let Some(name) = name {
                    add("mcp-name", &field_value(name));
                }
            }
        }
        let url = self.server.endpoint.url().to_owned();
        Request { method: verb.to_owned(), url, headers, body: None }
    }

    /// Sends a request; an answer is one of success. `id` is whose answer it would be.
    async fn send(
        &self,
        standing: &Standing,
        mut request: Request,
        id: Option<&Id>,
    ) -> Result<(Answer, Masked), Missed> {
        let says = |says: String| Missed::SignIn { says };
        let mut masked = self.server.put(&*self.ports.secrets, &mut request).map_err(says)?;
        masked.extend(standing.masked());
        if let Some(token) = &standing.token {
            let value = format!("Bearer {}", token.access);
            request.headers.push(("authorization".to_owned(), value));
        }
        let answer = self.ports.fetch.fetch(request).await;
        let mut answer = answer.map_err(|error| Missed::unread(&error))?;
        if (200..300).contains(&answer.status) {
            return Ok((answer, masked));
        }
        Err(self.turned_away(standing, &mut answer, id, &masked).await)
    }
}

fn is_media(answer: &Answer, media: &str) -> bool {
    let found = answer.header("content-type").and_then(|value| value.split(';').next());
    found.is_some_and(|found| found.trim().eq_ignore_ascii_case(media))
}

/// What a request says, with what it says of itself where no session has it.
fn params(standing: &Standing, ask: &Ask) -> Value {
    let mut params = ask.params.clone();
    let mut meta = Map::new();
    if !standing.has_sessions() {
        meta.insert(PROTOCOL_VERSION.to_owned(), MODERN.into());
        meta.insert(CLIENT_CAPABILITIES.to_owned(), json!({}));
        meta.insert(CLIENT_INFO.to_owned(), client_info());
    }
    if ask.tells {
        meta.insert("progressToken".to_owned(), ask.id.to_value());
    }
    if !meta.is_empty() {
        params.insert("_meta".to_owned(), Value::Object(meta));
    }
    Value::Object(params)
}

/// How this client names itself.
pub(super) fn client_info() -> Value {
    json!({"name": "mycelium", "version": env!("CARGO_PKG_VERSION")})
}
