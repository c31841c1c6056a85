//! How many are at work.

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};

use crate::port::{Give, Handoff};

/// Counts who has entered and not left.
#[derive(Clone)]
pub(crate) struct Tally {
    shared: Rc<Shared>,
}

struct Shared {
    handoff: Rc<dyn Handoff>,
    present: Cell<usize>,
    waiting: RefCell<Vec<Give>>,
}

/// One who has entered; leaving is its drop.
pub(crate) struct Entered {
    shared: Rc<Shared>,
}

impl Tally {
    /// A tally of nobody.
    pub(crate) fn new(handoff: Rc<dyn Handoff>) -> Self {
        let shared = Shared { handoff, present: Cell::new(0), waiting: RefCell::default() };
        Self { shared: Rc::new(shared) }
    }

    /// Another tally of nobody, on the same host.
    pub(crate) fn beside(&self) -> Self {
        Self::new(Rc::clone(&self.shared.handoff))
    }

    /// Enters.
    pub(crate) fn enter(&self) -> Entered {
        self.shared.present.set(self.shared.present.get().saturating_add(1));
        Entered { shared: Rc::clone(&self.shared) }
    }

    /// Resolves when nobody is in.
    pub(crate) async fn emptied(&self) {
        while self.shared.present.get() > 0 {
            let (give, given) = self.shared.handoff.pair();
            self.shared.waiting.borrow_mut().push(give);
            given.await;
        }
    }
}

impl Drop for Entered {
    fn drop(&mut self) {
        let present = self.shared.present.get().saturating_sub(1);
        self.shared.present.set(present);
        if present == 0 {
            // Waking runs foreign code: the borrow ends first.
            let waiting = self.shared.waiting.take();
            waiting.into_iter().for_each(Give::give);
        }
    }
}
