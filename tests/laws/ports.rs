//! The host's facts, as a test wants them.

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};

use futures::{FutureExt, channel::oneshot, future::LocalBoxFuture};
use mycelium::port::{Clock, Console, Give, Handoff, Ports, Random, Timer};

/// A time that stands still until it is moved.
#[derive(Default)]
pub(crate) struct Time {
    now: Cell<u64>,
    sleepers: RefCell<Vec<(u64, oneshot::Sender<()>)>>,
}

impl Time {
    /// Moves the time and wakes everyone whose time has come.
    pub(crate) fn advance(&self, ms: u64) {
        let now = self.now.get() + ms;
        self.now.set(now);
        let due: Vec<_> = self.sleepers.borrow_mut().extract_if(.., |(at, _)| *at <= now).collect();
        for (_, sleeper) in due {
            // A sleeper that was dropped needs no waking.
            let _ = sleeper.send(());
        }
    }

    /// How many wait for a time that hasn't come.
    pub(crate) fn sleepers(&self) -> usize {
        self.sleepers.borrow().iter().filter(|(_, sleeper)| !sleeper.is_canceled()).count()
    }
}

impl Clock for Time {
    fn now_ms(&self) -> u64 {
        self.now.get()
    }
}

impl Timer for Time {
    fn sleep(&self, ms: u64) -> LocalBoxFuture<'static, ()> {
        let (wake, woken) = oneshot::channel();
        self.sleepers.borrow_mut().push((self.now.get() + ms, wake));
        woken.map(drop).boxed_local()
    }
}

/// 1, 2, 3, …
#[derive(Default)]
pub(crate) struct Counting(Cell<u64>);

impl Random for Counting {
    fn bits(&self) -> u64 {
        self.0.set(self.0.get() + 1);
        self.0.get()
    }
}

struct Oneshot;

impl Handoff for Oneshot {
    fn pair(&self) -> (Give, LocalBoxFuture<'static, ()>) {
        let (wake, woken) = oneshot::channel();
        let give = Give::new(Box::new(move || {
            let _ = wake.send(());
        }));
        (give, woken.map(drop).boxed_local())
    }
}

/// The operator's log.
#[derive(Default)]
pub(crate) struct Log(RefCell<Vec<String>>);

impl Log {
    pub(crate) fn lines(&self) -> Vec<String> {
        self.0.borrow().clone()
    }
}

impl Console for Log {
    fn warn(&self, line: &str) {
        self.0.borrow_mut().push(line.to_owned());
    }
}

/// The ports over a time and a log.
pub(crate) fn ports(time: &Rc<Time>, log: &Rc<Log>) -> Ports {
    Ports {
        clock: time.clone(),
        timer: time.clone(),
        random: Rc::new(Counting::default()),
        handoff: Rc::new(Oneshot),
        console: log.clone(),
    }
}
