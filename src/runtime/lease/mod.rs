//! A coherent set of operations, held for as long as somebody works with it.
//!
//! Owns building graphs from modules and sources, sharing them among leases, and
//! giving them back. Doesn't own how a program is run.
//!
//! Spec: 000 and 003, "Changing capabilities and lifetime".

mod acquisition;
mod direct;
mod graph;
mod graphs;
mod held;
mod state;

use std::rc::Rc;

use serde_json::Value;

pub use acquisition::Acquisition;
pub(super) use acquisition::GraphsBySources;
pub use direct::{Answer, DirectTool, LeasedTool};
pub(super) use graphs::Graphs;
pub(super) use held::HeldGraph;
pub(crate) use state::{Asked, Discovery, LeaseState};

use super::{ExecuteTool, Outcome, progress::Teller};
use crate::{
    failure::Failure,
    forage,
    operation::{Cancellation, Catalog, Context},
};

/// A lease on the operations there are.
///
/// It keeps what it has, also when a source changes. Release it: dropped, it lets
/// go in the background, and nobody can wait for that.
pub struct Lease {
    state: Rc<LeaseState>,
}

impl Lease {
    pub(super) fn new(state: LeaseState) -> Self {
        Self { state: Rc::new(state) }
    }

    /// The one tool for a model.
    #[must_use]
    pub fn execute_tool(&self) -> ExecuteTool {
        ExecuteTool::new(Rc::clone(&self.state))
    }

    /// The direct tools that access doesn't hide.
    #[must_use]
    pub fn tools(&self) -> Vec<LeasedTool> {
        direct::tools(&self.state)
    }

    /// The operations it holds.
    #[must_use]
    pub fn catalog(&self) -> &Catalog {
        self.state.catalog()
    }

    /// The operations that access doesn't hide, to be listed, searched and described.
    #[must_use]
    pub fn forage(&self) -> &forage::Catalog {
        self.state.discovery()
    }

    /// Whether access doesn't hide the module of this id.
    pub(crate) fn shows(&self, module: &str) -> bool {
        !self.state.standing().hides(module)
    }

    /// The operations it holds, to be recognised by.
    pub(crate) fn shared_catalog(&self) -> &Rc<Catalog> {
        self.state.catalog()
    }

    /// Performs one known operation without a model and without a sandbox.
    ///
    /// The context is the caller's own: what it lacks stays absent.
    ///
    /// # Errors
    ///
    /// The call's failure; a refusal is an ordinary [`Answer`].
    pub async fn invoke_module_operation(
        &self,
        module: &str,
        operation: &str,
        input: Value,
        context: Context,
    ) -> Result<Answer, Failure> {
        direct::invoke(&self.state, module, operation, input, context).await
    }

    /// Runs a program that no model's tool call asked for, or one that is known by its id
    /// alone. Dropping the future cancels the execution as its caller.
    pub async fn execute(
        &self,
        code: &str,
        tool_call_id: Option<&str>,
        cancellation: Cancellation,
    ) -> Outcome {
        let id = tool_call_id.map(Rc::from);
        self.state.execute(code, id, cancellation, Teller::default()).await
    }

    /// Refuses new work, waits for what runs on it, and gives its sources back.
    /// Released again, it waits for the same end.
    pub async fn release(&self) {
        self.state.release().await;
    }
}
