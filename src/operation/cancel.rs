//! Ending an execution from outside, once and for one reason.

use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    fmt,
    rc::Rc,
};

use futures::{
    FutureExt,
    future::{LocalBoxFuture, select},
};

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
    parent: Option<Rc<Self>>,
}

#[derive(Default)]
struct Shared {
    cause: Option<Failure>,
    waiting: BTreeMap<u64, Give>,
    next: u64,
}

impl Cancellation {
    /// A cancellation that hasn't happened.
    #[must_use]
    pub fn new(handoff: Rc<dyn Handoff>) -> Self {
        Self { handoff, shared: Rc::default(), parent: None }
    }

    /// A cancellation that comes with this one, or earlier by itself.
    #[must_use]
    pub fn child(&self) -> Self {
        let handoff = Rc::clone(&self.handoff);
        Self { handoff, shared: Rc::default(), parent: Some(Rc::new(self.clone())) }
    }

    /// Cancels for `cause`, unless it is cancelled already.
    pub fn cancel(&self, cause: Failure) {
        // Waking runs foreign code: the borrow ends first.
        let waiting = {
            let mut shared = self.shared.borrow_mut();
            shared.cause.get_or_insert(cause);
            std::mem::take(&mut shared.waiting)
        };
        waiting.into_values().for_each(Give::give);
    }

    /// Why it was cancelled, if it was.
    #[must_use]
    pub fn cause(&self) -> Option<Failure> {
        let own = self.shared.borrow().cause.clone();
        own.or_else(|| self.parent.as_ref()?.cause())
    }

    /// Resolves when it is cancelled, to the cause.
    pub async fn cancelled(&self) -> Failure {
        loop {
            if let Some(cause) = self.cause() {
                return cause;
            }
            let (give, given) = self.handoff.pair();
            let _place = self.wait(give);
            match &self.parent {
                Some(parent) => drop(select(given, parent.cancelled_above()).await),
                None => given.await,
            }
        }
    }

    fn cancelled_above(&self) -> LocalBoxFuture<'_, Failure> {
        self.cancelled().boxed_local()
    }

    /// The side that an operation is given: it sees and can't cancel.
    #[must_use]
    pub fn signal(&self) -> Signal {
        Signal { cancellation: Some(self.clone()), watched: Rc::default() }
    }

    fn wait(&self, give: Give) -> Place<'_> {
        let mut shared = self.shared.borrow_mut();
        let number = shared.next;
        shared.next = number.wrapping_add(1);
        shared.waiting.insert(number, give);
        Place { cancellation: self, number }
    }
}

impl fmt::Debug for Cancellation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Cancellation").field("cause", &self.cause()).finish_non_exhaustive()
    }
}

/// A waiter's place; one that goes away leaves nothing behind.
struct Place<'a> {
    cancellation: &'a Cancellation,
    number: u64,
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        // Dropping the waking side wakes: not under the borrow.
        let give = self.cancellation.shared.borrow_mut().waiting.remove(&self.number);
        drop(give);
    }
}

/// Tells an operation that nobody waits for its answer any more.
///
/// An operation that looks at it is let end by itself; one that doesn't is dropped,
/// wherever it is.
///
/// It sees a cancellation and has no way to make one:
///
/// ```compile_fail
/// fn cancel(signal: mycelium::operation::Signal, cause: mycelium::Failure) {
///     signal.cancel(cause);
/// }
/// ```
#[derive(Clone, Debug, Default)]
pub struct Signal {
    cancellation: Option<Cancellation>,
    watched: Rc<Cell<bool>>,
}

impl Signal {
    /// A signal that is never given.
    #[must_use]
    pub fn never() -> Self {
        Self::default()
    }

    /// Whether the call was cancelled.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.watched.set(true);
        self.cancellation.as_ref().is_some_and(|cancellation| cancellation.cause().is_some())
    }

    /// Resolves when the call is cancelled; never, if it isn't.
    pub async fn cancelled(&self) {
        self.watched.set(true);
        match &self.cancellation {
            Some(cancellation) => {
                cancellation.cancelled().await;
            }
            None => std::future::pending().await,
        }
    }

    /// Whether anybody has looked at it.
    pub(crate) fn is_watched(&self) -> bool {
        self.watched.get()
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use futures::{FutureExt, channel::oneshot, future::LocalBoxFuture};

    use super::{Cancellation, Signal};
    use crate::{
        failure::{Failure, Party},
        port::{Give, Handoff},
    };

    struct Local;

    impl Handoff for Local {
        fn pair(&self) -> (Give, LocalBoxFuture<'static, ()>) {
            let (give, given) = oneshot::channel::<()>();
            (Give::new(Box::new(|| _ = give.send(()))), given.map(drop).boxed_local())
        }
    }

    fn cancellation() -> Cancellation {
        Cancellation::new(Rc::new(Local))
    }

    #[test]
    fn the_first_cause_stands() {
        let cancellation = cancellation();
        cancellation.cancel(Failure::Cancelled { by: Party::Host });
        cancellation.cancel(Failure::Cancelled { by: Party::Caller });
        assert_eq!(cancellation.cause(), Some(Failure::Cancelled { by: Party::Host }));
    }

    #[test]
    fn everyone_who_waits_is_woken() {
        let cancellation = cancellation();
        let signal = cancellation.signal();
        let mut one = Box::pin(signal.cancelled());
        let mut other = Box::pin(cancellation.cancelled());
        assert!(one.as_mut().now_or_never().is_none() && other.as_mut().now_or_never().is_none());
        assert!(!signal.is_cancelled());
        cancellation.cancel(Failure::Cancelled { by: Party::Caller });
        assert!(signal.is_cancelled());
        assert!(one.now_or_never().is_some() && other.now_or_never().is_some());
    }

    #[test]
    fn a_waiter_that_goes_away_leaves_nothing_behind() {
        let cancellation = cancellation();
        for _ in 0..100 {
            assert!(cancellation.cancelled().now_or_never().is_none());
        }
        assert!(cancellation.shared.borrow().waiting.is_empty());
    }

    #[test]
    fn a_signal_that_nobody_holds_is_never_given() {
        assert!(!Signal::never().is_cancelled());
        assert!(Signal::never().cancelled().now_or_never().is_none());
    }
}
