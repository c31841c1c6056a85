//! Deciding on a pen, and reviewing one.
//!
//! Each notes what is decided, does it, and notes that it is done; called again after a
//! restart it goes on.

use std::rc::Rc;

use super::{
    Action, DecideInput, DecideOutput, ReviewInput, Verdict,
    ledger::{Order, Pen},
    module::{Shared, pen_id, undone},
};
use crate::operation::{Context, OperationError};

/// `pen.decide`.
pub(super) async fn decide(
    shared: Rc<Shared>,
    input: DecideInput,
    context: Context,
) -> Result<DecideOutput, OperationError> {
    let DecideInput { pen_id, action, manifest } = input;
    let pen_id = shared.pen(&pen_id, &context)?;
    let refused = |problem: &str| Err(OperationError::input(problem));
    match (action, &manifest) {
        (Action::Share, None) => {
            return refused("share needs the manifest: send it whole, as the schema has it");
        }
        (Action::Share, Some(manifest)) => {
            manifest.check(&pen_id).map_err(OperationError::input)?;
        }
        (_, Some(_)) => return refused("only share has a manifest: leave it out"),
        (_, None) => {}
    }
    let order = Order::Decide { pen_id: pen_id.clone(), action, manifest };
    let pen = shared.told(pen_id.persona(), order).await?;
    let archive = &shared.parts.archive;
    let objects = match action {
        // Only what is decided to be kept or shared is ever written: the book has all there is.
        Action::Erase => Ok(Vec::new()),
        Action::Keep | Action::Share => archive.write(&pen, action).await,
    };
    let objects = objects.map_err(|error| undone("pen.decide", error))?;
    let order = Order::Settle { pen_id: pen_id.clone(), action };
    done(shared.told(pen_id.persona(), order).await?, objects)
}

/// `pen.review`.
pub(super) async fn review(
    shared: Rc<Shared>,
    input: ReviewInput,
    context: Context,
) -> Result<DecideOutput, OperationError> {
    let ReviewInput { pen_id: id, verdict, reason } = input;
    let reviewer =
        context.principal().filter(|reviewer| shared.parts.personas.may_review(Some(reviewer)));
    let Some(reviewer) = reviewer else {
        return Err(OperationError::input(
            "you are no reviewer: leave it to one, or ask the owner of this host to name you",
        ));
    };
    let pen_id = pen_id(&id)?;
    let reason = reason.filter(|reason| !reason.trim().is_empty());
    if verdict == Verdict::Reject && reason.is_none() {
        return Err(OperationError::input(
            "a rejection says why: give a reason that its author can act on",
        ));
    }
    let reviewer = reviewer.to_owned();
    let order = Order::Review { pen_id: pen_id.clone(), verdict, reason, reviewer };
    let pen = shared.told(pen_id.persona(), order).await?;
    let objects = match verdict {
        Verdict::Accept => {
            let copied = shared.parts.archive.accept(&pen.record).await;
            copied.map_err(|error| undone("pen.review", error))?
        }
        Verdict::Reject | Verdict::Observe => Vec::new(),
    };
    let order = Order::Conclude { pen_id: pen_id.clone(), verdict };
    done(shared.told(pen_id.persona(), order).await?, objects)
}

fn done(pen: Pen, objects: Vec<String>) -> Result<DecideOutput, OperationError> {
    let record = pen.record;
    Ok(DecideOutput {
        pen_id: record.pen_id,
        state: record.state.name().to_owned(),
        objects,
        syslog_id: record.syslog_id,
    })
}
