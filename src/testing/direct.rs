//! A sandbox that runs a callback instead of the program.

use std::{
    cell::{Cell, RefCell},
    future::Future,
    rc::Rc,
};

use futures::{
    FutureExt,
    future::{Either, LocalBoxFuture, Shared, join_all, select},
    pin_mut,
};
use serde_json::Value;

use crate::{
    failure::{Failure, Place},
    operation::Signal,
    sandbox::{CallFuture, Ended, Logs, Sandbox, SandboxRequest},
};

/// Why a callback came to no answer.
#[derive(Clone, Debug, PartialEq)]
pub enum DirectError {
    /// A call failed, and the callback let it through.
    Failed(Failure),
    /// The callback failed by itself, as a program that throws.
    Thrown(String),
}

impl From<Failure> for DirectError {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

type Callback =
    dyn Fn(DirectBindings, Signal) -> LocalBoxFuture<'static, Result<Value, DirectError>>;

/// The sandbox made by [`direct_sandbox`].
#[derive(Clone)]
pub struct DirectSandbox {
    callback: Rc<Callback>,
}

/// A sandbox that ignores the submitted code and runs `callback` with the bindings.
///
/// **It isolates nothing**: the callback has all of the host's authority. It checks
/// registration, arguments and cleanup, and is no way to run a program.
pub fn direct_sandbox<F, R>(callback: F) -> DirectSandbox
where
    F: Fn(DirectBindings, Signal) -> R + 'static,
    R: Future<Output = Result<Value, DirectError>> + 'static,
{
    DirectSandbox {
        callback: Rc::new(move |bindings, signal| callback(bindings, signal).boxed_local()),
    }
}

/// The operations that a callback may call, by path.
#[derive(Clone)]
pub struct DirectBindings {
    run: Rc<Run>,
}

/// One run of a callback, as far as its calls are concerned.
struct Run {
    request: SandboxRequest,
    next_ordinal: Cell<u64>,
    under_way: RefCell<Vec<Shared<CallFuture>>>,
    /// What ends the run whatever the callback makes of it.
    broken: RefCell<Option<Failure>>,
    over: Cell<bool>,
}

impl DirectBindings {
    /// Calls the operation at `path`. Its ordinal is allotted now, before the future
    /// is polled.
    pub fn call(
        &self,
        path: &str,
        input: Value,
    ) -> impl Future<Output = Result<Value, DirectError>> + use<> {
        let call = self.run.begin(path, &input);
        async move {
            let output = call?.await?;
            serde_json::from_str(&output)
                .map_err(|error| DirectError::Thrown(format!("the output is no JSON: {error}")))
        }
    }
}

impl Run {
    fn begin(&self, path: &str, input: &Value) -> Result<Shared<CallFuture>, Failure> {
        let operation = path.to_owned();
        if self.over.get() {
            return Err(Failure::CallAfterSettle { operation });
        }
        let bindings = &self.request.bindings;
        let index = bindings.paths().iter().position(|bound| bound == path);
        let nearest = "; look at what is bound".to_owned();
        let unknown = Failure::OperationUnknown { name: operation, nearest };
        let index = index.ok_or_else(|| unknown.clone())?;
        let call = bindings.call(self.allot()?, index, &input.to_string()).ok_or(unknown)?;
        let call = call.shared();
        self.under_way.borrow_mut().push(call.clone());
        Ok(call)
    }

    fn allot(&self) -> Result<u64, Failure> {
        let (ordinal, limit) = (self.next_ordinal.get(), self.request.limits.calls);
        if ordinal >= limit {
            let failure = Failure::CallBudgetExceeded { limit };
            self.broken.borrow_mut().get_or_insert(failure.clone());
            return Err(failure);
        }
        self.next_ordinal.set(ordinal.saturating_add(1));
        Ok(ordinal)
    }

    /// Runs the callback and settles its calls: after an answer they run to their end,
    /// after a failure they are abandoned.
    async fn end(self: Rc<Self>, callback: &Callback) -> Result<Option<String>, Failure> {
        let answered = self.unless_cancelled(self.answer(callback)).await;
        self.over.set(true);
        let ended = match answered.and_then(|answer| answer) {
            Ok(answer) => self.unless_cancelled(self.settled()).await.map(|()| answer),
            failed => failed,
        };
        if ended.is_err() {
            self.request.bindings.abandon();
            self.settled().await;
        }
        ended
    }

    async fn answer(self: &Rc<Self>, callback: &Callback) -> Result<Option<String>, Failure> {
        let bindings = DirectBindings { run: Rc::clone(self) };
        let answer = callback(bindings, self.request.cancellation.signal()).await;
        match self.broken.take() {
            Some(failure) => Err(failure),
            None => said(answer),
        }
    }

    async fn settled(&self) {
        let calls = self.under_way.borrow().clone();
        join_all(calls).await;
    }

    /// What `work` comes to, unless the cancellation comes first or with it.
    async fn unless_cancelled<T>(&self, work: impl Future<Output = T>) -> Result<T, Failure> {
        let cancelled = self.request.cancellation.cancelled();
        pin_mut!(cancelled, work);
        match select(cancelled, work).await {
            Either::Left((cause, _)) => Err(cause),
            Either::Right((done, _)) => self.request.cancellation.cause().map_or(Ok(done), Err),
        }
    }
}

impl Sandbox for DirectSandbox {
    fn run(&self, request: SandboxRequest) -> LocalBoxFuture<'static, Ended> {
        let callback = Rc::clone(&self.callback);
        let run = Rc::new(Run {
            request,
            next_ordinal: Cell::new(0),
            under_way: RefCell::default(),
            broken: RefCell::default(),
            over: Cell::new(false),
        });
        async move {
            let answer = run.end(&*callback).await;
            Ended { answer, logs: Logs::default(), evidence: None, isolates: 0 }
        }
        .boxed_local()
    }
}

fn said(answer: Result<Value, DirectError>) -> Result<Option<String>, Failure> {
    match answer {
        Ok(value) => Ok(Some(value.to_string())),
        Err(DirectError::Failed(failure)) => Err(failure),
        Err(DirectError::Thrown(problem)) => Err(Failure::GuestException {
            name: "Error".to_owned(),
            problem,
            place: Place::default(),
        }),
    }
}
