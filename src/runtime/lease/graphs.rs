//! The graphs of one runtime: the current one, and its way out.

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};

use super::{super::source::Source, graph::Graph, held::HeldGraph};
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
    closed: Cell<bool>,
}

/// A graph and how many leases are on it.
pub(super) struct Shared {
    pub(super) graph: Graph,
    pub(super) leases: Cell<usize>,
}

impl Graphs {
    pub(crate) fn new(modules: Vec<Module>, sources: Vec<Rc<dyn Source>>, ports: &Ports) -> Self {
        Self {
            modules,
            sources,
            console: Rc::clone(&ports.console),
            background: Rc::clone(&ports.background),
            current: RefCell::default(),
            closed: Cell::new(false),
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
        let built = Graph::build(&self.modules, &self.sources, &*self.console).await?;
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
        // Stale at birth, it serves this lease and no other.
        let replaced = if built.graph.is_stale() {
            None
        } else {
            self.current.replace(Some(Rc::clone(&built)))
        };
        let held = self.hold(built);
        if let Some(replaced) = replaced {
            self.retire(&replaced).await;
        }
        Ok(held)
    }

    /// Refuses new leases and gives back the graph that nobody is on.
    pub(crate) async fn close(&self) {
        self.closed.set(true);
        let current = self.current.take();
        if let Some(current) = current {
            self.retire(&current).await;
        }
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
            shared.graph.release(&*self.console).await;
        }
    }
}
