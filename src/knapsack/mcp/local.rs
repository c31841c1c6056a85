//! The owner of a server's session, token and tools, in one place.

use std::{cell::RefCell, rc::Rc};

use futures::{FutureExt, future::LocalBoxFuture};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{
    Era, Listing, McpPorts, McpServer, SignIn, Stale, Standing, Step, Token, Tokens, Upstream,
    UpstreamError,
    flight::Flight,
    line::Line,
    listing::{Unlisted, list},
    missed::Missed,
    open::open,
    sign_in::{Seed, Ungranted},
};
use crate::{
    failure::{MESSAGE_BYTES, bounded},
    json::Digest,
    limits::{CONNECT_AGAIN_MS, CONNECT_ANEW_MS, CONNECT_MS, ROW_BYTES},
    mcp::wire::RpcError,
    port::{Storage, StorageError, within},
};

/// The row of the era and the session.
const ERA: &str = "era";
/// The row of the tokens.
const TOKENS: &str = "tokens";
/// The row that says why the tools couldn't be had the last time.
const MISSED: &str = "missed";
/// The row that tells the server apart from another under the same id.
const SERVER: &str = "server";
/// The row that says what the rows of the tools are.
const TOOLS: &str = "tools";

/// The owner of one server's standing. There is one for each server, whoever calls it, and
/// what it owns outlives the process in its rows.
#[derive(Clone)]
pub struct LocalUpstream(Rc<Shared>);

struct Shared {
    line: Line,
    storage: Rc<dyn Storage>,
    kept: RefCell<Kept>,
    opening: Flight<Result<Era, UpstreamError>>,
    listing: Flight<Result<Rc<Listing>, UpstreamError>>,
    signing_in: Flight<Result<Token, UpstreamError>>,
}

#[derive(Default)]
struct Kept {
    era: Option<Era>,
    tokens: Tokens,
    listing: Option<Rc<Listing>>,
    missed: Option<Missing>,
}

/// A list that couldn't be had: until `again_ms` nobody else waits for it, and from then on
/// nobody for long. It is kept in a row: an owner that is idle ends sooner than that.
#[derive(Clone, Serialize, Deserialize)]
struct Missing {
    error: UpstreamError,
    again_ms: u64,
}

/// That a list is waited for. Whoever waits may have less patience than this owner, and then
/// the work is given up before it comes to an end.
struct Asked {
    shared: Rc<Shared>,
    since_ms: u64,
}

impl Drop for Asked {
    fn drop(&mut self) {
        let now_ms = self.shared.now_ms();
        if now_ms.saturating_sub(self.since_ms) >= CONNECT_ANEW_MS {
            let error = UpstreamError::unavailable("nobody waited for its tools any longer");
            self.shared.miss(error, now_ms);
        }
    }
}

/// What the rows of the tools are.
#[derive(Serialize, Deserialize)]
struct Chapters {
    listed_ms: u64,
    fresh_ms: u64,
    parts: usize,
}

impl LocalUpstream {
    /// The owner of what `server` is spoken to with, over the rows that it left.
    #[must_use]
    pub fn new(server: Rc<McpServer>, ports: McpPorts, storage: Rc<dyn Storage>) -> Self {
        let (opening, listing) = (Flight::new(&ports.host), Flight::new(&ports.host));
        let signing_in = Flight::to_its_end(&ports.host);
        let line = Line { server, ports };
        let shared =
            Shared { line, storage, kept: RefCell::default(), opening, listing, signing_in };
        shared.load();
        Self(Rc::new(shared))
    }
}

impl Upstream for LocalUpstream {
    fn kept(&self) -> Option<Rc<Listing>> {
        self.0.kept.borrow().listing.clone()
    }

    fn list(&self, anew: bool) -> LocalBoxFuture<'static, Result<Rc<Listing>, UpstreamError>> {
        let shared = Rc::clone(&self.0);
        async move {
            let kept = shared.kept.borrow().listing.clone();
            if let Some(kept) = kept.filter(|_| !anew) {
                return Ok(kept);
            }
            match shared.missed().filter(|_| !anew) {
                Some(Missing { error, again_ms }) if shared.now_ms() < again_ms => Err(error),
                Some(Missing { error, .. }) => shared.listed_again(error).await,
                None => shared.listed().await,
            }
        }
        .boxed_local()
    }

    fn standing(
        &self,
        stale: Option<Stale>,
    ) -> LocalBoxFuture<'static, Result<Standing, UpstreamError>> {
        let shared = Rc::clone(&self.0);
        async move { shared.standing(stale).await }.boxed_local()
    }
}

