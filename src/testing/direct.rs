//! A sandbox that runs a callback instead of the program.

use std::{cell::Cell, future::Future, rc::Rc};

use futures::{
    FutureExt,
    future::{Either, LocalBoxFuture, select},
    pin_mut,
};
use serde_json::Value;

use crate::{
    failure::{Failure, Place},
    operation::Signal,
    sandbox::{Bindings, Ended, Logs, Sandbox, SandboxRequest},
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
    bindings: Rc<dyn Bindings>,
    next_ordinal: Rc<Cell<u64>>,
}

impl DirectBindings {
    /// Calls the operation at `path`. Its ordinal is allotted now, before the future
    /// is polled.
    pub fn call(
        &self,
        path: &str,
        input: Value,
    ) -> impl Future<Output = Result<Value, DirectError>> + 'static {
        let call = self.begin(path, &input);
        async move {
            let output = call?.await?;
            serde_json::from_str(&output)
                .map_err(|error| DirectError::Thrown(format!("the output is no JSON: {error}")))
        }
    }

    fn begin(
        &self,
        path: &str,
        input: &Value,
    ) -> Result<LocalBoxFuture<'static, Result<String, Failure>>, Failure> {
        let unknown =
            || Failure::OperationUnknown { name: path.to_owned(), nearest: String::new() };
        let index = self.bindings.paths().iter().position(|bound| bound == path);
        let index = index.ok_or_else(unknown)?;
        let ordinal = self.next_ordinal.get();
        self.next_ordinal.set(ordinal.saturating_add(1));
        self.bindings.call(ordinal, index, &input.to_string()).ok_or_else(unknown)
    }
}

impl Sandbox for DirectSandbox {
    fn run(&self, request: SandboxRequest) -> LocalBoxFuture<'static, Ended> {
        let callback = Rc::clone(&self.callback);
        async move {
            let answer = match request.cancellation.cause() {
                // Cancelled before it began, it runs nothing.
                Some(cause) => Err(cause),
                None => answer(&*callback, &request).await,
            };
            Ended { answer, logs: Logs::default(), evidence: None }
        }
        .boxed_local()
    }
}

/// The callback's answer, unless the cancellation comes first or with it.
async fn answer(callback: &Callback, request: &SandboxRequest) -> Result<Option<String>, Failure> {
    let bindings =
        DirectBindings { bindings: Rc::clone(&request.bindings), next_ordinal: Rc::default() };
    let running = callback(bindings, request.cancellation.signal());
    let cancelled = request.cancellation.cancelled();
    pin_mut!(cancelled);
    match select(cancelled, running).await {
        Either::Left((cause, _)) => Err(cause),
        Either::Right((answer, _)) => match request.cancellation.cause() {
            Some(cause) => Err(cause),
            None => said(answer),
        },
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
