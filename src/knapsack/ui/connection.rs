//! The connection to the apps that are open in the browsers of a host's sessions.

use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    fmt,
    rc::{Rc, Weak},
};

use futures::{FutureExt, future::LocalBoxFuture};
use serde_json::json;
use sha2::{Digest, Sha256};

use super::{
    endpoint::{Body, Endpoint, Place, Reply, Request},
    host::{BrowserHost, Claimed, Taken},
    module::{Lent, module},
    wire::{Claim, Sent},
};
use crate::{
    limits::{BROWSER_BODY_BYTES, BROWSER_PAGES},
    port::Ports,
    runtime::{Invalidation, Snapshot, Source, SourceError},
};

/// Which sessions there are.
pub trait Sessions {
    /// Whether this session is stored. An error is the operator's alone.
    fn has_session(&self, session: &str) -> LocalBoxFuture<'static, Result<bool, String>>;
}

/// The connection to the app that is open in a session's browser. Clones are the same.
///
/// One browser host serves a session. It is opened by the event stream of a stored session
/// or by a run, and dropped when neither holds it.
///
/// Whoever reaches [`fetch`](Self::fetch) is taken for the session's own page: mount it
/// behind the host's own admission.
#[derive(Clone)]
pub struct Ui {
    inner: Rc<Inner>,
}

/// What a connection to open apps is made of.
#[derive(Clone)]
pub struct UiOptions {
    id: String,
    name: String,
    confirm: bool,
    sessions: Rc<dyn Sessions>,
}

impl UiOptions {
    /// The module `ui`, of the authority `id`, in the sessions that there are.
    #[must_use]
    pub fn new(id: impl Into<String>, sessions: Rc<dyn Sessions>) -> Self {
        Self { id: id.into(), name: "ui".to_owned(), confirm: false, sessions }
    }

    /// Gives the module another name.
    #[must_use]
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// Has a person asked before every command.
    #[must_use]
    pub fn confirm_commands(mut self, confirm: bool) -> Self {
        self.confirm = confirm;
        self
    }
}

struct Inner {
    options: UiOptions,
    ports: Ports,
    /// By digest: looking one up takes a time that says nothing of the ids that there are.
    hosts: RefCell<BTreeMap<[u8; 32], Weak<BrowserHost>>>,
    lent: RefCell<Vec<Invalidation>>,
    closed: Cell<bool>,
}

impl Ui {
    /// A connection to no page yet.
    #[must_use]
    pub fn new(options: UiOptions, ports: Ports) -> Self {
        let inner = Inner {
            options,
            ports,
            hosts: RefCell::default(),
            lent: RefCell::default(),
            closed: Cell::new(false),
        };
        Self { inner: Rc::new(inner) }
    }

    /// What lends each run of this session the module.
    #[must_use]
    pub fn source(&self, session: &str) -> UiSource {
        UiSource { ui: self.clone(), session: session.into() }
    }

    /// Answers a request of a page.
    pub async fn fetch(&self, request: Request<'_>) -> Reply {
        let Some(place) = Place::of(request.path) else {
            return Reply::refusal(404, "nothing is here: see that the page has the right baseUrl");
        };
        if self.inner.closed.get() {
            return Reply::closed();
        }
        match self.inner.options.sessions.has_session(place.session).await {
            Ok(true) => {}
            Ok(false) => return Reply::no_session(),
            Err(evidence) => {
                self.inner.ports.console.warn(&format!("sessions can't be looked up: {evidence}"));
                return Reply::refusal(503, "the session can't be looked up: try again later");
            }
        }
        if request.method != place.endpoint.method() {
            let problem = format!("this endpoint takes {} alone", place.endpoint.method());
            return Reply::refusal(405, &problem);
        }
        if request.body.len() > BROWSER_BODY_BYTES {
            let problem = format!("a body has at most {BROWSER_BODY_BYTES} bytes: send less");
            return Reply::refusal(413, &problem);
        }
        // It may have been closed while the session was looked up.
        if self.inner.closed.get() {
            return Reply::closed();
        }
        match place.endpoint {
            Endpoint::Events => self.events(place.session, request.last_event),
            Endpoint::Claims => self.claim(place.session, request.body),
            Endpoint::Results => self.result(place.session, request.body),
        }
    }

    /// Ends every stream: requests that come later are answered with 410, and later runs
    /// fail to borrow the module.
    pub fn close(&self) {
        self.inner.closed.set(true);
        let lent = self.inner.lent.take();
        lent.iter().for_each(Invalidation::invalidate);
        let hosts = self.inner.hosts.take();
        hosts.values().filter_map(Weak::upgrade).for_each(|host| host.close());
    }

