//! The stateless Worker: who is it, what is it, which object is it for.
//!
//! It never waits for another request, and parses no body.

use worker::{Env, Request, Response};

use super::{super::ports, Forwarded, body, respond};
use crate::{
    auth::{self, Principal},
    config::ConfigError,
    failure::Failure,
    mcp::{self, Head, Reply, SESSION_HEADER, wire},
};

/// The binding of the connections' objects in `wrangler.toml`.
const CONNECTIONS: &str = "CONNECTIONS";

/// Answers one request from outside.
pub(crate) async fn gate(request: Request, env: Env) -> worker::Result<Response> {
    let url = request.url()?;
    let settings = match super::super::runtime::settings(&env) {
        Ok(settings) => settings,
        Err(errors) => return respond::response(config_invalid(&errors)),
    };
    if url.path() != "/mcp" {
        return respond::response(Reply::refusal(404, "nothing is here: MCP is at /mcp"));
    }
    let fields = Fields::read(&request)?;
    let host = url.host_str().unwrap_or_default();
    let authority = url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"));
    let head = fields.head(&authority);
    if mcp::is_foreign(&head) {
        return respond::response(Reply::refusal(403, "pages of other sites aren't served"));
    }
    let direct = !is_forwarded(&request)?;
    let Some(principal) = auth::authenticate(settings.dev && direct, host) else {
        return respond::response(unauthenticated());
    };
    match mcp::admit(&head) {
        Ok(()) => forward(request, &env, &principal, fields.session).await,
        Err(refusal) => respond::response(refusal),
    }
}

/// Whether somebody handed the request on: a proxy, a tunnel, the platform's edge.
fn is_forwarded(request: &Request) -> worker::Result<bool> {
    for name in ["forwarded", "x-forwarded-for", "cf-ray"] {
        if request.headers().has(name)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Sends the request to its connection's object.
async fn forward(
    mut request: Request,
    env: &Env,
    principal: &Principal,
    session: Option<String>,
) -> worker::Result<Response> {
    let body = match request.method() {
        worker::Method::Post => match body::text(&mut request).await? {
            Ok(body) => Some(body),
            Err(refusal) => return respond::response(refusal),
        },
        _ => None,
    };
    let fresh = session.is_none();
    if fresh && body.is_none() {
        return respond::response(Reply::refusal(400, "MCP-Session-Id is missing"));
    }
    if session.as_deref().is_some_and(|session| !is_session(session)) {
        return respond::response(Reply::no_session());
    }
    let session = session.unwrap_or_else(|| ports::ports().name());
    let name = format!("{}/{session}", principal.digest());
    let object = env.durable_object(CONNECTIONS)?.get_by_name(&name)?;
    let url = request.url()?;
    let forwarded = Forwarded { session, fresh, principal: principal.key(), body };
    let forwarded = forwarded.write(url.as_str())?;
    match object.fetch_with_request(forwarded).await {
        Ok(answer) => Ok(answer),
        Err(error) => respond::response(lost(&error)),
    }
}

/// The object went away with what ran in it: its instance was lost, its code replaced.
fn lost(error: &worker::Error) -> Reply {
    ports::ports().console.warn(&format!("an object didn't answer: {error}"));
    Reply::json(500, wire::host_failure(&Failure::ExecutionLost {}))
}

/// Whether this can be the id of a session: what can't wakes no object.
fn is_session(id: &str) -> bool {
    id.len() == 32 && id.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

fn unauthenticated() -> Reply {
    Reply::refusal(
        401,
        "no credential is known: configure authentication, or MYCELIUM_AUTH_DEV on loopback",
    )
    .with("www-authenticate", "Bearer")
}

fn config_invalid(errors: &[ConfigError]) -> Reply {
    let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
    Reply::json(500, serde_json::json!({"code": "config-invalid", "errors": errors}).to_string())
}

/// The header fields that the rules look at.
struct Fields {
    method: String,
    origin: Option<String>,
    accept: Option<String>,
    content_type: Option<String>,
    session: Option<String>,
    revision: Option<String>,
}

impl Fields {
    fn read(request: &Request) -> worker::Result<Self> {
        let headers = request.headers();
        Ok(Self {
            method: request.inner().method(),
            origin: headers.get("origin")?,
            accept: headers.get("accept")?,
            content_type: headers.get("content-type")?,
            session: headers.get(SESSION_HEADER)?,
            revision: headers.get("mcp-protocol-version")?,
        })
    }

    fn head<'a>(&'a self, host: &'a str) -> Head<'a> {
        Head {
            method: &self.method,
            host,
            origin: self.origin.as_deref(),
            accept: self.accept.as_deref(),
            content_type: self.content_type.as_deref(),
            session: self.session.as_deref(),
            revision: self.revision.as_deref(),
        }
    }
}
