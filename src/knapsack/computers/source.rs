//! All computers of a list, as far as they answer.

use std::{collections::BTreeSet, rc::Rc};

use futures::{FutureExt, future::LocalBoxFuture};

use super::{ComputerList, Unavailable, UnavailableObserver, WhyUnavailable};
use crate::{
    knapsack::{
        computer::{Connection, described},
        slots::{Missed, in_slots},
    },
    limits::{CONNECT_AGAIN_MS, CONNECT_MS},
    operation::Module,
    port::Ports,
    runtime::{Invalidation, Snapshot, Source, SourceError},
};

/// A source of every computer in a list that says in time, and usably, what it can do.
///
/// The others are left out with their files, told to the observer, and asked again by a
/// lease that comes [`CONNECT_AGAIN_MS`] later.
#[derive(Clone)]
pub struct Computers {
    list: ComputerList,
    ports: Ports,
    timeout_ms: u64,
    on_unavailable: Option<Rc<dyn UnavailableObserver>>,
}

impl Computers {
    /// The computers of `list`, each with [`CONNECT_MS`] to describe itself.
    #[must_use]
    pub fn new(list: ComputerList, ports: Ports) -> Self {
        Self { list, ports, timeout_ms: CONNECT_MS, on_unavailable: None }
    }

    /// Gives each computer this many milliseconds, from when it is its turn.
    #[must_use]
    pub fn timeout_ms(mut self, ms: u64) -> Self {
        self.timeout_ms = ms;
        self
    }

    /// Tells `observer` of every computer that is left out.
    #[must_use]
    pub fn on_unavailable(mut self, observer: Rc<dyn UnavailableObserver>) -> Self {
        self.on_unavailable = Some(observer);
        self
    }

    async fn modules(self, invalidation: Invalidation) -> Vec<Module> {
        let connections = self.list.capture(invalidation.clone());
        let (connections, twice) = distinct(connections);
        let mut missing: Vec<_> =
            twice.into_iter().map(|twice| (twice, WhyUnavailable::TwiceInList)).collect();
        let jobs = connections.iter().map(described).collect();
        let timer = Rc::clone(&self.ports.timer);
        let answers = in_slots(timer, self.timeout_ms, jobs).await;
        let mut modules = Vec::new();
        for (connection, answer) in connections.into_iter().zip(answers) {
            match self.found(answer) {
                Ok(module) => modules.push(module),
                Err(why) => missing.push((connection, why)),
            }
        }
        if missing.iter().any(|(_, why)| *why != WhyUnavailable::TwiceInList) {
            self.ask_again_later(&invalidation);
        }
        for (connection, why) in missing {
            let (id, name) = (connection.id().to_owned(), connection.name().to_owned());
            Unavailable { id, name, why }.report(
                "computer",
                self.on_unavailable.as_ref(),
                &self.ports,
            );
        }
        modules
    }

    fn found(
        &self,
        answer: Result<Result<Module, String>, Missed>,
    ) -> Result<Module, WhyUnavailable> {
        match answer {
            Ok(module) => module.map_err(|evidence| WhyUnavailable::Failed { evidence }),
            Err(Missed::TimedOut) => Err(WhyUnavailable::TimedOut { ms: self.timeout_ms }),
            Err(Missed::Panicked) => {
                Err(WhyUnavailable::Failed { evidence: "its provider panicked".to_owned() })
            }
        }
    }

    /// A computer that was away once would else be away for as long as the list is the same.
    fn ask_again_later(&self, invalidation: &Invalidation) {
        let clock = &self.ports.clock;
        invalidation.expire_at(clock, clock.now_ms().saturating_add(CONNECT_AGAIN_MS));
    }
}

/// The first of each id, and the rest.
fn distinct(connections: Vec<Connection>) -> (Vec<Connection>, Vec<Connection>) {
    let mut ids = BTreeSet::new();
    connections.into_iter().partition(|connection| ids.insert(connection.id().to_owned()))
}

impl Source for Computers {
    fn name(&self) -> Rc<str> {
        "computers".into()
    }

    fn acquire(
        &self,
        invalidation: Invalidation,
    ) -> LocalBoxFuture<'static, Result<Snapshot, SourceError>> {
        let computers = self.clone();
        async move { Ok(Snapshot::unheld(computers.modules(invalidation).await)) }.boxed_local()
    }
}
