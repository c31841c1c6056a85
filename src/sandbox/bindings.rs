//! The only way from a guest to anything outside it.

use futures::future::LocalBoxFuture;

use crate::failure::Failure;

/// A call under way: it resolves to the output as JSON text.
pub type CallFuture = LocalBoxFuture<'static, Result<String, Failure>>;

/// The operations a program was given, by index.
pub trait Bindings {
    /// The dotted paths; an operation's index is its position here.
    fn paths(&self) -> Vec<String>;

    /// The indexes of operations that can be called but are shown nowhere.
    fn hidden(&self) -> Vec<usize>;

    /// Starts the call at `ordinal` of the operation at `index`.
    ///
    /// `input` is JSON text as the guest sent it; a call without an argument
    /// passes an empty object. `None` when there is no such operation.
    fn call(&self, ordinal: u64, index: usize, input: &str) -> Option<CallFuture>;

    /// Whether the helpers of discovery are answered.
    fn forages(&self) -> bool {
        false
    }

    /// What the helper of discovery of this name answers, as JSON text; `None` when there is
    /// no such helper. It runs no operation and has no ordinal.
    fn forage(&self, helper: &str, input: &str) -> Option<Result<String, Failure>> {
        let _ = (helper, input);
        None
    }

    /// Records a call of the operation at `index` that failed before it left the guest.
    fn refuse(&self, index: usize, failure: &Failure);

    /// Nobody waits for the calls under way any more: whoever watches its signal is let
    /// end by itself, the others end now. A sandbox says so when its program has failed,
    /// and then waits for them.
    fn abandon(&self);
}
