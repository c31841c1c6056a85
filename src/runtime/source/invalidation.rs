//! Saying that a snapshot is no longer what there is.

use std::{
    cell::{Cell, RefCell},
    fmt,
    rc::Rc,
};

use crate::port::Clock;

/// Marks the graph that holds a snapshot as stale. It may come during acquisition.
#[derive(Clone, Default)]
pub struct Invalidation {
    stale: Rc<Cell<bool>>,
    ends: Rc<RefCell<Option<End>>>,
}

/// A time, and the clock that tells when it has come.
struct End {
    clock: Rc<dyn Clock>,
    at_ms: u64,
}

impl Invalidation {
    /// Marks it stale; the next lease builds a new graph.
    pub fn invalidate(&self) {
        self.stale.set(true);
    }

    /// Marks it stale from `at_ms` on, in milliseconds since 1970 by `clock`; of several times
    /// the first counts. No timer waits for it: a lease looks at the clock.
    pub fn expire_at(&self, clock: &Rc<dyn Clock>, at_ms: u64) {
        let mut ends = self.ends.borrow_mut();
        if ends.as_ref().is_none_or(|end| at_ms < end.at_ms) {
            *ends = Some(End { clock: Rc::clone(clock), at_ms });
        }
    }

    pub(crate) fn is_stale(&self) -> bool {
        let ends = self.ends.borrow();
        self.stale.get() || ends.as_ref().is_some_and(|end| end.clock.now_ms() >= end.at_ms)
    }
}

impl fmt::Debug for Invalidation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Invalidation").field("stale", &self.stale).finish_non_exhaustive()
    }
}
