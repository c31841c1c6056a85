//! A host whose time the test moves, and futures that the test polls.

use std::{
    cell::{Cell, RefCell},
    future::Future,
    pin::Pin,
    rc::Rc,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll, Wake, Waker},
};

use futures::{FutureExt, channel::oneshot, future::LocalBoxFuture};
use mycelium::port::{Clock, Console, Give, Handoff, Ports, Random, Timer};

#[derive(Default)]
pub(crate) struct Host {
    now_ms: Cell<u64>,
    sleepers: RefCell<Vec<(u64, oneshot::Sender<()>)>>,
    lines: RefCell<Vec<String>>,
    background: RefCell<Vec<LocalBoxFuture<'static, ()>>>,
}

impl Host {
    pub(crate) fn ports(self: &Rc<Self>) -> Ports {
        Ports {
            clock: self.clone(),
            timer: self.clone(),
            random: self.clone(),
            handoff: self.clone(),
            console: self.clone(),
        }
    }

    /// Lets `ms` pass and wakes whoever slept for less.
    pub(crate) fn pass(&self, ms: u64) {
        self.now_ms.set(self.now_ms.get().saturating_add(ms));
        let sleepers = self.sleepers.take();
        let (due, later) = sleepers.into_iter().partition(|(at, _)| *at <= self.now_ms.get());
        self.sleepers.replace(later);
        let due: Vec<(u64, oneshot::Sender<()>)> = due;
        for (_, sleeper) in due {
            let _ = sleeper.send(());
        }
    }

    /// How many timers are running.
    pub(crate) fn timers(&self) -> usize {
        self.sleepers.borrow().iter().filter(|(_, sleeper)| !sleeper.is_canceled()).count()
    }

    /// What the operator was told.
    pub(crate) fn lines(&self) -> String {
        self.lines.borrow().join("\n")
    }

    pub(crate) fn defer(&self, future: LocalBoxFuture<'static, ()>) {
        self.background.borrow_mut().push(future);
    }

    /// Polls once what was deferred; how much of it hasn't ended.
    pub(crate) fn run_background(&self) -> usize {
        let deferred = self.background.take();
        let mut running: Vec<_> = deferred.into_iter().map(Task::new).collect();
        running.iter_mut().filter_map(|task| task.poll().is_none().then_some(())).count()
    }
}

impl Clock for Host {
    fn now_ms(&self) -> u64 {
        self.now_ms.get()
    }
}

impl Timer for Host {
    fn sleep(&self, ms: u64) -> LocalBoxFuture<'static, ()> {
        let (sleeper, woken) = oneshot::channel();
        self.sleepers.borrow_mut().push((self.now_ms.get().saturating_add(ms), sleeper));
        woken.map(drop).boxed_local()
    }
}

impl Random for Host {
    fn bits(&self) -> u64 {
        7
    }
}

impl Handoff for Host {
    fn pair(&self) -> (Give, LocalBoxFuture<'static, ()>) {
        let (sender, given) = oneshot::channel::<()>();
        let give = Give::new(Box::new(move || drop(sender)));
        (give, given.map(drop).boxed_local())
    }
}

impl Console for Host {
    fn warn(&self, line: &str) {
        self.lines.borrow_mut().push(line.to_owned());
    }
}

/// A future that is polled only when it was woken, as an executor does.
pub(crate) struct Task<T> {
    future: LocalBoxFuture<'static, T>,
    woken: Arc<Woken>,
}

struct Woken(AtomicBool);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl<T> Task<T> {
    pub(crate) fn new(future: impl Future<Output = T> + 'static) -> Self {
        Self { future: future.boxed_local(), woken: Arc::new(Woken(AtomicBool::new(true))) }
    }

    /// Goes as far as it can; its end when it has come.
    pub(crate) fn poll(&mut self) -> Option<T> {
        let waker = Waker::from(Arc::clone(&self.woken));
        while self.woken.0.swap(false, Ordering::Relaxed) {
            let future: Pin<_> = self.future.as_mut();
            if let Poll::Ready(end) = future.poll(&mut Context::from_waker(&waker)) {
                return Some(end);
            }
        }
        None
    }
}
