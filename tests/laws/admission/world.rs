//! A host whose time, wake-ups and polls each happen only when a test says so: the
//! laws of a queue are about their order, which the kit's host decides by itself.

use std::{
    cell::{Cell, RefCell},
    pin::Pin,
    rc::Rc,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll, Waker},
};

use futures::{
    FutureExt,
    channel::oneshot,
    future::LocalBoxFuture,
    task::{ArcWake, waker},
};
use mycelium::{
    Failure,
    failure::Party,
    port::{Background, Clock, Console, Give, Handoff, Ports, Random, Timer},
    runtime::admission::{
        AdmissionOptions, AdmissionPolicy, Deadline, Permit, Semaphore,
        normalize_sandbox_admission_policy,
    },
    sandbox::Cancellation,
};

/// Time and everything that waits for it.
#[derive(Default)]
pub(crate) struct Host {
    now: Cell<u64>,
    sleepers: RefCell<Vec<(u64, Waker)>>,
    watched: RefCell<Option<Semaphore>>,
}

impl Host {
    /// Foreign code runs whenever somebody is woken: here it looks at the queue;
    /// a semaphore that still held its state borrowed would panic.
    fn look(&self) {
        if let Some(semaphore) = &*self.watched.borrow() {
            assert!(semaphore.held() as u64 <= semaphore.capacity(), "over capacity");
        }
    }
}

struct HostPort(Rc<Host>);

impl Clock for HostPort {
    fn now_ms(&self) -> u64 {
        self.0.now.get()
    }
}

impl Timer for HostPort {
    fn sleep(&self, ms: u64) -> LocalBoxFuture<'static, ()> {
        Sleep { host: Rc::clone(&self.0), due_ms: self.0.now.get() + ms }.boxed_local()
    }
}

impl Handoff for HostPort {
    fn pair(&self) -> (Give, LocalBoxFuture<'static, ()>) {
        let (sender, receiver) = oneshot::channel();
        let host = Rc::clone(&self.0);
        let wake = move || {
            host.look();
            let _ = sender.send(());
        };
        (Give::new(Box::new(wake)), receiver.map(drop).boxed_local())
    }
}

impl Random for HostPort {
    fn bits(&self) -> u64 {
        4
    }
}

impl Console for HostPort {
    fn note(&self, line: &str) {
        self.warn(line);
    }

    fn warn(&self, line: &str) {
        panic!("admission has nothing to say, and said {line}");
    }
}

impl Background for HostPort {
    fn spawn(&self, _: LocalBoxFuture<'static, ()>) {
        panic!("admission leaves nothing behind");
    }
}

struct Sleep {
    host: Rc<Host>,
    due_ms: u64,
}

impl Future for Sleep {
    type Output = ();

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        if self.host.now.get() >= self.due_ms {
            return Poll::Ready(());
        }
        self.host.sleepers.borrow_mut().push((self.due_ms, context.waker().clone()));
        Poll::Pending
    }
}

/// One host with one semaphore.
pub(crate) struct World {
    host: Rc<Host>,
    pub(crate) semaphore: Semaphore,
}

impl World {
    pub(crate) fn new(capacity: u64, wait_ms: Option<u64>) -> Self {
        Self::of(policy(capacity, wait_ms))
    }

    pub(crate) fn of(policy: AdmissionPolicy) -> Self {
        let host = Rc::new(Host::default());
        let semaphore = Semaphore::new(policy, &ports(&host));
        *host.watched.borrow_mut() = Some(semaphore.clone());
        Self { host, semaphore }
    }

    pub(crate) fn now_ms(&self) -> u64 {
        self.host.now.get()
    }

    /// Time passes, and no timer has fired yet.
    pub(crate) fn pass(&self, ms: u64) {
        self.host.now.set(self.host.now.get() + ms);
    }

    /// The timers fire that are due.
    pub(crate) fn fire(&self) {
        let now_ms = self.now_ms();
        let sleepers = self.host.sleepers.take();
        let (due, later): (Vec<_>, Vec<_>) =
            sleepers.into_iter().partition(|(due_ms, _)| *due_ms <= now_ms);
        self.host.sleepers.borrow_mut().extend(later);
        due.into_iter().for_each(|(_, waker)| waker.wake());
    }

    /// A caller that arrives now; it has its place once it is polled.
    pub(crate) fn caller(&self, timeout_ms: u64) -> Caller {
        self.caller_since(self.now_ms(), timeout_ms)
    }

