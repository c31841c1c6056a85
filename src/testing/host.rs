//! A host on one thread, whose time a test moves.

use std::{
    cell::{Cell, RefCell},
    future::Future,
    rc::Rc,
};

use futures::{
    FutureExt,
    channel::oneshot,
    executor::{LocalPool, LocalSpawner},
    future::LocalBoxFuture,
    task::LocalSpawnExt,
};

use super::{Started, Time};
use crate::{
    operation::Module,
    port::{Background, Clock, Console, Give, Handoff, Ports, Random},
    program::NativeIntake,
    runtime::{Disclosure, Notices, Options, access::AccessPolicy, admission::AdmissionOptions},
    sandbox::{Limits, Sandbox},
};

/// The ports of a test, and what runs over them.
///
/// Nothing happens by itself: futures run in [`settle`](Self::settle) and
/// [`run`](Self::run), and time passes in [`pass`](Self::pass). None of these may be
/// asked for by a future that runs in them. Clones are the same host.
#[derive(Clone)]
pub struct Host {
    pool: Rc<RefCell<LocalPool>>,
    time: Rc<Time>,
    log: Rc<Log>,
    ports: Ports,
}

impl Default for Host {
    fn default() -> Self {
        Self::new()
    }
}

impl Host {
    /// A host at time 0 that nothing has happened on.
    #[must_use]
    pub fn new() -> Self {
        let pool = LocalPool::new();
        let (time, log) = (Rc::<Time>::default(), Rc::<Log>::default());
        let ports = Ports {
            clock: time.clone(),
            timer: time.clone(),
            random: Rc::new(Counting::default()),
            handoff: Rc::new(OneshotHandoff),
            console: log.clone(),
            background: Rc::new(Spawned(pool.spawner())),
        };
        Self { pool: Rc::new(RefCell::new(pool)), time, log, ports }
    }

    /// The ports, for whatever is tested.
    #[must_use]
    pub fn ports(&self) -> Ports {
        self.ports.clone()
    }

    /// The time.
    #[must_use]
    pub fn time(&self) -> &Rc<Time> {
        &self.time
    }

    /// Options of a runtime over `modules` and `sandbox`, and nothing else.
    #[must_use]
    pub fn options(&self, modules: Vec<Module>, sandbox: impl Sandbox + 'static) -> Options {
        Options {
            modules,
            sources: Vec::new(),
            tools: Vec::new(),
            intake: Rc::new(NativeIntake),
            sandbox: Rc::new(sandbox),
            access: AccessPolicy::new(),
            admission: AdmissionOptions::default(),
            available_cores: None,
            limits: Limits::default(),
            notices: Rc::new(Notices::default()),
            on_sandbox_failure: None,
            on_execution: None,
            disclosure: Disclosure::default(),
            require_execute_identity: false,
            ports: self.ports(),
        }
    }

    /// Starts a future whose end is asked for later, and lets it go as far as it can.
    pub fn start<T: 'static>(&self, work: impl Future<Output = T> + 'static) -> Started<T> {
        let (started, work) = Started::new(self, work);
        self.ports.background.spawn(work);
        self.settle();
        started
    }

    /// Lets everything run that can without time passing.
    pub fn settle(&self) {
        self.pool.borrow_mut().run_until_stalled();
    }

    /// Lets `ms` pass, and everything run that then can.
    pub fn pass(&self, ms: u64) {
        self.time.pass(ms);
        self.settle();
    }

    /// Runs a future to its end, letting time pass as far as it must; none when it
    /// waits for something that no time brings.
    pub fn run<T: 'static>(&self, work: impl Future<Output = T> + 'static) -> Option<T> {
        let mut started = self.start(work);
        loop {
            if let Some(end) = started.end() {
                return Some(end);
            }
            self.pass(self.time.next_ms()?);
        }
    }

    /// What the operator was told.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        self.log.0.borrow().clone()
    }
}

/// 1, 2, 3, …
#[derive(Default)]
struct Counting(Cell<u64>);

impl Random for Counting {
    fn bits(&self) -> u64 {
        self.0.set(self.0.get().wrapping_add(1));
        self.0.get()
    }
}

struct OneshotHandoff;

impl Handoff for OneshotHandoff {
    fn pair(&self) -> (Give, LocalBoxFuture<'static, ()>) {
        let (wake, woken) = oneshot::channel();
        let give = Give::new(Box::new(move || {
            // A sleeper that was dropped needs no waking.
            let _ = wake.send(());
        }));
        (give, woken.map(drop).boxed_local())
    }
}

#[derive(Default)]
struct Log(RefCell<Vec<String>>);

impl Console for Log {
    fn note(&self, line: &str) {
        self.warn(line);
    }

    fn warn(&self, line: &str) {
        self.0.borrow_mut().push(line.to_owned());
    }
}

struct Spawned(LocalSpawner);

impl Background for Spawned {
    fn spawn(&self, work: LocalBoxFuture<'static, ()>) {
        // It fails only when the host is gone, and then nothing runs any more.
        let _ = self.0.spawn_local(work);
    }
}

impl std::fmt::Debug for Host {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Host").field("now_ms", &self.time.now_ms()).finish_non_exhaustive()
    }
}
