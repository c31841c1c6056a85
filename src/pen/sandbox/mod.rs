//! Where a pen's program runs, and what it reaches there.
//!
//! Owns what is bound to a pen and the fence around it: whatever is not allowed is there all
//! the same, refuses, and notes the attempt, so that a program which catches the refusal has
//! not hidden it. The isolate, its time and its frames are the runtime's and the sandbox's: a
//! pen's program runs in a runtime of its own, which has no pen in it.
//!
//! Spec: 002, §1 `sandbox`, §2 `execution`, §6 `MPP-E002`, `MPP-E004`, `MPP-E005`.

mod bound;
mod fence;
mod isolates;
mod known;
mod run;
mod tmp;
mod turns;

use std::{cell::RefCell, rc::Rc};

pub(super) use bound::{Bound, Owned, Refused};
pub use isolates::{Isolates, Outbound};
pub(super) use run::{Program, Ran, run};
pub(super) use turns::Turns;

use crate::limits::PEN_ATTEMPTS;

/// What a program has tried that it may not.
#[derive(Clone, Debug, Default)]
pub(super) struct Attempts(Rc<RefCell<Vec<String>>>);

impl Attempts {
    /// Notes an attempt, as often as there is room.
    pub(super) fn note(&self, attempt: String) {
        let mut noted = self.0.borrow_mut();
        if noted.len() < PEN_ATTEMPTS && !noted.contains(&attempt) {
            noted.push(attempt);
        }
    }

    /// What was noted.
    pub(super) fn noted(&self) -> Vec<String> {
        self.0.borrow().clone()
    }
}
