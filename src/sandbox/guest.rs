//! The sandbox that runs programs in isolates.

use std::rc::Rc;

use futures::{
    FutureExt,
    future::{Either, LocalBoxFuture, select},
    pin_mut,
};

use super::{Ended, LoadError, Loader, Logs, Sandbox, SandboxRequest, Transport, session};
use crate::failure::Failure;

/// Runs each program in a fresh isolate of a [`Loader`].
#[derive(Clone)]
pub struct GuestSandbox {
    loader: Rc<dyn Loader>,
}

impl GuestSandbox {
    /// A sandbox over a loader.
    #[must_use]
    pub fn new(loader: Rc<dyn Loader>) -> Self {
        Self { loader }
    }
}

impl Sandbox for GuestSandbox {
    fn run(&self, request: SandboxRequest) -> LocalBoxFuture<'static, Ended> {
        let loader = Rc::clone(&self.loader);
        async move {
            match connect(loader, &request).await {
                Ok(transport) => session::run(transport, &request).await,
                Err((failure, evidence)) => {
                    Ended { answer: Err(failure), logs: Logs::default(), evidence, isolates: 0 }
                }
            }
        }
        .boxed_local()
    }
}

/// Loads an isolate, unless the execution is cancelled first.
async fn connect(
    loader: Rc<dyn Loader>,
    request: &SandboxRequest,
) -> Result<Box<dyn Transport>, (Failure, Option<String>)> {
    if let Some(cause) = request.cancellation.cause() {
        return Err((cause, None));
    }
    let loading = loader.load(request);
    let cancelled = request.cancellation.cancelled();
    pin_mut!(cancelled);
    match select(loading, cancelled).await {
        Either::Left((Ok(transport), _)) => Ok(transport),
        Either::Left((Err(LoadError::Refused(failure)), _)) => Err((failure, None)),
        Either::Left((Err(LoadError::Busy(text)), _)) => {
            // Whoever admitted it knows the capacity and the wait.
            Err((Failure::SandboxBusy { capacity: 0, waited_ms: 0 }, Some(text)))
        }
        Either::Left((Err(LoadError::Platform(text)), _)) => Err((Failure::Unknown {}, Some(text))),
        Either::Right((cause, _)) => Err((cause, None)),
    }
}