fn lost() -> UpstreamError {
    UpstreamError::unavailable("the work was lost: try again")
}

impl Shared {
    async fn standing(self: &Rc<Self>, stale: Option<Stale>) -> Result<Standing, UpstreamError> {
        let refused = match &stale {
            Some(Stale::Token(access)) => Some(access.clone()),
            _ => None,
        };
        if let Some(Stale::Session(gone)) = &stale {
            self.forget(gone.as_deref());
        }
        let token = self.token(refused).await?;
        let era = self.kept.borrow().era.clone();
        let era = match era {
            Some(era) => era,
            None => {
                let opener = Rc::clone(self);
                let work = move || async move { opener.open().await }.boxed_local();
                self.opening.join(work).await.unwrap_or_else(|| Err(lost()))?
            }
        };
        // Opening may have found out that the token was refused, and have another.
        let token = if token.is_some() { self.token(None).await? } else { None };
        Ok(Standing { era, token })
    }

    /// Forgets how the server was spoken to, unless that is another way already.
    fn forget(&self, gone: Option<&str>) {
        let mut kept = self.kept.borrow_mut();
        let same = match &kept.era {
            Some(Era::Sessions { session, .. }) => session.as_deref() == gone,
            Some(Era::Stateless) => gone.is_none(),
            None => false,
        };
        if same {
            kept.era = None;
            self.noted(self.storage.delete(ERA));
        }
    }

    async fn open(self: &Rc<Self>) -> Result<Era, UpstreamError> {
        let timer = &*self.line.ports.host.timer;
        let opened = within(timer, CONNECT_MS, self.try_to_open()).await;
        let era = opened.ok_or_else(|| {
            UpstreamError::unavailable(&format!("it gave no answer within {CONNECT_MS} ms"))
        })??;
        self.kept.borrow_mut().era = Some(era.clone());
        self.keep(ERA, &era);
        Ok(era)
    }

    async fn try_to_open(self: &Rc<Self>) -> Result<Era, UpstreamError> {
        let token = self.token(None).await?;
        let mut opened = open(&self.line, token.clone()).await;
        if let (Err(Missed::SignIn { .. }), Some(token)) = (&opened, token) {
            let other = self.token(Some(token.access)).await?;
            opened = open(&self.line, other).await;
        }
        opened.map(|standing| standing.era).map_err(|missed| upstream_error(&missed))
    }

    fn now_ms(&self) -> u64 {
        self.line.ports.host.clock.now_ms()
    }

    fn miss(&self, error: UpstreamError, now_ms: u64) {
        let again_ms = now_ms.saturating_add(CONNECT_AGAIN_MS);
        let missing = Missing { error, again_ms };
        self.keep(MISSED, &missing);
        self.kept.borrow_mut().missed = Some(missing);
    }

    fn found(&self) {
        let missed = self.kept.borrow_mut().missed.take();
        if missed.is_some() {
            self.noted(self.storage.delete(MISSED));
        }
    }

    /// Why the list couldn't be had the last time.
    fn missed(&self) -> Option<Missing> {
        self.kept.borrow().missed.clone()
    }

    /// The list, once for all who wait.
    async fn listed(self: &Rc<Self>) -> Result<Rc<Listing>, UpstreamError> {
        let lister = Rc::clone(self);
        let work = move || async move { lister.list().await }.boxed_local();
        self.listing.join(work).await.unwrap_or_else(|| Err(lost()))
    }

    /// The list of a server that didn't give one: everything else would wait for one that
    /// says nothing, time after time. It is asked to its end all the same, so that one that is
    /// slow is there the next time.
    async fn listed_again(
        self: &Rc<Self>,
        error: UpstreamError,
    ) -> Result<Rc<Listing>, UpstreamError> {
        let ports = &self.line.ports.host;
        let asker = Rc::clone(self);
        let to_its_end = async move { drop(asker.listed().await) };
        ports.background.spawn(to_its_end.boxed_local());
        let listed = within(&*ports.timer, CONNECT_ANEW_MS, self.listed()).await;
        listed.unwrap_or(Err(error))
    }