    /// A caller whose invocation began earlier.
    pub(crate) fn caller_since(&self, began_ms: u64, timeout_ms: u64) -> Caller {
        let deadline = Deadline::new(began_ms, timeout_ms);
        let cancellation = Cancellation::new(Rc::new(HostPort(Rc::clone(&self.host))));
        let (semaphore, cancelled) = (self.semaphore.clone(), cancellation.clone());
        let future = async move { semaphore.acquire(deadline, &cancelled).await };
        Caller { deadline, cancellation, woken: Woken::yes(), stage: Stage::Asks(Box::pin(future)) }
    }

    /// A caller that has been polled once.
    pub(crate) fn arrived(&self, timeout_ms: u64) -> Caller {
        let mut caller = self.caller(timeout_ms);
        caller.poll();
        caller
    }
}

impl Drop for World {
    fn drop(&mut self) {
        // The semaphore's ports are the host: one must let go first.
        self.host.watched.take();
    }
}

pub(crate) fn policy(capacity: u64, wait_ms: Option<u64>) -> AdmissionPolicy {
    let options = AdmissionOptions { sandbox_capacity: Some(capacity), admission_wait_ms: wait_ms };
    normalize_sandbox_admission_policy(&options, None).expect("a policy")
}

fn ports(host: &Rc<Host>) -> Ports {
    let port = || Rc::new(HostPort(Rc::clone(host)));
    Ports {
        clock: port(),
        timer: port(),
        random: port(),
        handoff: port(),
        console: port(),
        background: port(),
    }
}

/// One that asks for a permit.
pub(crate) struct Caller {
    pub(crate) deadline: Deadline,
    cancellation: Cancellation,
    woken: Arc<Woken>,
    stage: Stage,
}

enum Stage {
    Asks(LocalBoxFuture<'static, Result<Permit, Failure>>),
    Holds(Permit),
    Gone(Option<Failure>),
}

impl Caller {
    /// Polls it if it was woken: what came of it, none while it waits.
    pub(crate) fn poll(&mut self) -> Option<Result<(), Failure>> {
        let Stage::Asks(future) = &mut self.stage else { return self.state() };
        if !self.woken.0.swap(false, Ordering::Relaxed) {
            return None;
        }
        let waker = waker(Arc::clone(&self.woken));
        if let Poll::Ready(ended) = future.poll_unpin(&mut Context::from_waker(&waker)) {
            self.stage = match ended {
                Ok(permit) => Stage::Holds(permit),
                Err(failure) => Stage::Gone(Some(failure)),
            };
        }
        self.state()
    }

    fn state(&self) -> Option<Result<(), Failure>> {
        match &self.stage {
            Stage::Asks(_) => None,
            Stage::Holds(_) => Some(Ok(())),
            Stage::Gone(failure) => failure.clone().map(Err),
        }
    }

    pub(crate) fn is_woken(&self) -> bool {
        matches!(self.stage, Stage::Asks(_)) && self.woken.0.load(Ordering::Relaxed)
    }

    pub(crate) fn asks(&self) -> bool {
        matches!(self.stage, Stage::Asks(_))
    }

    pub(crate) fn holds(&self) -> bool {
        matches!(self.stage, Stage::Holds(_))
    }

    pub(crate) fn cancel(&self) {
        self.cancellation.cancel(Failure::Cancelled { by: Party::Caller });
    }

    /// Its work settles, or whoever waited for it goes away.
    pub(crate) fn leave(&mut self) {
        self.stage = Stage::Gone(None);
        self.woken = Woken::yes();
    }

    /// The platform refuses to load its program.
    pub(crate) fn requeue(&mut self) {
        let Stage::Holds(permit) = std::mem::replace(&mut self.stage, Stage::Gone(None)) else {
            panic!("only a holder is refused by the platform");
        };
        let cancellation = self.cancellation.clone();
        self.stage = Stage::Asks(Box::pin(async move { permit.requeue(&cancellation).await }));
        self.woken = Woken::yes();
    }
}

struct Woken(AtomicBool);

impl Woken {
    fn yes() -> Arc<Self> {
        Arc::new(Self(AtomicBool::new(true)))
    }
}

impl ArcWake for Woken {
    fn wake_by_ref(this: &Arc<Self>) {
        this.0.store(true, Ordering::Relaxed);
    }
}
