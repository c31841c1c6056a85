//! Work that is watched until it has settled, whether or not anybody waits for it.

use std::{cell::Cell, panic::AssertUnwindSafe, rc::Rc};

use futures::{
    FutureExt,
    channel::oneshot,
    future::{Either, select},
    pin_mut,
};

use super::super::{
    access::HumanTime,
    admission::{Deadline, Permit},
};
use crate::{
    failure::{Failure, Party},
    operation::Cancellation,
    port::{Clock, Ports},
    sandbox::{Ended, Logs, Sandbox, SandboxRequest},
};

/// A program's turn, and whether it has been used.
pub(super) struct Turn {
    pub(super) permit: Permit,
    pub(super) deadline: Deadline,
    /// Whether the program has been handed to its sandbox.
    pub(super) handed: Rc<Cell<bool>>,
}

impl Turn {
    /// Hands the program to the sandbox, which may say that it doesn't take it now: then
    /// nothing has run, and it goes back to its place in the queue until its turn comes
    /// again. Every turn has only the time that is left.
    async fn run(
        self,
        clock: &dyn Clock,
        sandbox: &dyn Sandbox,
        request: &SandboxRequest,
    ) -> Ended {
        let Self { mut permit, deadline, handed } = self;
        loop {
            if let Some(cause) = request.cancellation.cause() {
                // Cancelled before it was handed over, it starts no guest.
                return failed(cause, None);
            }
            let left_ms = deadline.remaining_ms(clock.now_ms());
            let limits = request.limits.clone().within(left_ms);
            handed.set(true);
            let ended = sandbox.run(SandboxRequest { limits, ..request.clone() }).await;
            let Err(Failure::SandboxBusy { .. }) = ended.answer else { return ended };
            handed.set(false);
            permit = match permit.requeue(&request.cancellation).await {
                Ok(permit) => permit,
                Err(failure) => return failed(failure, ended.evidence),
            };
        }
    }
}

/// Starts the program in the background. What it holds, `custody`, is let go when
/// the backing work has settled, not before: also after an abort that nobody
/// acknowledged, and also when nobody waits any more.
pub(super) fn start(
    ports: &Ports,
    sandbox: Rc<dyn Sandbox>,
    request: SandboxRequest,
    turn: Turn,
    custody: impl Sized + 'static,
) -> oneshot::Receiver<Ended> {
    let (send, ended) = oneshot::channel();
    let clock = Rc::clone(&ports.clock);
    let work = async move {
        let running = turn.run(&*clock, &*sandbox, &request);
        let result = AssertUnwindSafe(running).catch_unwind().await;
        drop(custody);
        // Nobody may be waiting: then there is nobody to tell.
        let _ = send.send(result.unwrap_or_else(|_panic| broken("the sandbox panicked")));
    };
    ports.background.spawn(work.boxed_local());
    ended
}

fn failed(failure: Failure, evidence: Option<String>) -> Ended {
    Ended { answer: Err(failure), logs: Logs::default(), evidence, isolates: 0 }
}

fn broken(evidence: &str) -> Ended {
    failed(Failure::Unknown {}, Some(evidence.to_owned()))
}

/// Nobody cancelled it, whatever the sandbox says: then nobody knows what happened.
fn uncancelled(ended: Ended) -> Ended {
    let Err(Failure::Cancelled { .. }) = ended.answer else { return ended };
    let said = "the sandbox says that it was cancelled, and nobody cancelled it";
    let evidence = ended.evidence.map_or_else(|| said.to_owned(), |more| format!("{said}: {more}"));
    Ended { answer: Err(Failure::Unknown {}), evidence: Some(evidence), ..ended }
}

/// How long an execution may take, by the host's clock.
pub(super) struct Budget {
    pub(super) human_time: HumanTime,
    pub(super) began_ms: u64,
    pub(super) timeout_ms: u64,
    /// How long a sandbox has to acknowledge a cancellation.
    pub(super) grace_ms: u64,
    /// Whether the program has been handed to its sandbox.
    pub(super) handed: Rc<Cell<bool>>,
}

/// What came of waiting: how it ended, and whether a cancellation was acknowledged.
pub(super) type Watched = (Ended, Option<bool>);

/// Waits for the program, against the clock and the cancellation.
///
/// A cancellation stands over a late success. When it comes, the sandbox has the
/// grace to settle; after that the caller is told that nobody knows whether the
/// work has stopped.
pub(super) async fn watch(
    ports: &Ports,
    running: oneshot::Receiver<Ended>,
    budget: &Budget,
    cancellation: &Cancellation,
) -> Watched {
    let settled = running.map(|ended| ended.unwrap_or_else(|_| broken("the work was dropped")));
    let over = ended_from_outside(budget, cancellation);
    pin_mut!(settled, over);
    let settling = match select(settled, over).await {
        Either::Left((ended, _)) => {
            return match cancellation.cause() {
                Some(cause) => (Ended { answer: Err(cause), ..ended }, Some(true)),
                None => (uncancelled(ended), None),
            };
        }
        Either::Right(((), settling)) => settling,
    };
    let cause = cancellation.cause().unwrap_or(Failure::Cancelled { by: Party::Host });
    match select(settling, ports.timer.sleep(budget.grace_ms)).await {
        Either::Left((ended, _)) => (Ended { answer: Err(cause), ..ended }, Some(true)),
        Either::Right(_) => {
            let evidence = "the sandbox hasn't acknowledged the cancellation".to_owned();
            (failed(cause, Some(evidence)), Some(false))
        }
    }
}

/// Resolves when the execution is cancelled, by its time or by somebody.
async fn ended_from_outside(budget: &Budget, cancellation: &Cancellation) {
    let expired = budget.human_time.used_up(budget.began_ms, budget.timeout_ms);
    let cancelled = cancellation.cancelled();
    pin_mut!(expired, cancelled);
    if let Either::Left(((), _)) = select(expired, cancelled).await {
        let (timeout_ms, started) = (budget.timeout_ms, budget.handed.get());
        cancellation.cancel(Failure::DeadlineExceeded { timeout_ms, started });
    }
}

/// Cancels on behalf of a caller who went away; one who stays disarms it.
pub(super) struct CallerGone(Option<Cancellation>);

impl CallerGone {
    pub(super) fn armed(cancellation: &Cancellation) -> Self {
        Self(Some(cancellation.clone()))
    }

    pub(super) fn disarm(mut self) {
        self.0 = None;
    }
}

impl Drop for CallerGone {
    fn drop(&mut self) {
        if let Some(cancellation) = self.0.take() {
            cancellation.cancel(Failure::Cancelled { by: Party::Caller });
        }
    }
}
