//! A time that moves when a test moves it.

use std::cell::{Cell, RefCell};

use futures::{FutureExt, channel::oneshot, future::LocalBoxFuture};

use crate::port::{Clock, Timer};

/// The time of a test, and those who sleep in it.
#[derive(Default)]
pub struct Time {
    now_ms: Cell<u64>,
    sleepers: RefCell<Vec<(u64, oneshot::Sender<()>)>>,
}

impl Time {
    /// Lets `ms` pass and wakes everyone whose time has come.
    pub fn pass(&self, ms: u64) {
        let now_ms = self.now_ms.get().saturating_add(ms);
        self.now_ms.set(now_ms);
        // Waking runs foreign code: the borrow ends first.
        let due: Vec<_> =
            self.sleepers.borrow_mut().extract_if(.., |(at_ms, _)| *at_ms <= now_ms).collect();
        for (_, sleeper) in due {
            // A sleeper that was dropped needs no waking.
            let _ = sleeper.send(());
        }
    }

    /// How many wait for a time that hasn't come.
    #[must_use]
    pub fn sleepers(&self) -> usize {
        self.sleepers.borrow().iter().filter(|(_, sleeper)| !sleeper.is_canceled()).count()
    }

    /// How long until the next sleeper's time comes; none when nobody sleeps.
    #[must_use]
    pub fn next_ms(&self) -> Option<u64> {
        let sleepers = self.sleepers.borrow();
        let awake = sleepers.iter().filter(|(_, sleeper)| !sleeper.is_canceled());
        awake.map(|(at_ms, _)| at_ms.saturating_sub(self.now_ms.get())).min()
    }
}

impl Clock for Time {
    fn now_ms(&self) -> u64 {
        self.now_ms.get()
    }
}

impl Timer for Time {
    fn sleep(&self, ms: u64) -> LocalBoxFuture<'static, ()> {
        let (wake, woken) = oneshot::channel();
        let at_ms = self.now_ms.get().saturating_add(ms);
        self.sleepers.borrow_mut().push((at_ms, wake));
        if ms == 0 {
            self.pass(0);
        }
        woken.map(drop).boxed_local()
    }
}
