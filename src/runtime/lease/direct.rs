//! Calls without a program: known operations, and tools that stand beside `execute`.

use std::rc::Rc;

use serde_json::Value;

use super::LeaseState;
use crate::{
    failure::{AccessRefusal, Failure, MESSAGE_BYTES, bounded},
    operation::{Access, Callable, Context, DefinitionError, Entry, Given, Operation},
    port::Console,
    runtime::calls::{Unanswered, perform},
};

/// What a direct call gives.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// The operation's answer.
    Value(Value),
    /// It wasn't allowed, and didn't run.
    Refused(AccessRefusal),
}

/// A tool beside `execute`; access knows it by its name.
#[derive(Clone)]
pub struct DirectTool {
    entry: Entry,
}

impl DirectTool {
    /// The tool `name`, which does what `operation` does, behind the same access.
    ///
    /// # Errors
    ///
    /// A [`DefinitionError`] for a schema that is none.
    pub fn new(name: &str, operation: Operation) -> Result<Self, DefinitionError> {
        Ok(Self { entry: Entry::alone(name, operation.install(name, name)?) })
    }

    /// The tool's name.
    #[must_use]
    pub fn name(&self) -> &str {
        self.entry.path()
    }
}

/// A direct tool as a lease gives it back.
#[derive(Clone)]
pub struct LeasedTool {
    tool: DirectTool,
    lease: Rc<LeaseState>,
}

impl LeasedTool {
    /// The tool's name.
    #[must_use]
    pub fn name(&self) -> &str {
        self.tool.name()
    }

    /// What it takes, gives and does.
    #[must_use]
    pub fn operation(&self) -> &Callable {
        self.tool.entry.operation()
    }

    /// Calls it.
    ///
    /// # Errors
    ///
    /// The call's failure; a refusal is an ordinary [`Answer`].
    pub async fn call(&self, input: Value, context: Context) -> Result<Answer, Failure> {
        let _entered = self.lease.enter()?;
        answer(&self.lease, &self.tool.entry, input, context).await
    }
}

pub(super) fn tools(lease: &Rc<LeaseState>) -> Vec<LeasedTool> {
    let shown = |tool: &&DirectTool| !lease.standing().hides(tool.name());
    lease
        .runtime()
        .tools
        .iter()
        .filter(shown)
        .map(|tool| LeasedTool { tool: tool.clone(), lease: Rc::clone(lease) })
        .collect()
}

pub(super) async fn invoke(
    lease: &LeaseState,
    module: &str,
    operation: &str,
    input: Value,
    context: Context,
) -> Result<Answer, Failure> {
    let _entered = lease.enter()?;
    let entry = find(lease, module, operation)?;
    answer(lease, entry, input, context).await
}

/// One call without a program, behind the access that every call is behind.
async fn answer(
    lease: &LeaseState,
    entry: &Entry,
    input: Value,
    context: Context,
) -> Result<Answer, Failure> {
    identified(lease, entry, &context)?;
    let engine = &lease.runtime().engine;
    let check = engine.direct_check(lease.access());
    match perform(entry, context, &check, |operation| operation.decode(input), Given::value).await {
        Ok(value) => Ok(Answer::Value(value)),
        Err(Unanswered::Refused(refusal)) => Ok(Answer::Refused(refusal)),
        Err(Unanswered::Failed(failure, evidence)) => {
            Err(told(failure, evidence, &*engine.ports.console))
        }
    }
}

/// A direct call has no reference: its evidence goes to the log by itself.
fn told(failure: Failure, evidence: Option<String>, console: &dyn Console) -> Failure {
    if let Some(evidence) = evidence {
        console.warn(&bounded(&evidence, MESSAGE_BYTES));
    }
    failure
}

/// By raw identity: the module's id and the path within it.
fn find<'a>(lease: &'a LeaseState, module: &str, operation: &str) -> Result<&'a Entry, Failure> {
    let same = |entry: &&Entry| entry.module() == module && entry.operation_path() == operation;
    lease.catalog().entries().iter().find(same).ok_or_else(|| Failure::OperationUnknown {
        name: format!("{operation} of the module {module}"),
        nearest: "; look at what the lease's catalog has".to_owned(),
    })
}

/// A host may demand that every write says which call of which execution it is.
fn identified(lease: &LeaseState, entry: &Entry, context: &Context) -> Result<(), Failure> {
    let complete = context.tool_call_id().is_some() && context.operation_ordinal().is_some();
    let write = entry.operation().labels().access == Access::Write;
    if lease.runtime().require_execute_identity && write && !complete {
        return Err(Failure::IdentityMissing { operation: entry.path().to_owned() });
    }
    Ok(())
}
