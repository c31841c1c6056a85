//! A module's own last word before one of its operations runs.

use std::{fmt, future::Future, panic::AssertUnwindSafe, rc::Rc};

use futures::{FutureExt, future::LocalBoxFuture};

use super::{Context, Labels, fault::panic_message};

/// The call a gate decides on. It carries no input.
#[derive(Clone, Debug)]
pub struct GateCall {
    /// The operation, relative to the module that carries the gate: `windows.open`.
    pub operation: Rc<str>,
    /// The operation's labels.
    pub labels: Labels,
    /// The facts of the call.
    pub context: Context,
}

/// Why a gate stays shut. Either way the operation doesn't run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GateRefusal {
    /// The gate refuses.
    Refused {
        /// For the model: say what to do next, and nothing secret.
        message: String,
    },
    /// The gate can't tell, and so refuses.
    Failed {
        /// For the operator alone.
        evidence: String,
    },
}

impl GateRefusal {
    /// The gate refuses, with a message for the model.
    #[must_use]
    pub fn refused(message: impl Into<String>) -> Self {
        Self::Refused { message: message.into() }
    }

    /// The gate can't tell; the model isn't shown why.
    #[must_use]
    pub fn failed(evidence: &dyn fmt::Display) -> Self {
        Self::Failed { evidence: evidence.to_string() }
    }
}

/// Authorizes calls of one module's operations.
///
/// It is asked after the grant, the person and the decoding, straight before the
/// operation. Any function from a [`GateCall`] to such a future is a gate.
///
/// ```
/// use mycelium::operation::{Access, GateCall, GateRefusal, Module};
///
/// let notes = Module::new("example-notes", "notes").gate(|call: GateCall| async move {
///     match (call.labels.access, call.context.principal()) {
///         (Access::Write, None) => Err(GateRefusal::refused("sign in to change notes")),
///         _ => Ok(()),
///     }
/// });
/// # let _ = notes;
/// ```
///
/// Spec: 000 and 003, "Nested namespaces".
pub trait Gate {
    /// Whether the call may run.
    fn check(&self, call: GateCall) -> LocalBoxFuture<'static, Result<(), GateRefusal>>;
}

impl<F, R> Gate for F
where
    F: Fn(GateCall) -> R,
    R: Future<Output = Result<(), GateRefusal>> + 'static,
{
    fn check(&self, call: GateCall) -> LocalBoxFuture<'static, Result<(), GateRefusal>> {
        self(call).boxed_local()
    }
}

/// A gate, and the operation behind it as the gate sees it.
#[derive(Clone)]
pub(super) struct Gated {
    gate: Rc<dyn Gate>,
    operation: Rc<str>,
}

impl Gated {
    pub(super) fn new(gate: Rc<dyn Gate>, operation: &str) -> Self {
        Self { gate, operation: operation.into() }
    }

    /// Asks the gate; one that panics refuses.
    pub(super) async fn pass(&self, labels: Labels, context: &Context) -> Result<(), GateRefusal> {
        let call =
            GateCall { operation: Rc::clone(&self.operation), labels, context: context.clone() };
        let asked = async { self.gate.check(call).await };
        AssertUnwindSafe(asked).catch_unwind().await.unwrap_or_else(|payload| {
            let evidence = format!("the gate panicked: {}", panic_message(&*payload));
            Err(GateRefusal::Failed { evidence })
        })
    }
}

impl fmt::Debug for Gated {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Gated").field(&self.operation).finish()
    }
}
