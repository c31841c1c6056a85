//! One call against the policy: fetching the facts, asking, and asking again.

use std::{fmt, rc::Rc};

use futures::future::{Either, select};

use super::{
    AccessPolicy, Answer, Confirm, ConfirmRequest, Grant, HumanTime, Moment, NoRoom, Person,
    Ruling, Suspension, heed, observe, policy::unwound, rule,
};
use crate::{
    failure::{AccessRefusal, MESSAGE_BYTES, Reason, bounded},
    operation::{Access, Context, Labels},
    port::Ports,
};

/// The facts of a call that count for access; its input is none of them.
///
/// A direct tool is checked as the module of its own name.
#[derive(Clone, Copy)]
pub struct CallFacts<'a> {
    /// The id of the module that is the authority.
    pub module: &'a str,
    /// The operation's path within it.
    pub operation: &'a str,
    /// What the operation's author says of it.
    pub labels: Labels,
    /// The call itself, for the port that asks.
    pub context: &'a Context,
}

impl CallFacts<'_> {
    fn refusal(&self, reason: Reason) -> AccessRefusal {
        AccessRefusal::new(self.module, self.operation, reason)
    }
}

/// What was decided on a call.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct Verdict {
    /// Whether it may run; a refusal is the call's ordinary answer.
    pub decision: Result<(), AccessRefusal>,
    /// The milliseconds that a person took. They are in [`HumanTime`] already.
    pub person_ms: u64,
}

/// The access check of one execution, or of one direct call.
#[derive(Clone)]
pub struct AccessCheck {
    /// The host's decisions.
    pub policy: Rc<AccessPolicy>,
    /// The host.
    pub ports: Ports,
    /// The open questions of this execution.
    pub suspension: Suspension,
    /// What this execution has waited for people.
    pub human_time: HumanTime,
}

impl AccessCheck {
    /// Decides on a call: credential, then grant, then person; and after a person
    /// agreed, credential and grant again.
    ///
    /// Nothing of the call has run by then. Dropping the future withdraws the
    /// question and closes the approval.
    pub async fn decide(&self, call: &CallFacts<'_>) -> Verdict {
        let mut person_ms = 0;
        let decision = self.admit(call, &mut person_ms).await;
        if let Err(refusal) = &decision {
            self.observe(refusal);
        }
        Verdict { decision, person_ms }
    }

    /// Tells the observer of a refusal; for those that a module's gate decides.
    pub fn observe(&self, refusal: &AccessRefusal) {
        if let Some(observer) = &self.policy.on_refused {
            observe::tell(observer, refusal, &self.ports);
        }
    }

    async fn admit(&self, call: &CallFacts<'_>, person_ms: &mut u64) -> Result<(), AccessRefusal> {
        let (mut moment, mut person) = match self.policy.confirm {
            Some(_) => (Moment::Call, Person::Unasked),
            None => (Moment::Call, Person::Unreachable),
        };
        loop {
            self.authenticate(call, moment).await?;
            let grant = self.grant(call, moment).await?;
            self.writable(call, grant)?;
            match rule(grant, call.labels, person) {
                Ruling::Admit => return Ok(()),
                Ruling::Refuse(reason) => return Err(call.refusal(reason)),
                Ruling::Ask => self.ask(call, person_ms).await?,
            }
            (moment, person) = (Moment::Approved, Person::Agreed);
        }
    }

    /// A port that panics admits nobody.
    async fn authenticate(
        &self,
        call: &CallFacts<'_>,
        moment: Moment,
    ) -> Result<(), AccessRefusal> {
        let Some(port) = &self.policy.authentication else { return Ok(()) };
        match unwound(|| port.is_admitted(moment)).await {
            Some(true) => return Ok(()),
            Some(false) => {}
            None => self.warn(call, &"the authentication panicked"),
        }
        Err(call.refusal(Reason::NotAuthenticated))
    }

    async fn grant(&self, call: &CallFacts<'_>, moment: Moment) -> Result<Grant, AccessRefusal> {
        match self.policy.standing(moment).await {
            Ok(standing) => Ok(standing.grant(call.module)),
            Err(unreadable) => {
                self.warn(call, &unreadable);
                Err(call.refusal(Reason::GrantUnreadable))
            }
        }
    }

    /// A grant that refuses says so itself.
    fn writable(&self, call: &CallFacts<'_>, grant: Grant) -> Result<(), AccessRefusal> {
        let (module, operation) = (call.module, call.operation);
        match self.policy.writes_refused {
            Some(why) if grant == Grant::Write && call.labels.access == Access::Write => {
                let reason = Reason::ConfirmUnavailable;
                Err(AccessRefusal::saying(module, operation, reason, why))
            }
            _ => Ok(()),
        }
    }

    async fn ask(&self, call: &CallFacts<'_>, person_ms: &mut u64) -> Result<(), AccessRefusal> {
        let unavailable = || call.refusal(Reason::ConfirmUnavailable);
        let confirm = self.policy.confirm.as_ref().ok_or_else(unavailable)?;
        let left_ms = self.policy.approval_ms.saturating_sub(self.human_time.waited_ms());
        if left_ms == 0 {
            return Err(saying(call, Reason::TimedOut, TIME_USED_UP));
        }
        let _open = self.suspension.try_open().map_err(|why| no_room(call, why))?;
        let asking = self.human_time.ask();
        let answer = self.answer(call, confirm, left_ms).await;
        *person_ms = asking.waited_ms();
        heed(answer).map_err(|reason| call.refusal(reason))
    }

    /// The time runs first: an agreement that comes with its end is too late. Questions
    /// that are open together use it together, so it ends for all of them at once.
    async fn answer(
        &self,
        call: &CallFacts<'_>,
        confirm: &Rc<dyn Confirm>,
        left_ms: u64,
    ) -> Answer {
        let request = ConfirmRequest {
            module: call.module.to_owned(),
            operation: call.operation.to_owned(),
            access: call.labels.access,
        };
        let expiry = self.ports.timer.sleep(left_ms);
        let question = Box::pin(unwound(|| confirm.ask(request, call.context)));
        match select(expiry, question).await {
            Either::Left(_) => Answer::TimedOut,
            Either::Right((Some(answer), _)) => answer,
            Either::Right((None, _)) => {
                self.warn(call, &"asking the person panicked");
                Answer::Unavailable
            }
        }
    }

    fn warn(&self, call: &CallFacts<'_>, evidence: &dyn fmt::Display) {
        let line = format!("{} of {} refused: {evidence}", call.operation, call.module);
        self.ports.console.warn(&bounded(&line, MESSAGE_BYTES));
    }
}

const TIME_USED_UP: &str = "this program has waited for people as long as one may. Do the rest in \
     another program, when somebody is there to answer.";

fn no_room(call: &CallFacts<'_>, why: NoRoom) -> AccessRefusal {
    let why = match why {
        NoRoom::Never => {
            "this host runs one program at a time, and none may wait for a person. Tell your user \
             what you wanted to do, or ask the owner of this host to let two run at once."
        }
        NoRoom::Full => {
            "too many approvals are open. Call it again when one of them has been answered."
        }
        NoRoom::Questions => {
            "this program has as many questions open as one may. Await their answers, then call \
             it again."
        }
    };
    saying(call, Reason::ConfirmUnavailable, why)
}

fn saying(call: &CallFacts<'_>, reason: Reason, why: &str) -> AccessRefusal {
    AccessRefusal::saying(call.module, call.operation, reason, why)
}