    /// Lists the tools, and keeps them or why they can't be had.
    async fn list(self: &Rc<Self>) -> Result<Rc<Listing>, UpstreamError> {
        let asked = Asked { shared: Rc::clone(self), since_ms: self.now_ms() };
        let listed = self.list_in_time().await;
        drop(asked);
        match &listed {
            Ok(_) => self.found(),
            Err(error) => self.miss(error.clone(), self.now_ms()),
        }
        listed
    }

    async fn list_in_time(self: &Rc<Self>) -> Result<Rc<Listing>, UpstreamError> {
        let timer = Rc::clone(&self.line.ports.host.timer);
        let listed = within(&*timer, CONNECT_MS, self.try_to_list()).await;
        let listed = listed.ok_or_else(|| {
            UpstreamError::unavailable(&format!("it listed no tools within {CONNECT_MS} ms"))
        })??;
        let listed = Rc::new(listed);
        self.kept.borrow_mut().listing = Some(Rc::clone(&listed));
        self.noted(self.keep_tools(&listed));
        Ok(listed)
    }

    async fn try_to_list(self: &Rc<Self>) -> Result<Listing, UpstreamError> {
        let mut standing = self.standing(None).await?;
        for last in [false, true] {
            let stale = match list(&self.line, &standing).await {
                Ok(listed) => return Ok(listed),
                Err(Unlisted::Unusable(error)) => return Err(error),
                Err(Unlisted::Missed(missed)) => match stale(&missed, &standing) {
                    Some(stale) if !last => stale,
                    _ => return Err(upstream_error(&missed)),
                },
            };
            standing = self.standing(Some(stale)).await?;
        }
        Err(lost())
    }

    /// The token, if the server is signed in to; one that is `refused` isn't it.
    async fn token(
        self: &Rc<Self>,
        refused: Option<String>,
    ) -> Result<Option<Token>, UpstreamError> {
        let Line { server, ports } = &self.line;
        let Some(sign_in) = &server.sign_in else { return Ok(None) };
        let seed = sign_in.seed(ports)?;
        let now_ms = ports.host.clock.now_ms();
        let step = self.kept.borrow().tokens.next(now_ms, refused.as_deref(), &seed.digest);
        let refresh = match step {
            Step::Use(token) => return Ok(Some(token)),
            Step::SignIn { says } => return Err(UpstreamError::sign_in(&says)),
            Step::Ask { refresh } => refresh,
        };
        let (shared, sign_in) = (Rc::clone(self), sign_in.clone());
        let work = move || async move { shared.sign_in(&sign_in, seed, refresh).await };
        let signed_in = self.signing_in.join(|| work().boxed_local()).await;
        signed_in.unwrap_or_else(|| Err(lost())).map(Some)
    }

    /// Asks for a token, once for all who wait, and keeps what comes before anybody uses it.
    async fn sign_in(
        &self,
        sign_in: &SignIn,
        seed: Seed,
        refresh: Option<String>,
    ) -> Result<Token, UpstreamError> {
        let ports = &self.line.ports;
        let asked = sign_in.ask(ports, &seed, refresh);
        let asked = within(&*ports.host.timer, CONNECT_MS, asked).await;
        let late = || {
            let evidence = format!("who gives out its tokens said nothing within {CONNECT_MS} ms");
            Ungranted::Unavailable(UpstreamError::unavailable(&evidence))
        };
        let now_ms = ports.host.clock.now_ms();
        let before = self.kept.borrow().tokens.clone();
        let (tokens, end) = match asked.unwrap_or_else(|| Err(late())) {
            Ok(granted) => {
                let tokens = before.granted(granted, now_ms, &seed.digest);
                let token = tokens.held().cloned().ok_or_else(lost);
                (tokens, token)
            }
            Err(Ungranted::Denied { says, spent }) => {
                let tokens = before.denied(&says, spent, now_ms, &seed.digest);
                (tokens, Err(UpstreamError::sign_in(&says)))
            }
            Err(Ungranted::Unavailable(error)) => return Err(error),
        };
        self.keep(TOKENS, &tokens);
        self.kept.borrow_mut().tokens = tokens;
        end
    }

