//! Saying that a snapshot is no longer what there is.

use std::{cell::Cell, rc::Rc};

/// Marks the graph that holds a snapshot as stale. It may come during acquisition.
#[derive(Clone, Debug, Default)]
pub struct Invalidation {
    stale: Rc<Cell<bool>>,
}

impl Invalidation {
    /// Marks it stale; the next lease builds a new graph.
    pub fn invalidate(&self) {
        self.stale.set(true);
    }

    pub(crate) fn is_stale(&self) -> bool {
        self.stale.get()
    }
}
