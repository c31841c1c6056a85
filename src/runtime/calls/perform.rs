//! One call, in the order that access demands: credential, grant, person, input,
//! the module's gate, and only then the operation.

use super::super::access::{AccessCheck, CallFacts};
use crate::{
    failure::{AccessRefusal, Failure, MESSAGE_BYTES, Reason, bounded},
    operation::{Callable, Context, Decoded, Entry, Fault, GateRefusal, Given},
    port::Console,
};

/// Why a call gave no answer of the operation's.
pub(crate) enum Unanswered {
    /// It wasn't allowed: the refusal is the call's ordinary answer.
    Refused(AccessRefusal),
    /// It failed; the text is for the operator alone.
    Failed(Failure, Option<String>),
}

impl From<AccessRefusal> for Unanswered {
    fn from(refusal: AccessRefusal) -> Self {
        Self::Refused(refusal)
    }
}

/// Performs a call of `entry`. `decode` reads the input, and is asked only when the
/// call is allowed; `give` makes of the answer what the caller takes.
pub(crate) async fn perform<T>(
    entry: &Entry,
    context: Context,
    access: &AccessCheck,
    decode: impl FnOnce(&Callable) -> Result<Decoded, Fault>,
    give: impl FnOnce(Given) -> Result<T, Fault>,
) -> Result<T, Unanswered> {
    let facts = CallFacts {
        module: entry.module(),
        operation: entry.operation_path(),
        labels: entry.operation().labels(),
        context: &context,
    };
    access.decide(&facts).await.decision?;
    let failed = |fault: Fault| {
        let (failure, evidence) = fault.failure(entry.path());
        Unanswered::Failed(failure, evidence)
    };
    let decoded = decode(entry.operation()).map_err(failed)?;
    if let Err(refusal) = entry.pass_gates(&context).await {
        let refusal = gate_refusal(entry, refusal, &*access.ports.console);
        access.observe(&refusal);
        return Err(refusal.into());
    }
    decoded.answer(context).await.and_then(give).map_err(failed)
}

fn gate_refusal(entry: &Entry, refusal: GateRefusal, console: &dyn Console) -> AccessRefusal {
    let why = match refusal {
        GateRefusal::Refused { message } => bounded(&message, MESSAGE_BYTES),
        GateRefusal::Failed { evidence } => {
            console.warn(&format!("operation {}: {evidence}", entry.path()));
            "the module can't tell whether it may run. Tell the operator.".to_owned()
        }
    };
    let reason = Reason::GateRefused;
    AccessRefusal::saying(entry.module(), entry.operation_path(), reason, &why)
}
