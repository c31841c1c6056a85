//! The other side of the bindings: it does what the scenarios need, and notes what came.

use std::{cell::RefCell, rc::Rc};

use futures::FutureExt;

use crate::{
    failure::{Failure, Party},
    operation::Cancellation,
    port::Ports,
    sandbox::{Bindings, CallFuture},
};

/// What reached the host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Seen {
    /// A call: its ordinal, its operation, its input.
    Call(u64, &'static str, String),
    /// A call that failed before it left the guest.
    Refused(&'static str),
    /// The calls under way were abandoned.
    Abandoned,
    /// A call of this operation ended.
    Ended(&'static str),
}

const PATHS: [&str; 6] =
    ["test.fails", "test.first", "test.pauses", "test.second", "test.stop", "test.waits"];

/// How long `test.pauses` takes.
pub(super) const PAUSE_MS: u64 = 20;

/// The cancellation of one run by whoever asked for it.
pub(super) const CAUSE: Failure = Failure::Cancelled { by: Party::Caller };

/// The failure of `test.fails`.
pub(super) fn refused() -> Failure {
    Failure::CapabilityFailed {
        operation: "test.fails".to_owned(),
        problem: "not today".to_owned(),
    }
}

/// The bindings of one run.
pub(super) struct Probe {
    ports: Ports,
    cancellation: Cancellation,
    abandoned: Cancellation,
    seen: Rc<RefCell<Vec<Seen>>>,
}

impl Probe {
    pub(super) fn new(ports: &Ports, cancellation: &Cancellation) -> Self {
        Self {
            ports: ports.clone(),
            cancellation: cancellation.clone(),
            abandoned: cancellation.child(),
            seen: Rc::default(),
        }
    }

    /// What reached the host, in order.
    pub(super) fn seen(&self) -> Vec<Seen> {
        self.seen.borrow().clone()
    }

    /// How many calls did.
    pub(super) fn calls(&self) -> usize {
        let is_call = |seen: &&Seen| matches!(seen, Seen::Call(..));
        self.seen.borrow().iter().filter(is_call).count()
    }

    fn answer(&self, path: &'static str, input: String) -> CallFuture {
        let ended = {
            let seen = Rc::clone(&self.seen);
            move || seen.borrow_mut().push(Seen::Ended(path))
        };
        let (cancellation, abandoned) = (self.cancellation.clone(), self.abandoned.clone());
        let timer = Rc::clone(&self.ports.timer);
        async move {
            let answer = match path {
                "test.fails" => Err(refused()),
                "test.pauses" => {
                    timer.sleep(PAUSE_MS).await;
                    Ok("null".to_owned())
                }
                "test.waits" => Err(abandoned.cancelled().await),
                "test.stop" => {
                    cancellation.cancel(CAUSE);
                    Ok("null".to_owned())
                }
                _ => Ok(input),
            };
            ended();
            answer
        }
        .boxed_local()
    }
}

impl Bindings for Probe {
    fn paths(&self) -> Vec<String> {
        PATHS.map(str::to_owned).to_vec()
    }

    fn hidden(&self) -> Vec<usize> {
        Vec::new()
    }

    fn call(&self, ordinal: u64, index: usize, input: &str) -> Option<CallFuture> {
        let path = PATHS.get(index)?;
        self.seen.borrow_mut().push(Seen::Call(ordinal, path, input.to_owned()));
        Some(self.answer(path, input.to_owned()))
    }

    fn refuse(&self, index: usize, _: &Failure) {
        let path = PATHS.get(index).copied().unwrap_or_default();
        self.seen.borrow_mut().push(Seen::Refused(path));
    }

    fn abandon(&self) {
        self.seen.borrow_mut().push(Seen::Abandoned);
        self.abandoned.cancel(Failure::Cancelled { by: Party::Host });
    }
}
