//! A page as a test moves it, over the endpoints.

use futures::{FutureExt, StreamExt, stream::LocalBoxStream};
use mycelium::{
    knapsack::ui::{Body, Reply, Request, Ui},
    testing::Host,
};
use serde_json::{Value, json};

/// An open page.
pub(crate) struct Page {
    host: Host,
    ui: Ui,
    session: String,
    events: Option<LocalBoxStream<'static, String>>,
    pub(crate) client: String,
    /// What it was told that it holds, when it opened.
    pub(crate) claimed: Vec<String>,
    unread: Vec<(String, Value)>,
    comments: usize,
}

/// One request of a page.
pub(crate) fn fetch(
    host: &Host,
    ui: &Ui,
    (method, path): (&str, &str),
    last_event: Option<&str>,
    body: &str,
) -> Reply {
    let (ui, method, path) = (ui.clone(), method.to_owned(), path.to_owned());
    let (last_event, body) = (last_event.map(str::to_owned), body.to_owned());
    let asked = async move {
        let last_event = last_event.as_deref();
        ui.fetch(Request { method: &method, path: &path, last_event, body: &body }).await
    };
    host.start(asked).end().unwrap()
}

pub(crate) fn place(session: &str, endpoint: &str) -> String {
    format!("/browser/sessions/{session}/browser/{endpoint}")
}

impl Page {
    /// Opens its stream, or is refused.
    pub(crate) fn open(
        host: &Host,
        ui: &Ui,
        session: &str,
        last_event: Option<&str>,
    ) -> Result<Self, u16> {
        let reply = fetch(host, ui, ("GET", &place(session, "events")), last_event, "");
        let Body::Events(events) = reply.body else { return Err(reply.status) };
        let mut page = Self {
            host: host.clone(),
            ui: ui.clone(),
            session: session.to_owned(),
            events: Some(events),
            client: String::new(),
            claimed: Vec::new(),
            unread: Vec::new(),
            comments: 0,
        };
        page.read();
        let (name, open) = page.unread.remove(0);
        assert_eq!(name, "open");
        page.client = open["client"].as_str().unwrap().to_owned();
        page.claimed = serde_json::from_value(open["claimed"].clone()).unwrap();
        Ok(page)
    }

    /// Reads what was written to it; whether the stream is still open.
    pub(crate) fn read(&mut self) -> bool {
        self.host.settle();
        while let Some(events) = &mut self.events {
            match events.next().now_or_never() {
                Some(Some(text)) => match event(&text) {
                    Some(event) => self.unread.push(event),
                    None => self.comments += 1,
                },
                Some(None) => self.events = None,
                None => return true,
            }
        }
        false
    }

    /// The next event of this name.
    pub(crate) fn next(&mut self, name: &str) -> Option<Value> {
        self.read();
        let at = self.unread.iter().position(|(known, _)| known == name)?;
        Some(self.unread.remove(at).1)
    }

    /// The number of the next request.
    pub(crate) fn asked(&mut self) -> Option<String> {
        self.next("request").map(|event| event["request"].as_str().unwrap().to_owned())
    }

    /// How many comments it has read.
    pub(crate) fn comments(&mut self) -> usize {
        self.read();
        self.comments
    }

    /// Its stream is cut.
    pub(crate) fn cut(&mut self) {
        self.events = None;
        self.host.settle();
    }

    pub(crate) fn post(&self, endpoint: &str, body: &Value) -> (u16, Value) {
        let path = place(&self.session, endpoint);
        let reply = fetch(&self.host, &self.ui, ("POST", &path), None, &body.to_string());
        self.host.settle();
        (reply.status, serde_json::from_str(reply.text()).unwrap_or_default())
    }

    /// Claims a request with what it says of the command.
    pub(crate) fn claim(&self, request: &str, said: &Value) -> (u16, Value) {
        let mut body = json!({"client": self.client, "request": request});
        body.as_object_mut().unwrap().extend(said.as_object().unwrap().clone());
        self.post("claims", &body)
    }

    /// Claims a request for `list.add`; the claim that it got.
    pub(crate) fn take(&self, request: &str) -> String {
        let (status, told) = self.claim(request, &json!({"declaration": super::declaration()}));
        assert_eq!(status, 200, "{told}");
        told["claim"].as_str().unwrap().to_owned()
    }

    /// Sends what came of a request.
    pub(crate) fn send(&self, request: &str, claim: &str, outcome: &Value) -> (u16, Value) {
        let mut body = json!({"client": self.client, "request": request, "claim": claim});
        body.as_object_mut().unwrap().extend(outcome.as_object().unwrap().clone());
        self.post("results", &body)
    }

    pub(crate) fn result(&self, request: &str, claim: &str, value: impl Into<Value>) -> u16 {
        self.send(request, claim, &json!({"value": value.into()})).0
    }
}

/// The event that a text is; none for a comment.
fn event(text: &str) -> Option<(String, Value)> {
    let field =
        |name: &str| text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
    Some((field("event")?.to_owned(), serde_json::from_str(field("data")?).unwrap()))
}
