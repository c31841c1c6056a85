//! What every execution of one runtime shares, and the stages of one.

use std::{rc::Rc, task::Poll};

use futures::{pin_mut, poll};

use super::{
    custody::{self, Budget, CallerGone, Turn, Watched},
    result,
};
use crate::{
    failure::{Failure, Reference},
    forage,
    operation::{Cancellation, Catalog, Context, Trace},
    port::Ports,
    program::{Intake, Program},
    runtime::{
        Disclosure, ExecutionObserver, Notices, Outcome,
        access::{AccessCheck, AccessPolicy, Approvals, HumanTime, Standing, Suspension},
        account::{Open, Phases, Subject},
        admission::{Deadline, Permit, Semaphore},
        calls::{Calls, Record},
        evidence::{Evidence, FailureObserver},
        lease::Discovery,
        progress::{Step, Teller},
    },
    sandbox::{Ended, Limits, Logs, Sandbox, SandboxRequest},
};

/// The parts that don't change from one execution to the next.
pub(crate) struct Engine {
    pub(crate) intake: Rc<dyn Intake>,
    pub(crate) sandbox: Rc<dyn Sandbox>,
    pub(crate) limits: Limits,
    pub(crate) notices: Rc<Notices>,
    pub(crate) access: Rc<AccessPolicy>,
    pub(crate) approvals: Approvals,
    pub(crate) admission: Semaphore,
    pub(crate) observer: Option<Rc<dyn FailureObserver>>,
    pub(crate) accountant: Option<Rc<dyn ExecutionObserver>>,
    pub(crate) disclosure: Disclosure,
    pub(crate) ports: Ports,
}

/// One execution to make.
pub(crate) struct Order<C> {
    pub(crate) catalog: Rc<Catalog>,
    pub(crate) access: Rc<AccessPolicy>,
    pub(crate) standing: Standing,
    pub(crate) discovery: Discovery,
    pub(crate) tool_call_id: Option<Rc<str>>,
    pub(crate) principal: Option<Rc<str>>,
    /// Which trace it is part of, if anybody said.
    pub(crate) trace: Option<Trace>,
    /// All operations there are, of which the catalog is made.
    pub(crate) graph: forage::Catalog,
    pub(crate) cancellation: Cancellation,
    /// Who is told how far it has come.
    pub(crate) teller: Teller,
    /// What is held until the backing work has settled.
    pub(crate) custody: C,
}

/// What one execution is followed by, from its beginning.
struct Course<'a> {
    execution_id: &'a Rc<str>,
    trace: Trace,
    record: &'a Record,
    human_time: HumanTime,
    phases: Rc<Phases>,
}

impl Engine {
    /// The access check of one direct call.
    pub(crate) fn direct_check(&self, policy: &Rc<AccessPolicy>) -> AccessCheck {
        self.access_check(
            Rc::clone(policy),
            Suspension::of_direct_call(),
            HumanTime::new(&self.ports),
        )
    }

    fn access_check(
        &self,
        policy: Rc<AccessPolicy>,
        suspension: Suspension,
        human_time: HumanTime,
    ) -> AccessCheck {
        AccessCheck { policy, ports: self.ports.clone(), suspension, human_time }
    }

