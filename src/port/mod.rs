//! Facts of the host that differ between the Worker and a native test.
//!
//! Owns the traits and nothing else. The Worker's implementations are in
//! `workers::ports`. Futures here belong to one thread and aren't `Send`.

mod background;
mod handoff;
mod storage;

use std::rc::Rc;

use futures::future::LocalBoxFuture;

pub use background::Background;
pub use handoff::{Give, Handoff};
pub use storage::{Storage, StorageError};

/// The time.
pub trait Clock {
    /// Milliseconds since 1970; in the Worker it stands still while code computes.
    fn now_ms(&self) -> u64;
}

/// Waiting.
pub trait Timer {
    /// Resolves after `ms` milliseconds; dropping it forgets the timer.
    fn sleep(&self, ms: u64) -> LocalBoxFuture<'static, ()>;
}

/// Random bits that nobody outside can guess.
pub trait Random {
    /// 64 fresh bits.
    fn bits(&self) -> u64;
}

/// The operator's log.
pub trait Console {
    /// Writes one line that the operator should see.
    fn warn(&self, line: &str);
}

/// The ports that a runtime needs.
#[derive(Clone)]
pub struct Ports {
    /// The time.
    pub clock: Rc<dyn Clock>,
    /// Waiting.
    pub timer: Rc<dyn Timer>,
    /// Random bits.
    pub random: Rc<dyn Random>,
    /// Waking one another across requests.
    pub handoff: Rc<dyn Handoff>,
    /// The operator's log.
    pub console: Rc<dyn Console>,
    /// Work that outlives its caller.
    pub background: Rc<dyn Background>,
}

impl Ports {
    /// A fresh name of 128 random bits as 32 hexadecimal digits.
    #[must_use]
    pub fn name(&self) -> String {
        format!("{:016x}{:016x}", self.random.bits(), self.random.bits())
    }
}
