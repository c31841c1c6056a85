//! Something that happens once.

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};

use crate::port::{Give, Handoff};

/// Opens once and stays open; any number may wait for it.
pub(crate) struct Latch {
    handoff: Rc<dyn Handoff>,
    open: Cell<bool>,
    waiting: RefCell<Vec<Give>>,
}

impl Latch {
    /// A latch that is shut.
    pub(crate) fn new(handoff: Rc<dyn Handoff>) -> Self {
        Self { handoff, open: Cell::new(false), waiting: RefCell::default() }
    }

    /// Opens it; opening it again changes nothing.
    pub(crate) fn open(&self) {
        self.open.set(true);
        // Waking runs foreign code: the borrow ends first.
        let waiting = self.waiting.take();
        waiting.into_iter().for_each(Give::give);
    }

    /// Whether it is open.
    pub(crate) fn is_open(&self) -> bool {
        self.open.get()
    }

    /// Resolves when it is open.
    pub(crate) async fn opened(&self) {
        while !self.is_open() {
            let (give, given) = self.handoff.pair();
            self.waiting.borrow_mut().push(give);
            given.await;
        }
    }
}
