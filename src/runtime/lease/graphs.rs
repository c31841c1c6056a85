//! The graphs of one runtime: the current one, and its way out.

use std::{
    cell::{Cell, RefCell},
    rc::{Rc, Weak},
};

use super::{
    super::{custody::Tally, source::Source},
    graph::Graph,
    held::HeldGraph,
};
use crate::{
    failure::Failure,
    operation::Module,
    port::{Background, Console, Ports},
};

/// Builds graphs and shares them among leases.
pub(crate) struct Graphs {
    modules: Vec<Module>,
    sources: Vec<Rc<dyn Source>>,
    console: Rc<dyn Console>,
    background: Rc<dyn Background>,
    current: RefCell<Option<Rc<Shared>>>,
    snapshot_operations: usize,
    live: RefCell<Vec<Weak<Shared>>>,
    releasing: Tally,
    closed: Cell<bool>,
}

/// A graph and how many leases are on it.
pub(super) struct Shared {
    pub(super) graph: Graph,
    pub(super) leases: Cell<usize>,
}

impl Graphs {
    pub(crate) fn new(
        modules: Vec<Module>,
        sources: Vec<Rc<dyn Source>>,
        snapshot_operations: usize,
        ports: &Ports,
    ) -> Self {
        Self {
            modules,
            sources,
            console: Rc::clone(&ports.console),
            background: Rc::clone(&ports.background),
            current: RefCell::default(),
            snapshot_operations,
            live: RefCell::default(),
            releasing: Tally::new(Rc::clone(&ports.handoff)),
            closed: Cell::new(false),
        }
    }

    /// Graphs of the same modules over other sources.
    pub(super) fn over(&self, sources: Vec<Rc<dyn Source>>) -> Self {
        Self {
            modules: self.modules.clone(),
            sources,
            console: Rc::clone(&self.console),
            background: Rc::clone(&self.background),
            current: RefCell::default(),
            snapshot_operations: self.snapshot_operations,
            live: RefCell::default(),
            releasing: self.releasing.beside(),
            closed: Cell::new(false),
        }
    }

    /// Whether these are its very sources, in their order.
    pub(super) fn is_over(&self, sources: &[Rc<dyn Source>]) -> bool {
        self.sources.len() == sources.len()
            && self.sources.iter().zip(sources).all(|(own, other)| Rc::ptr_eq(own, other))
    }

    /// Whether no lease is on any of its graphs.
    pub(super) fn is_idle(&self) -> bool {
        let live = self.live.borrow();
        live.iter().filter_map(Weak::upgrade).all(|shared| shared.leases.get() == 0)
    }

    /// Gives back the graph that no lease is on.
    pub(super) async fn forget(&self) {
        let current = self.current.take();
        if let Some(current) = current {
            self.retire(&current).await;
        }
    }

    pub(super) fn background(&self) -> &Rc<dyn Background> {
        &self.background
    }

    /// The current graph, or a new one when there is none or it is stale.
    ///
    /// Nothing under way is shared: two that race both build, the first to finish
    /// stays, and the other gives its own back.
    pub(crate) async fn acquire(self: &Rc<Self>) -> Result<HeldGraph, Failure> {
        if self.closed.get() {
            return Err(Failure::RuntimeClosed {});
        }
        if let Some(current) = self.fresh() {
            return Ok(self.hold(current));
        }
        let built = self.build().await?;
        if self.closed.get() {
            built.release(&*self.console).await;
            return Err(Failure::RuntimeClosed {});
        }
        if let Some(winner) = self.fresh() {
            let held = self.hold(winner);
            built.release(&*self.console).await;
            return Ok(held);
        }
        let built = Rc::new(Shared { graph: built, leases: Cell::new(0) });
        self.remember(&built);
        // Stale at birth, it serves this lease alone: it isn't fresh for the next.
        let replaced = self.current.replace(Some(Rc::clone(&built)));
        let held = self.hold(built);
        if let Some(replaced) = replaced {
            self.retire(&replaced).await;
        }
        Ok(held)
    }

    async fn build(&self) -> Result<Graph, Failure> {
        let bound = self.snapshot_operations;
        Graph::build(&self.modules, &self.sources, bound, &*self.console).await
    }

    fn remember(&self, built: &Rc<Shared>) {
        let live = &mut self.live.borrow_mut();
        live.retain(|graph| graph.strong_count() > 0);
        live.push(Rc::downgrade(built));
    }

    /// Refuses new leases and gives every graph back, the newest first: also one that
    /// somebody still has a lease on, for nothing runs on it any more.
    pub(crate) async fn close(&self) {
        self.closed.set(true);
        self.current.take();
        let live = self.live.take();
        for shared in live.iter().rev().filter_map(Weak::upgrade) {
            self.end(&shared).await;
        }
        self.releasing.emptied().await;
    }

    fn fresh(&self) -> Option<Rc<Shared>> {
        self.current.borrow().clone().filter(|shared| !shared.graph.is_stale())
    }

    fn hold(self: &Rc<Self>, shared: Rc<Shared>) -> HeldGraph {
        shared.leases.set(shared.leases.get().saturating_add(1));
        HeldGraph::new(Rc::clone(self), shared)
    }

    /// Takes a lease's hold back; the last one's end is the end of the graph,
    /// unless it holds nothing and may serve the next.
    pub(super) async fn give_back(&self, shared: &Rc<Shared>) {
        shared.leases.set(shared.leases.get().saturating_sub(1));
        if shared.leases.get() > 0 || shared.graph.holds_nothing() {
            return;
        }
        let is_current =
            self.current.borrow().as_ref().is_some_and(|current| Rc::ptr_eq(current, shared));
        if is_current {
            self.current.take();
        }
        self.retire(shared).await;
    }

    /// Gives a graph's sources back when no lease is on it.
    async fn retire(&self, shared: &Shared) {
        if shared.leases.get() == 0 {
            self.end(shared).await;
        }
    }

    async fn end(&self, shared: &Shared) {
        let _releasing = self.releasing.enter();
        shared.graph.release(&*self.console).await;
    }
}
