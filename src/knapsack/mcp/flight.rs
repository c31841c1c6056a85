//! Doing once what many want at the same time.

use std::{
    cell::{Cell, RefCell},
    panic::AssertUnwindSafe,
    rc::Rc,
};

use futures::{
    FutureExt,
    future::{AbortHandle, LocalBoxFuture, abortable},
};

use crate::port::{Background, Give, Handoff, Ports};

/// Work of one kind, of which only one is under way at a time.
///
/// Whoever comes while it is waits for its end and gets the same. It goes on while anybody
/// waits, and is given up with the last, unless it has to come to its end.
pub(super) struct Flight<T> {
    ride: RefCell<Option<Rc<Ride<T>>>>,
    handoff: Rc<dyn Handoff>,
    background: Rc<dyn Background>,
    ends: bool,
}

struct Ride<T> {
    /// What came of it, once something has; nothing if it panicked.
    landed: RefCell<Option<Option<T>>>,
    waiting: RefCell<Vec<Give>>,
    passengers: Cell<usize>,
    abort: AbortHandle,
}

impl<T: Clone + 'static> Flight<T> {
    pub(super) fn new(ports: &Ports) -> Self {
        let (handoff, background) = (Rc::clone(&ports.handoff), Rc::clone(&ports.background));
        Self { ride: RefCell::default(), handoff, background, ends: false }
    }

    /// Work that comes to its end though nobody waits: what it spends can't be spent again.
    pub(super) fn to_its_end(ports: &Ports) -> Self {
        Self { ends: true, ..Self::new(ports) }
    }

    /// What `work` comes to, or what the work does that is under way; none when it panicked.
    pub(super) async fn join(
        &self,
        work: impl FnOnce() -> LocalBoxFuture<'static, T>,
    ) -> Option<T> {
        let current = self.ride.borrow().clone();
        let current = current.filter(|ride| ride.landed.borrow().is_none());
        let ride = current.unwrap_or_else(|| self.start(work()));
        let _passenger = (!self.ends).then(|| Passenger::of(&ride));
        loop {
            let landed = ride.landed.borrow().clone();
            if let Some(landed) = landed {
                return landed;
            }
            let (give, given) = self.handoff.pair();
            ride.waiting.borrow_mut().push(give);
            given.await;
        }
    }

    fn start(&self, work: LocalBoxFuture<'static, T>) -> Rc<Ride<T>> {
        let (work, abort) = abortable(AssertUnwindSafe(work).catch_unwind());
        let ride = Rc::new(Ride {
            landed: RefCell::default(),
            waiting: RefCell::default(),
            passengers: Cell::new(0),
            abort,
        });
        self.ride.replace(Some(Rc::clone(&ride)));
        let flown = Rc::clone(&ride);
        let flight = async move {
            let end = work.await.ok().and_then(Result::ok);
            flown.land(end);
        };
        self.background.spawn(flight.boxed_local());
        ride
    }
}

impl<T> Ride<T> {
    fn land(&self, end: Option<T>) {
        self.landed.borrow_mut().get_or_insert(end);
        // Waking runs foreign code: the borrow ends first.
        let waiting = self.waiting.take();
        waiting.into_iter().for_each(Give::give);
    }
}

/// One who waits; with the last of them the work is given up.
struct Passenger<T>(Rc<Ride<T>>);

impl<T> Passenger<T> {
    fn of(ride: &Rc<Ride<T>>) -> Self {
        ride.passengers.set(ride.passengers.get().saturating_add(1));
        Self(Rc::clone(ride))
    }
}

impl<T> Drop for Passenger<T> {
    fn drop(&mut self) {
        let left = self.0.passengers.get().saturating_sub(1);
        self.0.passengers.set(left);
        if left == 0 && self.0.landed.borrow().is_none() {
            self.0.land(None);
            self.0.abort.abort();
        }
    }
}
