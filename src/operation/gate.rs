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

#[cfg(test)]
mod tests {
    use std::{cell::RefCell, rc::Rc};

    use futures::executor::block_on;
    use serde_json::json;

    use super::{GateCall, GateRefusal};
    use crate::operation::{Access, Catalog, Context, Module, Operation};

    type Seen = Rc<RefCell<Vec<String>>>;

    fn open() -> Operation {
        Operation::new(json!({}), |_, _| async { Ok(json!(null)) }).access(Access::Read)
    }

    fn watching(
        seen: &Seen,
        who: &'static str,
    ) -> impl Fn(GateCall) -> std::future::Ready<Result<(), GateRefusal>> + use<> {
        let seen = Rc::clone(seen);
        move |call| {
            let GateCall { operation, labels, context } = call;
            let ordinal = context.operation_ordinal();
            let line = format!("{who} {operation} {} {ordinal:?}", labels.access);
            seen.borrow_mut().push(line);
            std::future::ready(Ok(()))
        }
    }

    fn ask(module: Module, path: &str) -> Result<(), GateRefusal> {
        let catalog = Catalog::new([module]).unwrap();
        let context = Context::builder().operation_ordinal(7).build();
        block_on(catalog.find(path).unwrap().pass_gates(&context))
    }

    #[test]
    fn a_gate_sees_the_path_relative_to_its_own_module() {
        let seen = Seen::default();
        let windows = Module::new("w", "w")
            .namespace(["v2"])
            .operation("open", open())
            .gate(watching(&seen, "windows"));
        let bazaar = Module::new("bazaar", "bazaar")
            .namespace(["apps"])
            .gate(watching(&seen, "bazaar"))
            .module("windows", windows);
        assert_eq!(ask(bazaar, "apps.bazaar.windows.v2.open"), Ok(()));
        let expected = ["bazaar windows.v2.open read Some(7)", "windows open read Some(7)"];
        assert_eq!(*seen.borrow(), expected);
    }

    #[test]
    fn one_gate_that_refuses_is_enough_and_the_last_to_be_asked() {
        for refusing in 0..3 {
            let seen = Seen::default();
            let mut module = Module::new("m", "m").operation("open", open());
            for gate in 0..3 {
                module = module.gate(watching(&seen, "m"));
                if gate == refusing {
                    module = module
                        .gate(|_: GateCall| async { Err(GateRefusal::refused("ask the owner")) });
                }
            }
            assert_eq!(ask(module, "m.open"), Err(GateRefusal::refused("ask the owner")));
            assert_eq!(seen.borrow().len(), refusing + 1);
        }
    }

    #[test]
    fn a_gate_stands_before_operations_added_before_and_after_it() {
        let shut = |_: GateCall| async { Err(GateRefusal::refused("no")) };
        let module = Module::new("m", "m").operation("a", open()).gate(shut).operation("b", open());
        for path in ["m.a", "m.b"] {
            assert_eq!(ask(module.clone(), path), Err(GateRefusal::refused("no")), "{path}");
        }
    }

    #[test]
    fn a_childs_gate_stands_before_nothing_of_its_parents() {
        let child = Module::new("c", "c")
            .operation("open", open())
            .gate(|_: GateCall| async { Err(GateRefusal::refused("no")) });
        let parent = Module::new("p", "p").operation("own", open()).module("child", child);
        assert_eq!(ask(parent.clone(), "p.own"), Ok(()));
        assert_eq!(ask(parent, "p.child.open"), Err(GateRefusal::refused("no")));
    }

    #[test]
    fn a_gate_that_fails_refuses() {
        let module = || Module::new("m", "m").operation("open", open());
        let early = module().gate(|_: GateCall| -> std::future::Ready<_> { panic!("early") });
        let late = module().gate(|_: GateCall| async { panic!("late") });
        let failing = module().gate(|_: GateCall| async { Err(GateRefusal::failed(&"down")) });
        for (module, text) in [(early, "early"), (late, "late"), (failing, "down")] {
            let Err(GateRefusal::Failed { evidence }) = ask(module, "m.open") else {
                panic!("the gate let it pass");
            };
            assert!(evidence.contains(text), "{evidence}");
        }
    }
}
