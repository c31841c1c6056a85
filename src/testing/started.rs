//! A future under way.

use std::{cell::RefCell, fmt, future::poll_fn, rc::Rc, task::Poll};

use futures::{FutureExt, channel::oneshot, future::LocalBoxFuture};

use super::Host;

/// A future that a [`Host`] runs.
///
/// Dropping it drops the future, as a caller does who goes away.
#[must_use = "dropping it drops the future"]
pub struct Started<T> {
    host: Host,
    ended: oneshot::Receiver<T>,
    /// The one strong hold on the future.
    _work: Rc<RefCell<Option<LocalBoxFuture<'static, ()>>>>,
}

impl<T: 'static> Started<T> {
    /// The handle, and what its host has to run.
    pub(super) fn new(
        host: &Host,
        work: impl Future<Output = T> + 'static,
    ) -> (Self, LocalBoxFuture<'static, ()>) {
        let (send, ended) = oneshot::channel();
        let work = work.map(|end| {
            // Nobody may be asking for the end.
            let _ = send.send(end);
        });
        let held = Rc::new(RefCell::new(Some(work.boxed_local())));
        let seen = Rc::downgrade(&held);
        let running = poll_fn(move |context| {
            let Some(held) = seen.upgrade() else { return Poll::Ready(()) };
            // Out of its place while it runs: it may drop its own handle.
            let Some(mut work) = held.take() else { return Poll::Ready(()) };
            let polled = work.poll_unpin(context);
            if polled.is_pending() {
                held.replace(Some(work));
            }
            polled
        });
        (Self { host: host.clone(), ended, _work: held }, running.boxed_local())
    }

    /// Lets everything run that can; then what the future came to, if it has. It is
    /// given out once.
    pub fn end(&mut self) -> Option<T> {
        self.host.settle();
        self.ended.try_recv().ok().flatten()
    }
}

impl<T> fmt::Debug for Started<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Started").finish_non_exhaustive()
    }
}
