//! Waking a sleeper that another request may have put to sleep.
//!
//! A Rust waker runs the sleeper in the waker's own request, which the platform
//! forbids as soon as the sleeper touches what belongs to its own. A hand-over
//! wakes the sleeper where it slept.

use futures::future::LocalBoxFuture;

/// The waking side of one hand-over: it wakes when it is given, and when it is dropped.
///
/// A woken sleeper looks for itself whether what it waits for has come.
pub struct Give(Option<Box<dyn FnOnce()>>);

impl Give {
    /// A waking side that wakes by calling `wake`, once.
    #[must_use]
    pub fn new(wake: Box<dyn FnOnce()>) -> Self {
        Self(Some(wake))
    }

    /// Wakes the sleeper.
    pub fn give(self) {
        drop(self);
    }
}

impl Drop for Give {
    fn drop(&mut self) {
        if let Some(wake) = self.0.take() {
            wake();
        }
    }
}

/// Makes pairs of a waking and a sleeping side.
pub trait Handoff {
    /// One pair: giving the first resolves the second.
    fn pair(&self) -> (Give, LocalBoxFuture<'static, ()>);
}