    /// Runs `code` to its outcome. Its time counts from the first poll.
    ///
    /// Dropping the future cancels the execution as its caller; what it holds is
    /// let go when the work behind it has settled.
    pub(crate) async fn execute<C: 'static>(&self, code: &str, order: Order<C>) -> Outcome {
        let gone = CallerGone::armed(&order.cancellation);
        let execution_id: Rc<str> = self.ports.name().into();
        let record = Record::showing(&self.disclosure);
        let human_time = HumanTime::new(&self.ports);
        let trace = Trace::of_execution(&execution_id, order.trace);
        let open = self.open(code, &order, (&execution_id, trace), (&record, &human_time));
        let course = Course {
            execution_id: &execution_id,
            trace,
            record: &record,
            human_time,
            phases: open.as_ref().map(Open::phases).unwrap_or_default(),
        };
        let (ended, acknowledged) = match self.run(code, order, course).await {
            Ok(watched) => watched,
            Err(failure) => (not_run(failure), None),
        };
        gone.disarm();
        let outcome = self.outcome(execution_id, ended, acknowledged, &record);
        if let Some(open) = open {
            open.close(&outcome);
        }
        outcome
    }

    /// Opens the account of an execution, where somebody keeps them.
    fn open<C>(
        &self,
        code: &str,
        order: &Order<C>,
        (execution_id, trace): (&Rc<str>, Trace),
        (record, human_time): (&Record, &HumanTime),
    ) -> Option<Open> {
        let observer = self.accountant.as_ref()?;
        let subject = Subject {
            execution_id,
            principal: order.principal.as_deref(),
            within: order.trace,
            trace,
            catalog: &order.graph,
            code,
            disclosure: &self.disclosure,
        };
        Some(Open::begin(observer, &self.ports, &subject, record, human_time))
    }

    /// The outcome of an execution that isn't begun.
    pub(crate) fn refuse(&self, failure: Failure) -> Outcome {
        self.outcome(self.ports.name().into(), not_run(failure), None, &Record::default())
    }

    async fn run<C: 'static>(
        &self,
        code: &str,
        order: Order<C>,
        course: Course<'_>,
    ) -> Result<Watched, Failure> {
        let deadline = Deadline::new(self.ports.clock.now_ms(), self.limits.timeout_ms);
        let program = self.read(code)?;
        course.phases.read(&*self.ports.clock);
        let permit = self.admit(deadline, &order).await?;
        course.phases.admitted(&*self.ports.clock);
        let budget = self.budget(deadline, &course.human_time);
        let cancellation = order.cancellation.clone();
        let (request, custody) = self.request(program, order, deadline, &course);
        self.notices.print(&*self.ports.console);
        let turn = Turn { permit, deadline, handed: Rc::clone(&budget.handed) };
        let running = custody::start(&self.ports, Rc::clone(&self.sandbox), request, turn, custody);
        Ok(custody::watch(&self.ports, running, &budget, &cancellation).await)
    }

    /// Waits for a permit, and tells of it when there is none at once.
    async fn admit<C>(&self, deadline: Deadline, order: &Order<C>) -> Result<Permit, Failure> {
        let permit = self.admission.acquire(deadline, &order.cancellation);
        pin_mut!(permit);
        if let Poll::Ready(permit) = poll!(permit.as_mut()) {
            return permit;
        }
        let arrived_ms = self.ports.clock.now_ms();
        let ahead = self.admission.queued().saturating_sub(1);
        order.teller.tell(Step::Queued { ahead });
        let permit = permit.await?;
        let waited_ms = self.ports.clock.now_ms().saturating_sub(arrived_ms);
        order.teller.tell(Step::Admitted { waited_ms });
        Ok(permit)
    }

    fn read(&self, code: &str) -> Result<Program, Failure> {
        let limit = self.limits.code_bytes;
        if code.len() > limit {
            return Err(Failure::ProgramTooLarge { limit });
        }
        self.intake.read(code)
    }

    fn budget(&self, deadline: Deadline, human_time: &HumanTime) -> Budget {
        let timeout_ms = deadline.timeout_ms();
        Budget {
            human_time: human_time.clone(),
            began_ms: deadline.at_ms().saturating_sub(timeout_ms),
            timeout_ms,
            grace_ms: self.limits.grace_ms,
            handed: Rc::default(),
        }
    }

    /// The time in the queue is spent: what is left bounds the isolate's CPU too.
    fn request<C>(
        &self,
        program: Program,
        order: Order<C>,
        deadline: Deadline,
        course: &Course<'_>,
    ) -> (SandboxRequest, C) {
        let Course { execution_id, trace, record, human_time, .. } = course;
        let limits = self.limits.clone().within(deadline.remaining_ms(self.ports.clock.now_ms()));
        let mut facts =
            Context::builder().execution_id(Rc::clone(execution_id)).deadline_ms(deadline.at_ms());
        facts = facts.trace(*trace);
        if let Some(id) = order.tool_call_id {
            facts = facts.tool_call_id(id);
        }
        if let Some(principal) = order.principal {
            facts = facts.principal(principal);
        }
        let calls = Calls {
            catalog: order.catalog,
            standing: order.standing,
            discovery: order.discovery,
            access: self.access_check(order.access, self.approvals.execution(), human_time.clone()),
            facts,
            cancellation: order.cancellation.clone(),
            abandoned: order.cancellation.child(),
            limits: limits.clone(),
            record: (*record).clone(),
            teller: order.teller,
        };
        let request = SandboxRequest {
            program: Rc::new(program),
            execution_id: Rc::clone(execution_id),
            limits,
            bindings: Rc::new(calls),
            cancellation: order.cancellation,
        };
        (request, order.custody)
    }

    fn outcome(
        &self,
        execution_id: Rc<str>,
        ended: Ended,
        acknowledged: Option<bool>,
        record: &Record,
    ) -> Outcome {
        let mut ended = result::checked(ended, &self.limits);
        record.log_into(&mut ended.logs, &self.limits);
        let detail = [ended.evidence, record.evidence()];
        let (calls, refusals) = record.read();
        let reference = ended.answer.as_ref().err().map(|failure| {
            let reference = Reference::new(self.ports.random.bits());
            let evidence = Evidence {
                execution_id: Rc::clone(&execution_id),
                failure: failure.clone(),
                reference,
                detail: joined(detail),
            };
            evidence.report(self.observer.as_ref(), &self.ports);
            reference
        });
        Outcome {
            execution_id,
            answer: ended.answer,
            acknowledged,
            reference,
            logs: ended.logs,
            isolates: ended.isolates,
            calls,
            refusals,
        }
    }
}

fn joined(texts: [Option<String>; 2]) -> Option<String> {
    let texts: Vec<String> = texts.into_iter().flatten().collect();
    (!texts.is_empty()).then(|| texts.join("; "))
}

fn not_run(failure: Failure) -> Ended {
    Ended { answer: Err(failure), logs: Logs::default(), evidence: None, isolates: 0 }
}
