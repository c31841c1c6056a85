//! Tells on stderr what is being done and how long it took. Stdout is for results.

use std::time::{Duration, Instant};

use crate::failure::Failure;

/// A clock started now.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Watch(Instant);

impl Watch {
    /// Starts one.
    #[allow(
        clippy::disallowed_methods,
        reason = "this program runs natively, where there is a clock"
    )]
    pub(crate) fn start() -> Self {
        Self(Instant::now())
    }

    /// The time since it was started.
    pub(crate) fn elapsed(self) -> Duration {
        self.0.elapsed()
    }
}

/// Announces a step, does it, and says how long it took.
pub(crate) fn step<T>(name: &str, work: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    note(name);
    let watch = Watch::start();
    let result = work();
    let outcome = if result.is_ok() { "done" } else { "failed" };
    eprintln!("    {outcome} in {}", seconds(watch.elapsed()));
    result
}

/// Says that something begins or is so.
pub(crate) fn note(text: &str) {
    eprintln!("==> {text}");
}

/// A duration as people read it.
pub(crate) fn seconds(duration: Duration) -> String {
    format!("{:.1} s", duration.as_secs_f64())
}
