//! A program that a caller runs, and can end.

use std::{cell::RefCell, rc::Rc};

use futures::{FutureExt, future::LocalBoxFuture};

use super::{Argument, Host, RequestError, asked::Program, reply};
use crate::{
    failure::{Failure, Party},
    operation::Cancellation,
};

/// The caller's hold on what it runs. Clones are the same.
#[derive(Clone)]
pub struct Execution {
    cancellation: Cancellation,
    reason: Rc<RefCell<Option<String>>>,
}

impl Execution {
    /// Ends it, unless it has ended. The first reason stands.
    pub fn cancel(&self, reason: Option<String>) {
        if self.cancellation.cause().is_none() {
            *self.reason.borrow_mut() = reason;
            self.cancellation.cancel(Failure::Cancelled { by: Party::Caller });
        }
    }
}

/// Begins what a request asks for: the hold on it, and the reply at its end. The caller's
/// functions are let go before that comes, whatever the end is.
#[must_use]
pub fn begin(
    host: Host,
    argument: Result<Argument, RequestError>,
) -> (Execution, LocalBoxFuture<'static, String>) {
    let cancellation = Cancellation::new(Rc::clone(&host.options.ports.handoff));
    let execution = Execution { cancellation, reason: Rc::default() };
    let reply = run(host, argument, execution.clone());
    let reply = reply.map(|reply| reply.unwrap_or_else(|failure| reply::failed(&failure, None)));
    (execution, reply.boxed_local())
}

async fn run(
    mut host: Host,
    argument: Result<Argument, RequestError>,
    execution: Execution,
) -> Result<String, Failure> {
    let (functions, program) = Program::read(argument?, &host)?;
    host.options.limits = program.limits(host.options.limits);
    let background = Rc::clone(&host.options.ports.background);
    let Program { caller, code, tool_call_id, .. } = program;
    let runtime = caller.open(host)?;
    let lease = runtime.acquire(None).await?;
    let cancellation = execution.cancellation.clone();
    let outcome = lease.execute(&code, tool_call_id.as_deref(), cancellation).await;
    drop(functions);
    // Not awaited: work that nobody confirmed to have stopped would keep the reply.
    let end = async move {
        lease.release().await;
        runtime.close().await;
    };
    background.spawn(end.boxed_local());
    let reason = execution.reason.borrow().clone();
    Ok(reply::outcome(&outcome, reason.as_deref()))
}
