//! Facts of the host that differ between the Worker and a native test.
//!
//! Owns the traits and nothing else. The Worker's implementations are in
//! `workers::ports`. Futures here belong to one thread and aren't `Send`.

mod background;
pub mod fetch;
mod handoff;
mod secrets;
mod storage;

use std::{future::Future, rc::Rc};

use futures::future::{Either, LocalBoxFuture, select};

pub use background::Background;
pub use fetch::Fetch;
pub use handoff::{Give, Handoff};
pub use secrets::Secrets;
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

/// Does `work` within `ms` milliseconds; none when it took longer, and then it was dropped.
pub async fn within<T>(timer: &dyn Timer, ms: u64, work: impl Future<Output = T>) -> Option<T> {
    // The work is looked at first: an end in time counts, however late it is seen.
    match select(Box::pin(work), timer.sleep(ms)).await {
        Either::Left((end, _)) => Some(end),
        Either::Right(((), _)) => None,
    }
}

/// Random bits that nobody outside can guess.
pub trait Random {
    /// 64 fresh bits.
    fn bits(&self) -> u64;
}

/// The operator's log.
pub trait Console {
    /// Writes one line of what is written down of everything.
    fn note(&self, line: &str);

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
