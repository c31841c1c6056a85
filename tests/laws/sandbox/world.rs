//! A runtime over fakes, and one execution that a test steps through.

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};

use futures::StreamExt;
use mycelium::{
    Failure, Module, Mycelium, Operation,
    failure::Party,
    operation::OperationError,
    port::Timer,
    program::{Intake, NativeIntake, Program},
    runtime::{
        Notices, Options, Outcome, Part, ToolCall, UnenforcedLimit, access::AccessPolicy,
        admission::AdmissionOptions,
    },
    sandbox::{Cancellation, GuestSandbox, Limits},
    testing::{Host, Started},
};
use serde_json::{Value, json};

use super::guest::{Guest, GuestLoader, Loading};

/// The operations by index: sorted by path, as the wire has them.
pub(crate) const ADD: usize = 0;
pub(crate) const ECHO: usize = 1;
pub(crate) const FAIL: usize = 2;
pub(crate) const LIE: usize = 3;
pub(crate) const PANIC: usize = 4;
pub(crate) const STOP: usize = 5;
pub(crate) const WAIT: usize = 6;
pub(crate) const WATCH: usize = 7;

/// How a world differs from the usual.
pub(crate) struct Setup {
    pub(crate) limits: Limits,
    pub(crate) loading: Loading,
    pub(crate) unenforced: Vec<UnenforcedLimit>,
    pub(crate) access: AccessPolicy,
    pub(crate) capacity: u64,
}

impl Default for Setup {
    fn default() -> Self {
        Self {
            limits: Limits::with_timeout(1_000),
            loading: Loading::Connects,
            unenforced: Vec::new(),
            access: AccessPolicy::new(),
            capacity: 2,
        }
    }
}

/// A runtime with one execution in it, and everything it touches.
pub(crate) struct World {
    pub(crate) host: Host,
    runtime: Mycelium,
    outcome: Rc<RefCell<Option<Outcome>>>,
    running: Option<Started<()>>,
    pub(crate) guest: Rc<Guest>,
    pub(crate) cancellation: Cancellation,
    /// How many calls of `watch` have begun and not ended.
    watching: Rc<Cell<usize>>,
}

impl World {
    /// A world whose execution has begun and waits for its guest.
    pub(crate) fn running() -> Self {
        Self::start(Setup::default())
    }

    pub(crate) fn start(setup: Setup) -> Self {
        let mut world = Self::idle(setup);
        world.execute("return 1");
        world
    }

    /// A world in which nothing has begun.
    pub(crate) fn idle(setup: Setup) -> Self {
        let (host, guest) = (Host::new(), Rc::default());
        let (stop, watching) = (Stop::default(), Rc::default());
        let loader = GuestLoader { guest: Rc::clone(&guest), loading: setup.loading };
        let sandbox = GuestSandbox::new(Rc::new(loader));
        let runtime = Mycelium::open(Options {
            intake: Rc::new(Quick),
            limits: setup.limits,
            access: setup.access,
            notices: Rc::new(Notices::new(setup.unenforced)),
            admission: AdmissionOptions {
                sandbox_capacity: Some(setup.capacity),
                admission_wait_ms: None,
            },
            ..host.options(vec![module(&host.ports().timer, &stop, &watching)], sandbox)
        });
        let runtime = runtime.unwrap();
        let cancellation = runtime.cancellation();
        *stop.borrow_mut() = Some(cancellation.clone());
        let outcome = Rc::default();
        Self { host, runtime, outcome, running: None, guest, cancellation, watching }
    }

    /// Begins an execution of `code`.
    pub(crate) fn execute(&mut self, code: &'static str) {
        let (runtime, cancellation) = (self.runtime.clone(), self.cancellation.clone());
        let outcome = Rc::clone(&self.outcome);
        self.running = Some(self.host.start(async move {
            let lease = runtime.acquire(None).await.unwrap();
            let call = ToolCall {
                id: "test-call".to_owned(),
                name: "execute".to_owned(),
                arguments: json!({ "code": code }),
            };
            let parts = lease.execute_tool().prepare(&call).unwrap().execute(cancellation);
            let last = parts.collect::<Vec<_>>().await.pop().and_then(Part::last).unwrap();
            *outcome.borrow_mut() = Some(last.outcome);
        }));
    }

    /// Whether work that was begun hasn't settled.
    pub(crate) fn is_unsettled(&self) -> bool {
        self.watching.get() > 0
    }

    /// Begins another execution; whether it was handed to an isolate at once.
    pub(crate) fn starts_another(&mut self) -> (bool, Started<()>) {
        let (runtime, before) = (self.runtime.clone(), self.guest.loads());
        let another = self.host.start(async move {
            let lease = runtime.acquire(None).await.unwrap();
            let call = ToolCall {
                id: "another".to_owned(),
                name: "execute".to_owned(),
                arguments: json!({ "code": "return 1" }),
            };
            let cancellation = runtime.cancellation();
            let mut parts = lease.execute_tool().prepare(&call).unwrap().execute(cancellation);
            parts.next().await;
        });
        (self.guest.loads() > before, another)
    }

