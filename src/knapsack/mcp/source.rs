//! All MCP servers of a list, as far as they can be spoken to.

use std::{cell::Cell, collections::BTreeSet, rc::Rc};

use futures::{FutureExt, future::LocalBoxFuture};

use super::{Listing, McpPorts, McpServer, Upstream, UpstreamError, module};
use crate::{
    knapsack::{
        slots::{Missed, in_slots},
        unavailable::{Unavailable, UnavailableObserver, WhyUnavailable},
    },
    limits::{CONNECT_AGAIN_MS, CONNECT_MS, MCP_FRESHEST_MS},
    operation::Module,
    runtime::{Invalidation, Snapshot, Source, SourceError},
};

/// A server, and the owner of what it is spoken to with.
#[derive(Clone)]
pub struct McpConnection {
    /// What its owner says of it.
    pub server: Rc<McpServer>,
    /// Who has its session, token and tools.
    pub upstream: Rc<dyn Upstream>,
}

/// A source of every server in a list that lists its tools in time, and usably.
///
/// Tools that are known are offered at once, and listed anew in the background when they are
/// old: a change is seen by the lease after that. The other servers are left out, told to the
/// observer, and asked again by a lease that comes [`CONNECT_AGAIN_MS`] later.
#[derive(Clone)]
pub struct McpServers {
    connections: Rc<[McpConnection]>,
    ports: McpPorts,
    timeout_ms: u64,
    on_unavailable: Option<Rc<dyn UnavailableObserver>>,
}

impl McpServers {
    /// The servers of `connections`, each with [`CONNECT_MS`] to list its tools.
    #[must_use]
    pub fn new(connections: Vec<McpConnection>, ports: McpPorts) -> Self {
        let connections = connections.into();
        Self { connections, ports, timeout_ms: CONNECT_MS, on_unavailable: None }
    }

    /// Gives each server this many milliseconds, from when it is its turn.
    #[must_use]
    pub fn timeout_ms(mut self, ms: u64) -> Self {
        self.timeout_ms = ms;
        self
    }

    /// Tells `observer` of every server that is left out.
    #[must_use]
    pub fn on_unavailable(mut self, observer: Rc<dyn UnavailableObserver>) -> Self {
        self.on_unavailable = Some(observer);
        self
    }

    async fn modules(self, invalidation: Invalidation) -> Vec<Module> {
        let mut ids = BTreeSet::new();
        let (mut modules, mut asked, mut jobs) = (Vec::new(), Vec::new(), Vec::new());
        for connection in self.connections.iter() {
            if !ids.insert(connection.server.id.clone()) {
                self.report(connection, WhyUnavailable::TwiceInList);
                continue;
            }
            match connection.upstream.kept() {
                Some(kept) => {
                    self.refresh_if_old(connection, &kept, &invalidation);
                    modules.extend(self.offer(connection, Ok(kept), &invalidation));
                }
                None => {
                    asked.push(connection);
                    jobs.push(connection.upstream.list(false));
                }
            }
        }
        let timer = Rc::clone(&self.ports.host.timer);
        let answers = in_slots(timer, self.timeout_ms, jobs).await;
        for (connection, answer) in asked.into_iter().zip(answers) {
            let listed = self.found(answer);
            modules.extend(self.offer(connection, listed, &invalidation));
        }
        self.look_again_later(&invalidation);
        modules
    }

    /// A graph that is kept wouldn't see that its tools grow old: it ends with the first of
    /// them, and the next lease has them refreshed.
    fn look_again_later(&self, invalidation: &Invalidation) {
        let now_ms = self.ports.host.clock.now_ms();
        let kept = self.connections.iter().filter_map(|connection| connection.upstream.kept());
        let ends_ms = kept.map(|kept| kept.listed_ms.saturating_add(kept.fresh_ms));
        // What is old already is being refreshed.
        let soonest_ms = ends_ms.map(|ends_ms| ends_ms.max(now_ms.saturating_add(MCP_FRESHEST_MS)));
        if let Some(ends_ms) = soonest_ms.min() {
            invalidation.expire_at(&self.ports.host.clock, ends_ms);
        }
    }

