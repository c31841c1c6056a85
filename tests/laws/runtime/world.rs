//! A runtime on the kit's host, and what tests of it have in common.

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};

use futures::{FutureExt, StreamExt, channel::oneshot, future::LocalBoxFuture};
use mycelium::{
    Failure, Module, Mycelium, Operation,
    failure::Party,
    operation::{Access, Cancellation},
    runtime::{LastPart, Lease, Options, Outcome, Part, ToolCall},
    sandbox::{Ended, Logs, Sandbox, SandboxRequest},
    testing::{Host, Started},
};
use serde_json::{Value, json};

pub(crate) const CALLER: Failure = Failure::Cancelled { by: Party::Caller };
pub(crate) const HOST: Failure = Failure::Cancelled { by: Party::Host };

/// A host with one runtime open on it.
pub(crate) struct World {
    pub(crate) host: Host,
    pub(crate) runtime: Mycelium,
}

impl World {
    pub(crate) fn open(host: Host, options: Options) -> Self {
        let runtime = Mycelium::open(options).unwrap();
        Self { host, runtime }
    }

    /// A runtime over the module of [`module`].
    pub(crate) fn over(sandbox: impl Sandbox + 'static) -> Self {
        let host = Host::new();
        let options = host.options(vec![module()], sandbox);
        Self::open(host, options)
    }

    pub(crate) fn acquiring(&self) -> Started<Result<Rc<Lease>, Failure>> {
        let runtime = self.runtime.clone();
        self.host.start(async move { runtime.acquire(None).await.map(Rc::new) })
    }

    pub(crate) fn lease(&self) -> Rc<Lease> {
        self.acquiring().end().unwrap().unwrap()
    }

    pub(crate) fn releasing(&self, lease: &Rc<Lease>) -> Started<()> {
        let lease = Rc::clone(lease);
        self.host.start(async move { lease.release().await })
    }

    pub(crate) fn closing(&self) -> Started<()> {
        let runtime = self.runtime.clone();
        self.host.start(async move { runtime.close().await })
    }

    /// The last part of an execution; those before say that it waited, or what it waited for.
    pub(crate) fn executing(
        &self,
        lease: &Lease,
        cancellation: &Cancellation,
    ) -> Started<LastPart> {
        let prepared = lease.execute_tool().prepare(&call("return 1")).unwrap();
        let parts = prepared.execute(cancellation.clone());
        self.host.start(async move {
            let mut parts: Vec<Part> = parts.collect().await;
            let last = parts.pop().and_then(Part::last).unwrap();
            assert!(parts.iter().all(|part| matches!(part, Part::Progress(_))), "one last part");
            last
        })
    }

    pub(crate) fn execute(&self, lease: &Lease) -> Started<LastPart> {
        self.executing(lease, &self.runtime.cancellation())
    }

    /// Executes to the end that comes without time.
    pub(crate) fn outcome(&self, lease: &Lease) -> Outcome {
        self.execute(lease).end().unwrap().outcome
    }
}

pub(crate) fn call(code: &str) -> ToolCall {
    ToolCall {
        id: "test-call".to_owned(),
        name: "execute".to_owned(),
        arguments: json!({ "code": code }),
    }
}

/// The module `m` with `echo`, which reads, and `note`, which writes.
pub(crate) fn module() -> Module {
    let echo = Operation::new(json!({}), |input, _| async move { Ok(input) });
    let note = Operation::new(json!({}), |_, _| async { Ok(Value::Null) });
    Module::new("test-m", "m")
        .operation("echo", echo.describe("Gives back its input.").access(Access::Read))
        .operation("note", note.describe("Changes something."))
}

/// A sandbox whose every run is settled by the test, and by nothing else.
#[derive(Clone, Default)]
pub(crate) struct Held {
    runs: Rc<RefCell<Vec<Option<oneshot::Sender<Ended>>>>>,
    pub(crate) requests: Rc<RefCell<Vec<SandboxRequest>>>,
}

impl Held {
    /// How many programs it was handed.
    pub(crate) fn runs(&self) -> usize {
        self.runs.borrow().len()
    }

    /// Settles the run of this number; whether anybody waited for it.
    pub(crate) fn settle(&self, run: usize, answer: Result<&str, Failure>) -> bool {
        let answer = answer.map(|text| Some(text.to_owned()));
        let ended = Ended { answer, logs: Logs::default(), evidence: None, isolates: 0 };
        let sender = self.runs.borrow_mut()[run].take().unwrap();
        sender.send(ended).is_ok()
    }
}

impl Sandbox for Held {
    fn run(&self, request: SandboxRequest) -> LocalBoxFuture<'static, Ended> {
        let (settle, settled) = oneshot::channel();
        self.runs.borrow_mut().push(Some(settle));
        self.requests.borrow_mut().push(request);
        let requests = Rc::clone(&self.requests);
        async move {
            let ended = settled.await.unwrap();
            // What was handed over is let go with the run.
            drop(requests);
            ended
        }
        .boxed_local()
    }
}

/// A sandbox that answers the same at once, and counts.
#[derive(Clone)]
pub(crate) struct Says {
    answer: Result<Option<String>, Failure>,
    pub(crate) runs: Rc<Cell<usize>>,
}

pub(crate) fn says(answer: Result<&str, Failure>) -> Says {
    Says { answer: answer.map(|text| Some(text.to_owned())), runs: Rc::default() }
}

impl Sandbox for Says {
    fn run(&self, _: SandboxRequest) -> LocalBoxFuture<'static, Ended> {
        self.runs.set(self.runs.get() + 1);
        let ended = Ended {
            answer: self.answer.clone(),
            logs: Logs::default(),
            evidence: None,
            isolates: 0,
        };
        async move { ended }.boxed_local()
    }
}