    /// Closes the runtime, and lets everything run that then can.
    pub(crate) fn close_runtime(&mut self) -> Started<()> {
        let runtime = self.runtime.clone();
        self.host.start(async move { runtime.close().await })
    }

    /// Drops the execution's future.
    pub(crate) fn forget(&mut self) {
        drop(self.running.take().unwrap());
        self.settle();
    }

    /// Lets everything run that can.
    pub(crate) fn settle(&mut self) {
        self.host.settle();
    }

    pub(crate) fn say(&mut self, frame: &str) {
        self.guest.say(frame);
        self.settle();
    }

    pub(crate) fn advance(&mut self, ms: u64) {
        self.host.pass(ms);
    }

    /// What the execution came to, if it has.
    pub(crate) fn ended(&self) -> Option<Outcome> {
        self.outcome.borrow().clone()
    }

    pub(crate) fn outcome(&self) -> Outcome {
        self.ended().expect("the execution has ended")
    }

    pub(crate) fn failure(&self) -> Failure {
        self.outcome().answer.expect_err("it failed")
    }
}

/// Reads every program as one and the same, without the parser's thread.
struct Quick;

thread_local! {
    static PROGRAM: Program = NativeIntake.read("return 1").unwrap();
}

impl Intake for Quick {
    fn read(&self, code: &str) -> Result<Program, Failure> {
        if code == "return 1" { Ok(PROGRAM.with(Clone::clone)) } else { NativeIntake.read(code) }
    }
}

/// What the operation `stop` cancels: the execution that called it.
type Stop = Rc<RefCell<Option<Cancellation>>>;

fn module(timer: &Rc<dyn Timer>, stop: &Stop, watching: &Rc<Cell<usize>>) -> Module {
    let timer_of_watch = Rc::clone(timer);
    let (timer, stop) = (Rc::clone(timer), Rc::clone(stop));
    let stop = Operation::new(any(), move |_, _| {
        let cancellation = stop.borrow().clone().unwrap();
        async move {
            cancellation.cancel(Failure::Cancelled { by: Party::Caller });
            Ok(json!(null))
        }
    });
    let add = Operation::new(numbers(), |input, _| async move {
        Ok(json!(input["a"].as_f64().unwrap() + input["b"].as_f64().unwrap()))
    });
    let echo = Operation::new(any(), |input, _| async move { Ok(input) });
    let fail = Operation::new(any(), |_, _| async { Err(OperationError::new("try another day")) });
    let lie = Operation::new(any(), |_, _| async { Ok(json!({"a": ["x", 1]})) }).output(strings());
    let panic = Operation::new(any(), |_, _| async { panic!("injected") });
    let wait = Operation::new(any(), move |input: Value, context| {
        let timer = Rc::clone(&timer);
        async move {
            timer.sleep(input["ms"].as_u64().unwrap_or(0)).await;
            Ok(json!({"ordinal": context.operation_ordinal(), "execution": context.execution_id()}))
        }
    });
    let watch = watch(timer_of_watch, Rc::clone(watching));
    [("add", add), ("echo", echo), ("fail", fail), ("lie", lie)]
        .into_iter()
        .chain([("panic", panic), ("stop", stop), ("wait", wait), ("watch", watch)])
        .fold(Module::new("test-m", "m"), |module, (key, made)| module.operation(key, made))
}

/// Ends only `ms` after it has heard of a cancellation.
fn watch(timer: Rc<dyn Timer>, watching: Rc<Cell<usize>>) -> Operation {
    Operation::new(any(), move |input: Value, context| {
        let (timer, watching) = (Rc::clone(&timer), Rc::clone(&watching));
        async move {
            let begun = Begun::of(&watching);
            context.cancellation().cancelled().await;
            timer.sleep(input["ms"].as_u64().unwrap_or(0)).await;
            drop(begun);
            Ok(Value::Null)
        }
    })
}

/// One call under way, until it is dropped.
struct Begun(Rc<Cell<usize>>);

impl Begun {
    fn of(count: &Rc<Cell<usize>>) -> Self {
        count.set(count.get() + 1);
        Self(Rc::clone(count))
    }
}

impl Drop for Begun {
    fn drop(&mut self) {
        self.0.set(self.0.get() - 1);
    }
}

fn any() -> Value {
    json!({})
}

fn numbers() -> Value {
    let number = json!({"type": "number"});
    json!({
        "type": "object",
        "properties": {"a": number, "b": number},
        "required": ["a", "b"],
        "additionalProperties": false,
    })
}

fn strings() -> Value {
    json!({"properties": {"a": {"items": {"type": "string"}}}})
}
