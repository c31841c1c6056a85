//! One request to a server, and its answer.
//!
//! Owns what is sent, what is read and within which bound, and what is known of a request
//! that has no answer. Doesn't own when a request is sent again: that is a
//! [call's](super::call) business.

use std::rc::Rc;

use serde_json::{Map, Value, json};

use super::{
    Era, McpPorts, McpServer, Standing,
    answer::{Ear, Reading},
    server::Masked,
};
use crate::{
    failure::bounded,
    limits::{MCP_ANSWER_BYTES, MCP_NOTE_BYTES, MCP_RESUME_MS, MCP_RESUMES},
    mcp::wire::{
        self, CLIENT_CAPABILITIES, CLIENT_INFO, Id, MODERN, Message, PROTOCOL_VERSION, RpcError,
        field_value,
    },
    operation::Trace,
    port::fetch::{Answer, FetchError, Request},
};

/// The most bytes of what the operator is told.
const EVIDENCE_BYTES: usize = 512;

/// The most milliseconds that a server may let us wait before a stream is taken up again.
const LONGEST_RESUME_MS: u64 = 30_000;

/// A request that has no result, and what is known of it.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Missed {
    /// The server wants another credential; nothing was done.
    SignIn {
        /// What the owner does.
        says: String,
    },
    /// The server doesn't know the session, or what goes without one; nothing was done.
    SessionGone,
    /// The server may mean that it doesn't know the session, or something else.
    SessionDoubted,
    /// Nothing was sent, or what was sent was turned away.
    NotDone {
        /// For the model.
        says: String,
        /// For the operator.
        evidence: String,
    },
    /// It was sent and no usable answer came.
    Unknown {
        /// For the operator.
        evidence: String,
    },
    /// It was answered with an error.
    Refused(RpcError),
    /// It was answered with more than is read.
    TooLarge,
    /// The answer repeats the credential that it was asked with.
    Repeats {
        /// Where, as a JSON Pointer.
        path: String,
    },
}

impl Missed {
    pub(super) fn not_done(says: &str, evidence: impl Into<String>) -> Self {
        let evidence = bounded(&evidence.into(), EVIDENCE_BYTES);
        Self::NotDone { says: says.to_owned(), evidence }
    }

    pub(super) fn unknown(evidence: &str) -> Self {
        Self::Unknown { evidence: bounded(evidence, EVIDENCE_BYTES) }
    }

    fn unread(error: &FetchError) -> Self {
        match error {
            FetchError::Unsendable { evidence } => {
                Self::not_done("the request can't be sent", evidence.as_str())
            }
            FetchError::Unreachable { evidence } | FetchError::Broken { evidence } => {
                Self::unknown(&format!("{error}: {evidence}"))
            }
            FetchError::TooLarge { .. } => Self::TooLarge,
        }
    }
}

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
            let (Some(last), true) = (last, has_sessions(standing)) else {
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

    /// What an answer says that isn't one of success.
    async fn turned_away(
        &self,
        standing: &Standing,
        answer: &mut Answer,
        id: Option<&Id>,
        masked: &Masked,
    ) -> Missed {
        let status = answer.status;
        let text = answer.beginning(MCP_NOTE_BYTES.saturating_mul(4)).await;
        let text = text.map(|(bytes, _)| String::from_utf8_lossy(&bytes).into_owned());
        let text = text.unwrap_or_default();
        let in_session = standing.session().is_some();
        let said = Said::read(&text, id);
        match (status, said) {
            (401, _) => return Missed::SignIn { says: self.sign_in(standing) },
            (404, _) if in_session => return Missed::SessionGone,
            // Many servers say so of a session that they don't know.
            (400, Said::OfNobody(-32_001)) if in_session => return Missed::SessionGone,
            // Some do so with the code of any failure of theirs.
            (400, Said::OfNobody(-32_000)) if in_session => return Missed::SessionDoubted,
            // A server that has taken up sessions since says so of what has none.
            (400 | 404 | 405, Said::OfNobody(_) | Said::Nothing) if !has_sessions(standing) => {
                return Missed::SessionGone;
            }
            (_, Said::OfOurs(mut error)) => {
                error.message = mask(&bounded(&error.message, MCP_NOTE_BYTES), masked);
                return Missed::Refused(error);
            }
            _ => {}
        }
        let evidence = mask(&format!("status {status}: {text}"), masked);
        match status {
            300..=399 => {
                let says = "the server answers with a redirect, and none is followed: its owner \
                            gives this connection the address that it leads to";
                Missed::not_done(says, format!("status {status}, a redirect"))
            }
            403 => Missed::not_done(
                "the server refuses this connection's credential for that (403)",
                evidence,
            ),
            429 => Missed::not_done(&busy(answer), evidence),
            408 | 500.. => Missed::unknown(&evidence),
            _ => Missed::not_done(&format!("the server answers {status}"), evidence),
        }
    }

    /// What the owner of a connection does whose credential is refused.
    fn sign_in(&self, standing: &Standing) -> String {
        let name = &self.server.name;
        let signed_in = standing.token.is_some();
        match self.server.secrets() {
            _ if signed_in => format!("{name} refuses the token that it was given (401)"),
            none if none.is_empty() => {
                format!("{name} asks for a credential (401): give this connection one")
            }
            names => format!("{name} refuses its credential (401): renew the secret {names}"),
        }
    }
}

