//! Ports that a test scripts, and a check over them.

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};

use futures::{FutureExt, channel::oneshot, future::LocalBoxFuture};
use mycelium::{
    operation::{Access, Context, Labels},
    runtime::access::{
        AccessCheck, AccessPolicy, Answer, Approvals, Authentication, CallFacts, Confirm,
        ConfirmRequest, Grant, Grants, HumanTime, Moment, SessionGrants, Unreadable, Verdict,
    },
    testing::{Host, Started},
};

pub(crate) const READ: Labels = labels(Access::Read, false);
pub(crate) const WRITE: Labels = labels(Access::Write, false);
pub(crate) const CONFIRMED: Labels = labels(Access::Write, true);

const fn labels(access: Access, confirm: bool) -> Labels {
    Labels { access, confirm, replay: mycelium::operation::Replay::Unsafe }
}

pub(crate) fn grants(said: &[(&str, Grant)]) -> Grants {
    said.iter().copied().collect()
}

/// What the ports were asked, in order.
#[derive(Clone, Default)]
pub(crate) struct Trace(Rc<RefCell<Vec<&'static str>>>);

impl Trace {
    pub(crate) fn note(&self, step: &'static str) {
        self.0.borrow_mut().push(step);
    }

    pub(crate) fn steps(&self) -> Vec<&'static str> {
        self.0.borrow().clone()
    }

    pub(crate) fn count(&self, step: &str) -> usize {
        self.0.borrow().iter().filter(|noted| **noted == step).count()
    }
}

/// A session's grants that a test changes.
pub(crate) struct Session {
    now: RefCell<Result<Grants, &'static str>>,
    pub(crate) trace: Trace,
}

impl Session {
    pub(crate) fn new(said: &[(&str, Grant)]) -> Rc<Self> {
        Rc::new(Self { now: RefCell::new(Ok(grants(said))), trace: Trace::default() })
    }

    /// What the next read comes to.
    pub(crate) fn turn(&self, now: Result<Grants, &'static str>) {
        *self.now.borrow_mut() = now;
    }

    pub(crate) fn set(&self, said: &[(&str, Grant)]) {
        self.turn(Ok(grants(said)));
    }
}

impl SessionGrants for Session {
    fn read(&self, moment: Moment) -> LocalBoxFuture<'static, Result<Rc<Grants>, Unreadable>> {
        self.trace.note(match moment {
            Moment::Call => "grants",
            Moment::Approved => "grants again",
        });
        let now = self.now.borrow().clone();
        async move { now.map(Rc::new).map_err(Unreadable::new) }.boxed_local()
    }
}

/// A credential that a test revokes.
pub(crate) struct Credential {
    pub(crate) good: Cell<bool>,
    pub(crate) trace: Trace,
}

impl Credential {
    pub(crate) fn new(trace: Trace) -> Rc<Self> {
        Rc::new(Self { good: Cell::new(true), trace })
    }
}

impl Authentication for Credential {
    fn is_admitted(&self, moment: Moment) -> LocalBoxFuture<'static, bool> {
        self.trace.note(match moment {
            Moment::Call => "credential",
            Moment::Approved => "credential again",
        });
        std::future::ready(self.good.get()).boxed_local()
    }
}

/// A person who answers when the test says.
#[derive(Default)]
pub(crate) struct Somebody {
    questions: RefCell<Vec<oneshot::Sender<Answer>>>,
    pub(crate) requests: RefCell<Vec<ConfirmRequest>>,
    trace: Trace,
}

impl Somebody {
    pub(crate) fn traced(trace: Trace) -> Rc<Self> {
        Rc::new(Self { trace, ..Self::default() })
    }

    /// Answers the oldest open question; whether anybody still waited.
    pub(crate) fn answer(&self, answer: Answer) -> bool {
        let question = self.questions.borrow_mut().drain(..1).next();
        question.is_some_and(|question| question.send(answer).is_ok())
    }

    pub(crate) fn was_asked(&self) -> usize {
        self.requests.borrow().len()
    }
}

impl Confirm for Somebody {
    fn ask(&self, request: ConfirmRequest, _: &Context) -> LocalBoxFuture<'static, Answer> {
        self.trace.note("person");
        let (question, answered) = oneshot::channel();
        self.questions.borrow_mut().push(question);
        self.requests.borrow_mut().push(request);
        answered.map(|answer| answer.unwrap_or(Answer::Unavailable)).boxed_local()
    }
}

/// One execution's check, its runtime's approvals, and the host that runs it.
pub(crate) struct Checking {
    host: Host,
    pub(crate) approvals: Approvals,
    pub(crate) check: AccessCheck,
}

/// Of a runtime that runs two programs at once.
pub(crate) fn check(host: &Host, policy: AccessPolicy) -> Checking {
    check_of(host, policy, &Approvals::new(2))
}

pub(crate) fn check_of(host: &Host, policy: AccessPolicy, approvals: &Approvals) -> Checking {
    let ports = host.ports();
    let check = AccessCheck {
        policy: Rc::new(policy),
        suspension: approvals.execution(),
        human_time: HumanTime::new(&ports),
        ports,
    };
    Checking { host: host.clone(), approvals: approvals.clone(), check }
}

/// A call of `notes`' operation `remove`.
pub(crate) fn call(checking: &Checking, labels: Labels) -> Started<Verdict> {
    call_of(checking, "notes", labels)
}

pub(crate) fn call_of(checking: &Checking, module: &str, labels: Labels) -> Started<Verdict> {
    let (check, module) = (checking.check.clone(), module.to_owned());
    checking.host.start(async move {
        let context = Context::builder().execution_id("execution").operation_ordinal(0).build();
        let call = CallFacts { module: &module, operation: "remove", labels, context: &context };
        check.decide(&call).await
    })
}

/// The code of the refusal that a call comes to at once; `ran` when it was admitted,
/// `waits` when it hasn't been decided.
pub(crate) fn said(verdict: Option<Verdict>) -> &'static str {
    match verdict.map(|verdict| verdict.decision) {
        None => "waits",
        Some(Ok(())) => "ran",
        Some(Err(refusal)) => refusal.reason().code(),
    }
}