    /// What the rows hold; what can't be read is as if it weren't there.
    fn load(&self) {
        let read = |key: &str| self.noted(self.storage.get(key)).flatten();
        let McpServer { endpoint, protocol, .. } = &*self.line.server;
        let server = Digest::of(&json!([
            endpoint.url(),
            format!("{protocol:?}"),
            self.line.server.secrets()
        ]))
        .to_string();
        if read(SERVER).as_ref() != Some(&server) {
            // Whatever another server left says nothing of this one.
            self.noted(self.storage.clear());
            self.noted(self.storage.put(SERVER, &server));
        }
        let mut kept = self.kept.borrow_mut();
        kept.era = read(ERA).and_then(|text| serde_json::from_str(&text).ok());
        let tokens = read(TOKENS).and_then(|text| serde_json::from_str(&text).ok());
        kept.tokens = tokens.unwrap_or_default();
        kept.missed = read(MISSED).and_then(|text| serde_json::from_str(&text).ok());
        let chapters: Option<Chapters> =
            read(TOOLS).and_then(|text| serde_json::from_str(&text).ok());
        kept.listing = chapters.and_then(|Chapters { listed_ms, fresh_ms, parts }| {
            let text: Option<String> = (0..parts).map(|at| read(&part(at))).collect();
            Listing::read(&text?, listed_ms, fresh_ms).ok().map(Rc::new)
        });
    }

    fn keep(&self, key: &str, value: &impl Serialize) {
        if let Ok(text) = serde_json::to_string(value) {
            self.noted(self.storage.put(key, &text));
        }
    }

    /// The tools in rows that the platform takes. The first row comes last, so that a list
    /// that was written in part isn't one.
    fn keep_tools(&self, listing: &Listing) -> Result<(), StorageError> {
        self.storage.delete(TOOLS)?;
        let (mut rest, mut parts) = (listing.text(), 0_usize);
        while !rest.is_empty() {
            let (row, after) = rest.split_at(rest.floor_char_boundary(ROW_BYTES));
            self.storage.put(&part(parts), row)?;
            parts = parts.saturating_add(1);
            rest = after;
        }
        let Listing { listed_ms, fresh_ms, .. } = *listing;
        let chapters = serde_json::to_string(&Chapters { listed_ms, fresh_ms, parts });
        self.storage.put(TOOLS, &chapters.unwrap_or_default())
    }

    /// What can't be kept is known until the process ends; the operator is told.
    fn noted<T>(&self, stored: Result<T, StorageError>) -> Option<T> {
        let name = &self.line.server.name;
        let told = |error: &StorageError| {
            let line =
                format!("what the MCP server {name:?} is spoken to with isn't kept: {error}");
            self.line.ports.host.console.warn(&bounded(&line, MESSAGE_BYTES));
        };
        stored.inspect_err(told).ok()
    }
}

/// The row of a part of the tools.
fn part(at: usize) -> String {
    format!("{TOOLS}/{at}")
}

/// What an owner can do about a request that came to nothing; none where there is nothing.
pub(super) fn stale(missed: &Missed, standing: &Standing) -> Option<Stale> {
    match missed {
        Missed::SessionGone | Missed::SessionDoubted => {
            Some(Stale::Session(standing.session().map(str::to_owned)))
        }
        Missed::SignIn { .. } => {
            standing.token.as_ref().map(|token| Stale::Token(token.access.clone()))
        }
        _ => None,
    }
}

/// A request that came to nothing, for the operator.
pub(super) fn upstream_error(missed: &Missed) -> UpstreamError {
    match missed {
        Missed::SignIn { says } => UpstreamError::sign_in(says),
        Missed::SessionGone | Missed::SessionDoubted => {
            UpstreamError::unavailable("it forgets its session at once")
        }
        Missed::NotDone { says, evidence } => {
            UpstreamError::unavailable(&format!("{says}: {evidence}"))
        }
        Missed::Unknown { evidence } => UpstreamError::unavailable(evidence),
        Missed::Refused(error) => {
            let RpcError { code, message, .. } = error;
            UpstreamError::unavailable(&format!("it refuses ({code}): {message:?}"))
        }
        Missed::TooLarge => UpstreamError::unusable("it answers with more than is read"),
        Missed::Repeats { .. } => UpstreamError::unusable("it repeats its credential"),
    }
}
