//! The stateless Worker: who is it, what is it, which object is it for.
//!
//! It never waits for another request.

use std::{cell::RefCell, rc::Rc};

use wasm_bindgen::JsValue;
use worker::{Env, Request, Response};

use super::{
    super::{
        app::app,
        ports::{self, PlatformJwks, PlatformSignatures},
        runtime, status, ui,
    },
    Order, body, respond,
};
use crate::{
    auth::{Authenticator, JwksCache, Jwt},
    config::{ConfigError, Settings},
    failure::Failure,
    knapsack::ui::Place as Page,
    mcp::{
        Answering, Authenticate, Caller, Challenge, FIELDS, Gate, Head, Modern, Reply, Routed,
        Stateless, suspended_in, wire,
    },
};

/// The binding of the connections' objects in `wrangler.toml`.
pub(crate) const CONNECTIONS: &str = "CONNECTIONS";

/// Where MCP is.
const MCP: &str = "/mcp";

/// Where the Worker says how it is doing.
const STATUS: &str = "/status";

thread_local! {
    // Finished values: what was read once an isolate.
    static KEYS: JwksCache = JwksCache::default();
    static WARNED: RefCell<bool> = const { RefCell::new(false) };
}

/// Answers one request from outside.
pub(crate) async fn gate(request: Request, env: Env, ctx: JsValue) -> worker::Result<Response> {
    let settings = match runtime::settings(&env) {
        Ok(settings) => settings,
        Err(errors) => return respond::response(config_invalid(&errors), None),
    };
    let url = request.inner().url();
    let place = Place::of(&url);
    let page = Page::of(place.path).filter(|_| ui::is_offered(&settings));
    if !matches!(place.path, MCP | STATUS) && page.is_none() {
        return respond::response(elsewhere(&settings, &place), None);
    }
    let head = head(&request, &place)?;
    let gate = Gate {
        origins: settings.origins.clone(),
        challenge: Challenge {
            resource_metadata: settings.metadata.url(place.origin),
            scope: settings.metadata.scope.clone(),
        },
        authenticate: authenticator(&settings, &env),
    };
    if let Some(page) = page {
        return browser(&env, &gate, &head, (place.path, page), request).await;
    }
    if place.path == STATUS {
        let reply = gate.status(&head, || status::status(&settings, &env)).await;
        return respond::response(gate.told(&head, reply), None);
    }
    let admitted = gate.admit(&head).await;
    let (caller, answering) = match admitted {
        Ok(admitted) => admitted,
        Err(reply) => return respond::response(gate.told(&head, reply), None),
    };
    let served = Served { env, ctx, settings, head: &head, caller, answering };
    match served.answer(request).await? {
        Answer::Reply(reply) => respond::response(gate.told(&head, reply), None),
        Answer::Object(response) => respond::told(response, gate.told(&head, Reply::empty(200))),
    }
}

/// Answers a page of an app that is open in a session's browser.
async fn browser(
    env: &Env,
    gate: &Gate,
    head: &Head,
    at: (&str, Page<'_>),
    request: Request,
) -> worker::Result<Response> {
    let answer = match gate.identify(head).await {
        Ok(caller) => ui::serve(env, caller, at, head, request).await?,
        Err(reply) => Err(reply),
    };
    match answer {
        Err(reply) => respond::response(gate.told(head, reply), None),
        Ok(response) => respond::told(response, gate.told(head, Reply::empty(200))),
    }
}

/// Who is let in: by the Worker's author, else by the deployment's settings.
pub(crate) fn authenticator(settings: &Settings, env: &Env) -> Rc<dyn Authenticate> {
    if let Some(own) = app(env).authenticate {
        return own;
    }
    let jwt = settings.jwt.clone().map(|rules| Jwt {
        rules,
        cache: KEYS.with(Clone::clone),
        jwks: Rc::new(PlatformJwks),
        signatures: Rc::new(PlatformSignatures),
    });
    let ports = ports::ports();
    let authenticator = Authenticator {
        dev: settings.dev,
        keys: Rc::new(settings.keys.clone()),
        jwt,
        clock: Rc::clone(&ports.clock),
    };
    if !authenticator.is_configured() && !WARNED.replace(true) {
        ports.console.warn("no authentication is configured: every request is answered with 401");
    }
    #[cfg(feature = "faults")]
    return super::super::faults::revocable(Rc::new(authenticator));
    #[cfg(not(feature = "faults"))]
    Rc::new(authenticator)
}

/// One admitted request.
struct Served<'a> {
    env: Env,
    ctx: JsValue,
    settings: Rc<Settings>,
    head: &'a Head,
    caller: Caller,
    answering: Answering,
}

/// Where an answer comes from.
enum Answer {
    Reply(Reply),
    Object(Response),
}

