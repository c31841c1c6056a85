//! The list that the host owns and changes.

use std::{cell::RefCell, fmt, rc::Rc};

use crate::{knapsack::computer::Connection, runtime::Invalidation};

/// The computers there are now. Clones are the same list.
#[derive(Clone, Default)]
pub struct ComputerList {
    shared: Rc<RefCell<Shared>>,
}

#[derive(Default)]
struct Shared {
    connections: Vec<Connection>,
    captured: Vec<Invalidation>,
}

impl ComputerList {
    /// A list of `connections`.
    #[must_use]
    pub fn new(connections: Vec<Connection>) -> Self {
        let list = Self::default();
        list.set(connections);
        list
    }

    /// Replaces the list. What was captured of it is stale from now on: the next lease
    /// asks the computers anew, and a lease that exists keeps what it has.
    pub fn set(&self, connections: Vec<Connection>) {
        let mut shared = self.shared.borrow_mut();
        shared.connections = connections;
        shared.captured.drain(..).for_each(|captured| captured.invalidate());
    }

    /// The computers now, and a note that somebody has them.
    pub(super) fn capture(&self, invalidation: Invalidation) -> Vec<Connection> {
        let mut shared = self.shared.borrow_mut();
        shared.captured.retain(|captured| !captured.is_stale());
        shared.captured.push(invalidation);
        shared.connections.clone()
    }
}

impl fmt::Debug for ComputerList {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_list().entries(&self.shared.borrow().connections).finish()
    }
}