    fn found(
        &self,
        answer: Result<Result<Rc<Listing>, UpstreamError>, Missed>,
    ) -> Result<Rc<Listing>, WhyUnavailable> {
        match answer {
            Ok(listed) => listed.map_err(|error| why(&error)),
            Err(Missed::TimedOut) => Err(WhyUnavailable::TimedOut { ms: self.timeout_ms }),
            Err(Missed::Panicked) => {
                Err(WhyUnavailable::Failed { evidence: "asking it panicked".to_owned() })
            }
        }
    }

    /// The module of what a server lists; without one it is reported.
    fn offer(
        &self,
        connection: &McpConnection,
        listed: Result<Rc<Listing>, WhyUnavailable>,
        invalidation: &Invalidation,
    ) -> Option<Module> {
        let McpConnection { server, upstream } = connection;
        let made = listed.and_then(|listing| {
            let changed = self.changed(connection, &listing, invalidation);
            let made = module(server, &listing, upstream, &self.ports, &changed);
            made.map_err(|error| why(&error))
        });
        match made {
            Ok(module) => Some(module),
            Err(why) => {
                self.report(connection, why);
                // One that was away once would else be away for as long as the graph is kept.
                let clock = &self.ports.host.clock;
                let again_ms = clock.now_ms().saturating_add(CONNECT_AGAIN_MS);
                invalidation.expire_at(clock, again_ms);
                None
            }
        }
    }

    fn report(&self, connection: &McpConnection, why: WhyUnavailable) {
        let (id, name) = (connection.server.id.clone(), connection.server.name.clone());
        let observer = self.on_unavailable.as_ref();
        Unavailable { id, name, why }.report("MCP server", observer, &self.ports.host);
    }

    /// What a server that says that its tools have changed makes of that.
    fn changed(
        &self,
        connection: &McpConnection,
        listing: &Rc<Listing>,
        invalidation: &Invalidation,
    ) -> Rc<dyn Fn()> {
        let (source, connection) = (self.clone(), connection.clone());
        let (listing, invalidation) = (Rc::clone(listing), invalidation.clone());
        let listed_anew = Rc::<Cell<bool>>::default();
        Rc::new(move || {
            if !listed_anew.replace(true) {
                let over = UnderWay(Rc::clone(&listed_anew));
                source.refresh(&connection, &listing, &invalidation, over);
            }
        })
    }

    fn refresh_if_old(
        &self,
        connection: &McpConnection,
        kept: &Rc<Listing>,
        invalidation: &Invalidation,
    ) {
        if kept.is_old(self.ports.host.clock.now_ms()) {
            self.refresh(connection, kept, invalidation, UnderWay::default());
        }
    }

    /// Lists a server's tools anew, while everybody goes on with those that are known.
    fn refresh(
        &self,
        connection: &McpConnection,
        kept: &Rc<Listing>,
        invalidation: &Invalidation,
        under_way: UnderWay,
    ) {
        let (listed, known) = (connection.upstream.list(true), kept.digest());
        let (name, invalidation) = (connection.server.name.clone(), invalidation.clone());
        let console = Rc::clone(&self.ports.host.console);
        let work = async move {
            let _under_way = under_way;
            match listed.await {
                Ok(listed) if listed.digest() != known => invalidation.invalidate(),
                Ok(_) => {}
                Err(error) => {
                    let kept = "those known before are offered on";
                    console.warn(&format!("the tools of MCP server {name:?}: {error}; {kept}"));
                }
            }
        };
        self.ports.host.background.spawn(work.boxed_local());
    }
}

/// A refresh that a server asked for; while it goes on no other is begun.
#[derive(Default)]
struct UnderWay(Rc<Cell<bool>>);

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.0.set(false);
    }
}

fn why(error: &UpstreamError) -> WhyUnavailable {
    match error {
        UpstreamError::SignIn { .. } => WhyUnavailable::SignIn { says: error.to_string() },
        _ => WhyUnavailable::Failed { evidence: error.to_string() },
    }
}

impl Source for McpServers {
    fn name(&self) -> Rc<str> {
        "mcp".into()
    }

    fn acquire(
        &self,
        invalidation: Invalidation,
    ) -> LocalBoxFuture<'static, Result<Snapshot, SourceError>> {
        let servers = self.clone();
        async move { Ok(Snapshot::unheld(servers.modules(invalidation).await)) }.boxed_local()
    }
}