    /// Whether [`close`](Self::close) was called.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.inner.closed.get()
    }

    /// How many sessions have a browser host.
    #[must_use]
    pub fn open_sessions(&self) -> usize {
        self.inner.hosts.borrow().values().filter(|host| host.strong_count() > 0).count()
    }

    fn events(&self, session: &str, last_event: Option<&str>) -> Reply {
        match self.opened(session).attach(last_event) {
            Ok(events) => Reply { status: 200, body: Body::Events(events) },
            Err(_full) => {
                let problem = format!("{BROWSER_PAGES} pages are open already: close some");
                Reply::refusal(429, &problem)
            }
        }
    }

    fn claim(&self, session: &str, body: &str) -> Reply {
        let claim = match Claim::read(body) {
            Ok(claim) => claim,
            Err(malformed) => return Reply::refusal(400, &malformed.to_string()),
        };
        let claimed = self.known(session).map(|host| host.claim(claim));
        match claimed {
            Some(Claimed::Granted { claim, input: Some(input) }) => {
                Reply::json(200, &json!({"claim": claim, "input": input}))
            }
            Some(Claimed::Granted { claim, input: None }) => {
                Reply::json(200, &json!({"claim": claim}))
            }
            Some(Claimed::Refused(problem)) => {
                Reply::refusal(409, &format!("it isn't this page's to run: {problem}"))
            }
            None => Reply::refusal(409, "nothing is asked in this session: open the events first"),
        }
    }

    fn result(&self, session: &str, body: &str) -> Reply {
        let sent = match Sent::read(body) {
            Ok(sent) => sent,
            Err(malformed) => return Reply::refusal(400, &malformed.to_string()),
        };
        match self.known(session).map(|host| host.take(sent)) {
            Some(Taken::Whole) => Reply::empty(204),
            Some(Taken::Unfit(problem)) => Reply::refusal(422, &problem),
            Some(Taken::Refused) | None => {
                Reply::refusal(409, "nobody waits for this result from this page: drop it")
            }
        }
    }

    /// The session's browser host, if anything holds it.
    fn known(&self, session: &str) -> Option<Rc<BrowserHost>> {
        self.inner.hosts.borrow().get(&digest(session)).and_then(Weak::upgrade)
    }

    /// The session's browser host, opened if it isn't.
    fn opened(&self, session: &str) -> Rc<BrowserHost> {
        if let Some(known) = self.known(session) {
            return known;
        }
        let host = Rc::new(BrowserHost::new(self.inner.ports.clone()));
        let mut hosts = self.inner.hosts.borrow_mut();
        hosts.retain(|_, host| host.strong_count() > 0);
        hosts.insert(digest(session), Rc::downgrade(&host));
        host
    }

    async fn lend(
        self,
        session: Rc<str>,
        invalidation: Invalidation,
    ) -> Result<Snapshot, SourceError> {
        let closed = || SourceError::new("the connection to open apps is closed");
        if self.inner.closed.get() {
            return Err(closed());
        }
        let Inner { options, .. } = &*self.inner;
        let known = options.sessions.has_session(&session).await.map_err(SourceError::new)?;
        if !known {
            return Err(SourceError::new("there is no such session"));
        }
        if self.inner.closed.get() {
            return Err(closed());
        }
        let lent = Lent::new(self.opened(&session));
        let modules = vec![module(&options.id, &options.name, options.confirm, &lent)];
        self.inner.remember(invalidation.clone());
        let release = move || {
            lent.give_back();
            // Its graph has ended: there is nothing to tell it any more.
            invalidation.invalidate();
            async { Ok(()) }.boxed_local()
        };
        Ok(Snapshot::new(modules, Box::new(release)))
    }
}

impl Inner {
    fn remember(&self, invalidation: Invalidation) {
        let mut lent = self.lent.borrow_mut();
        lent.retain(|lent| !lent.is_stale());
        lent.push(invalidation);
    }
}

fn digest(session: &str) -> [u8; 32] {
    Sha256::digest(session).into()
}

impl fmt::Debug for Ui {
    /// Without the ids of sessions, which are secrets.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Ui")
            .field("id", &self.inner.options.id)
            .field("open_sessions", &self.open_sessions())
            .finish_non_exhaustive()
    }
}

/// Lends each run of one session the module, until the run ends.
#[derive(Clone, Debug)]
pub struct UiSource {
    ui: Ui,
    session: Rc<str>,
}

impl Source for UiSource {
    fn name(&self) -> Rc<str> {
        "ui".into()
    }

    fn acquire(
        &self,
        invalidation: Invalidation,
    ) -> LocalBoxFuture<'static, Result<Snapshot, SourceError>> {
        self.ui.clone().lend(Rc::clone(&self.session), invalidation).boxed_local()
    }
}