impl Served<'_> {
    async fn answer(&self, mut request: Request) -> worker::Result<Answer> {
        let url = request.inner().url();
        let body = match self.head.method() {
            "POST" => match body::text(&mut request).await? {
                Ok(body) => body,
                Err(refusal) => return Ok(Answer::Reply(refusal)),
            },
            _ => String::new(),
        };
        match Routed::of(self.head, &body, || ports::ports().name()) {
            Routed::Answered(reply) => Ok(Answer::Reply(reply)),
            Routed::Stateless(modern) => self.stateless(&modern, &url, &body).await,
            Routed::Session { id, fresh } => self.session(id, fresh, &url, &body).await,
        }
    }

    async fn session(
        &self,
        id: String,
        fresh: bool,
        url: &str,
        body: &str,
    ) -> worker::Result<Answer> {
        let caller = self.caller.clone();
        let order = match self.head.method() {
            "POST" => {
                Order::Post { id: id.clone(), fresh, caller, answering: self.answering.into() }
            }
            "GET" => {
                let last_event = self.head.field("last-event-id").map(str::to_owned);
                Order::Get { id: id.clone(), caller, last_event }
            }
            _ => Order::Delete { id: id.clone(), caller },
        };
        let answer = self.object(&id, &order, url, body).await?;
        // A client may keep an old session's name while it opens a new one.
        if let Answer::Object(response) = &answer
            && response.status_code() == 404
            && self.head.method() == "POST"
            && is_initialize(body)
        {
            let (id, caller) = (ports::ports().name(), self.caller.clone());
            let answering = self.answering.into();
            let order = Order::Post { id: id.clone(), fresh: true, caller, answering };
            return self.object(&id, &order, url, body).await;
        }
        Ok(answer)
    }

    async fn stateless(&self, modern: &Modern, url: &str, body: &str) -> worker::Result<Answer> {
        let id = match suspended_in(modern) {
            Some(id) => id,
            None => {
                let ctx = self.ctx.clone();
                let parts = runtime::parts(&self.settings, &self.env, ctx)?;
                let stateless = Stateless::new(parts);
                match stateless.answer(&self.caller, modern, self.answering).await {
                    Some(reply) => return Ok(Answer::Reply(reply)),
                    None => ports::ports().name(),
                }
            }
        };
        let (caller, answering) = (self.caller.clone(), self.answering.into());
        let order = Order::Call { id: id.clone(), caller, answering };
        self.object(&id, &order, url, body).await
    }

    /// Asks the object of this name. What only reads is asked again, when the object
    /// went away while it answered.
    async fn object(
        &self,
        id: &str,
        order: &Order,
        url: &str,
        body: &str,
    ) -> worker::Result<Answer> {
        let name = format!("{}/{id}", self.caller.principal.digest());
        let reads = matches!(order, Order::Get { .. });
        let body = (!reads).then_some(body);
        let mut answer = self.once(&name, order, url, body).await;
        if reads && answer.is_err() {
            answer = self.once(&name, order, url, body).await;
        }
        answer.map(Answer::Object).or_else(|error| Ok(Answer::Reply(lost(&error))))
    }

    async fn once(
        &self,
        name: &str,
        order: &Order,
        url: &str,
        body: Option<&str>,
    ) -> worker::Result<Response> {
        let object = self.env.durable_object(CONNECTIONS)?.get_by_name(name)?;
        object.fetch_with_request(order.request(url, body)?).await
    }
}

fn is_initialize(body: &str) -> bool {
    use wire::Message;
    matches!(Message::read(body), Ok(Message::Request { method, .. }) if method == "initialize")
}

/// The parts of a request's URL, which the platform has written in its one way.
struct Place<'a> {
    origin: &'a str,
    host: &'a str,
    path: &'a str,
}

impl<'a> Place<'a> {
    fn of(url: &'a str) -> Self {
        let (scheme, rest) = url.split_once("://").unwrap_or_default();
        let end = rest.find('/').unwrap_or(rest.len());
        let (host, path) = rest.split_at(end);
        let path = path.split(['?', '#']).next().unwrap_or_default();
        let length = scheme.len().saturating_add("://".len()).saturating_add(host.len());
        Self { origin: url.get(..length).unwrap_or_default(), host, path }
    }
}

/// What isn't the endpoint: metadata when there is any, and nothing else.
#[cold]
#[inline(never)]
fn elsewhere(settings: &Settings, place: &Place<'_>) -> Reply {
    match settings.metadata.at(place.origin, place.path) {
        Some(metadata) => Reply::json(200, metadata).with("access-control-allow-origin", "*"),
        None => Reply::refusal(
            404,
            "nothing is here: MCP is at /mcp, and how the host is doing at /status",
        ),
    }
}

/// The object went away with what ran in it: its instance was lost, its code replaced.
#[cold]
#[inline(never)]
fn lost(error: &worker::Error) -> Reply {
    ports::ports().console.warn(&format!("an object didn't answer: {error}"));
    Reply::json(500, wire::host_failure(&Failure::ExecutionLost {}))
}

fn config_invalid(errors: &[ConfigError]) -> Reply {
    let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
    Reply::json(500, serde_json::json!({"code": "config-invalid", "errors": errors}).to_string())
}

fn head(request: &Request, place: &Place<'_>) -> worker::Result<Head> {
    let headers = request.headers();
    let mut head = Head::new(request.inner().method(), place.host);
    for name in FIELDS {
        if let Some(value) = headers.get(name)? {
            head = head.with(name, value);
        }
    }
    Ok(head)
}
