//! One pen at a time for each execution.
//!
//! A pen runs under the permit of the program that called it, so a program with many calls
//! under way has one isolate more than itself, and no more.

use std::{cell::RefCell, collections::BTreeMap, rc::Rc};

use crate::port::{Give, Handoff};

/// The turns of all executions of one runtime.
#[derive(Clone)]
pub(in crate::pen) struct Turns {
    handoff: Rc<dyn Handoff>,
    /// Who waits, by the execution whose turn is taken.
    taken: Rc<RefCell<BTreeMap<String, Vec<Give>>>>,
}

impl Turns {
    pub(in crate::pen) fn new(handoff: Rc<dyn Handoff>) -> Self {
        Self { handoff, taken: Rc::default() }
    }

    /// Waits until no other pen of this execution runs.
    pub(in crate::pen) async fn take(&self, execution: &str) -> Turn {
        while let Some(given) = self.wait(execution) {
            given.await;
        }
        Turn { turns: self.clone(), execution: execution.to_owned() }
    }

    /// Takes the turn, or a place among those who wait for it.
    fn wait(&self, execution: &str) -> Option<futures::future::LocalBoxFuture<'static, ()>> {
        let mut taken = self.taken.borrow_mut();
        let Some(waiting) = taken.get_mut(execution) else {
            taken.insert(execution.to_owned(), Vec::new());
            return None;
        };
        let (give, given) = self.handoff.pair();
        waiting.push(give);
        Some(given)
    }
}

/// A turn; dropping it wakes everyone who waits, one of whom takes the next.
pub(in crate::pen) struct Turn {
    turns: Turns,
    execution: String,
}

impl Drop for Turn {
    fn drop(&mut self) {
        // Waking runs foreign code: the borrow ends first.
        let waiting = self.turns.taken.borrow_mut().remove(&self.execution);
        waiting.into_iter().flatten().for_each(Give::give);
    }
}
