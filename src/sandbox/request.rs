//! What goes into a sandbox, and what comes out.

use std::rc::Rc;

use futures::future::LocalBoxFuture;

use super::{Bindings, Limits, Logs};
use crate::{failure::Failure, operation::Cancellation, program::Program};

/// One program to run: this and no more is what a sandbox is told.
///
/// Spec: 000, "Quick start without a model": code, execution identity, limits
/// and admitted bindings.
#[derive(Clone)]
pub struct SandboxRequest {
    /// The program.
    pub program: Rc<Program>,
    /// The execution, fresh for every run.
    pub execution_id: Rc<str>,
    /// The bounds of this execution.
    pub limits: Limits,
    /// The operations it may call.
    pub bindings: Rc<dyn Bindings>,
    /// How it is ended from outside.
    pub cancellation: Cancellation,
}

/// How a program ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    /// The answer as JSON text, none when the program returned nothing.
    pub answer: Result<Option<String>, Failure>,
    /// What it printed.
    pub logs: Logs,
    /// What the operator should know of a failure; never for a guest or a model.
    pub evidence: Option<String>,
    /// How many isolates were loaded for it: 1 where it was handed to one.
    pub isolates: u32,
}

/// Runs programs.
pub trait Sandbox {
    /// Runs one program to its end.
    ///
    /// The future resolves when the backing work has settled. After a
    /// cancellation it resolves to the cancellation's cause, never to a late
    /// success. Dropping it ends the program too.
    ///
    /// `sandbox-busy` says that the program was not handed to anything: then, and only
    /// then, it is asked again.
    fn run(&self, request: SandboxRequest) -> LocalBoxFuture<'static, Ended>;
}
