//! One lease's hold on a graph.

use std::rc::Rc;

use super::graphs::{Graphs, Shared};
use crate::{forage, operation::Catalog};

/// A hold on a graph, which keeps its sources acquired.
///
/// Dropped without [`release`](Self::release), it lets go in the background.
pub(crate) struct HeldGraph {
    graphs: Rc<Graphs>,
    shared: Option<Rc<Shared>>,
    catalog: Rc<Catalog>,
    forage: forage::Catalog,
}

impl HeldGraph {
    pub(super) fn new(graphs: Rc<Graphs>, shared: Rc<Shared>) -> Self {
        let catalog = Rc::clone(shared.graph.catalog());
        let forage = shared.graph.forage().clone();
        Self { graphs, shared: Some(shared), catalog, forage }
    }

    /// The operations.
    pub(crate) fn catalog(&self) -> &Rc<Catalog> {
        &self.catalog
    }

    /// The operations as discovery sees them.
    pub(crate) fn forage(&self) -> &forage::Catalog {
        &self.forage
    }

    /// Lets go, and waits for the sources when it was the last hold.
    pub(crate) async fn release(mut self) {
        if let Some(shared) = self.shared.take() {
            self.graphs.give_back(&shared).await;
        }
    }
}

impl Drop for HeldGraph {
    fn drop(&mut self) {
        if let Some(shared) = self.shared.take() {
            let graphs = Rc::clone(&self.graphs);
            let background = Rc::clone(graphs.background());
            background.spawn(Box::pin(async move { graphs.give_back(&shared).await }));
        }
    }
}
