//! Ending an execution from outside, once and for one reason.

use std::{cell::RefCell, rc::Rc};

use crate::{
    failure::Failure,
    port::{Give, Handoff},
};

/// A cancellation that any number of clones share.
///
/// The first cause stands; later ones change nothing. It may be cancelled from
/// another request than the one that waits.
#[derive(Clone)]
pub struct Cancellation {
    handoff: Rc<dyn Handoff>,
    shared: Rc<RefCell<Shared>>,
}

#[derive(Default)]
struct Shared {
    cause: Option<Failure>,
    waiting: Vec<Give>,
}

impl Cancellation {
    /// A cancellation that hasn't happened.
    #[must_use]
    pub fn new(handoff: Rc<dyn Handoff>) -> Self {
        Self { handoff, shared: Rc::default() }
    }

    /// Cancels for `cause`, unless it is cancelled already.
    pub fn cancel(&self, cause: Failure) {
        // Waking runs foreign code: the borrow ends first.
        let waiting = {
            let mut shared = self.shared.borrow_mut();
            shared.cause.get_or_insert(cause);
            std::mem::take(&mut shared.waiting)
        };
        waiting.into_iter().for_each(Give::give);
    }

    /// Why it was cancelled, if it was.
    #[must_use]
    pub fn cause(&self) -> Option<Failure> {
        self.shared.borrow().cause.clone()
    }

    /// Resolves when it is cancelled, to the cause.
    pub async fn cancelled(&self) -> Failure {
        loop {
            if let Some(cause) = self.cause() {
                return cause;
            }
            let (give, given) = self.handoff.pair();
            self.shared.borrow_mut().waiting.push(give);
            given.await;
        }
    }
}