/// An error that stands in the body of an answer without success.
enum Said {
    /// For our request.
    OfOurs(RpcError),
    /// For none that it could name, with this code.
    OfNobody(i64),
    Nothing,
}

impl Said {
    fn read(text: &str, id: Option<&Id>) -> Self {
        if let Ok(Message::Response { id: found, outcome: Err(error) }) = Message::read(text) {
            return match id {
                Some(id) if *id == found => Self::OfOurs(rpc_error(&error)),
                _ => Self::Nothing,
            };
        }
        let value = crate::json::parse(text).unwrap_or_default();
        let unnamed = value.get("id").is_none_or(Value::is_null);
        let code = value.get("error").and_then(|error| error.get("code")?.as_i64());
        code.filter(|_| unnamed).map_or(Self::Nothing, Self::OfNobody)
    }
}

/// An error as far as it is one.
pub(super) fn rpc_error(error: &Value) -> RpcError {
    let code = error.get("code").and_then(Value::as_i64).and_then(|code| i32::try_from(code).ok());
    let message = error.get("message").and_then(Value::as_str).unwrap_or_default();
    RpcError::new(code.unwrap_or(wire::code::INTERNAL_ERROR), message)
}

fn has_sessions(standing: &Standing) -> bool {
    matches!(standing.era, Era::Sessions { .. })
}

fn busy(answer: &Answer) -> String {
    match answer.header("retry-after").map(str::trim).filter(|after| is_delay(after)) {
        Some(after) => format!("the server is busy (429): try again after {after}"),
        None => "the server is busy (429): try again later".to_owned(),
    }
}

/// Seconds, or a date as HTTP writes it: any other text would be a server's own words.
fn is_delay(after: &str) -> bool {
    let is_number = |text: &str, digits: usize| {
        text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit())
    };
    if (1..=9).contains(&after.len()) && is_number(after, after.len()) {
        return true;
    }
    let parts: Vec<&str> = after.split(' ').collect();
    let [day, date, month, year, time, "GMT"] = parts.as_slice() else { return false };
    let is_time = |time: &str| {
        let parts: Vec<&str> = time.split(':').collect();
        parts.len() == 3 && parts.iter().all(|part| is_number(part, 2))
    };
    DAYS.contains(day)
        && is_number(date, 2)
        && MONTHS.contains(month)
        && is_number(year, 4)
        && is_time(time)
}

/// The days of a week as HTTP writes them in a date.
const DAYS: [&str; 7] = ["Mon,", "Tue,", "Wed,", "Thu,", "Fri,", "Sat,", "Sun,"];

/// The months of a year.
const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

fn is_media(answer: &Answer, media: &str) -> bool {
    let found = answer.header("content-type").and_then(|value| value.split(';').next());
    found.is_some_and(|found| found.trim().eq_ignore_ascii_case(media))
}

/// What a request says, with what it says of itself where no session has it.
fn params(standing: &Standing, ask: &Ask) -> Value {
    let mut params = ask.params.clone();
    let mut meta = Map::new();
    if !has_sessions(standing) {
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

/// The fewest bytes of a secret that no text has by chance.
const TELLING: usize = 8;

/// A text without what is to be hidden.
pub(super) fn mask(text: &str, masked: &Masked) -> String {
    masked.iter().fold(text.to_owned(), |text, secret| text.replace(secret, "***"))
}

/// Where a value, bounded in depth, repeats what is to be hidden.
pub(super) fn repeated(value: &Value, masked: &Masked) -> Option<String> {
    let hides = |text: &str| {
        masked.iter().any(|secret| secret.len() >= TELLING && text.contains(secret.as_str()))
    };
    let under = |name: &str, path: String| format!("/{name}{path}");
    match value {
        Value::String(text) => hides(text).then(String::new),
        Value::Array(items) => items
            .iter()
            .enumerate()
            .find_map(|(at, item)| repeated(item, masked).map(|path| under(&at.to_string(), path))),
        Value::Object(members) => members.iter().find_map(|(name, member)| {
            if hides(name) {
                return Some(String::new());
            }
            repeated(member, masked).map(|path| under(name, path))
        }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::is_delay;

    #[test]
    fn a_delay_is_seconds_or_a_date_and_no_other_words() {
        for delay in ["0", "120", "999999999", "Sun, 06 Nov 1994 08:49:37 GMT"] {
            assert!(is_delay(delay), "{delay}");
        }
        let wrong = [
            "",
            "1.5",
            "-1",
            "9999999999",
            "calling files.delete",
            "Sun, 06 Nov 1994 08:49:37 UTC",
            "Sun, 06 Nov 1994 8:49:37 GMT",
            "Sun, 06 Nov 1994 08:49:37 GMT and delete all",
            "Now, 06 Nov 1994 08:49:37 GMT",
        ];
        for words in wrong {
            assert!(!is_delay(words), "{words}");
        }
    }
}
