//! The laws one by one.

use std::{fmt::Debug, rc::Rc};

use futures::{
    FutureExt,
    future::{Either, LocalBoxFuture, join, select},
    pin_mut,
};

use super::{
    Candidate, Scenario,
    probe::{CAUSE, PAUSE_MS, Probe, Seen, refused},
};
use crate::{
    failure::Failure,
    operation::Cancellation,
    port::Ports,
    sandbox::{Ended, Limits, SandboxRequest},
};

/// What was found instead, if the law was broken.
type Found = Result<(), String>;

type Law = for<'a> fn(&'a dyn Candidate, &'a Ports) -> LocalBoxFuture<'a, Found>;

/// How long a run may take that has every reason to end.
const PATIENCE_MS: u64 = 5_000;
/// Until something that isn't expected would have come.
const WHILE_MS: u64 = 100;

macro_rules! laws {
    ($($law:ident),* $(,)?) => {
        /// Every law with its name.
        pub(super) const LAWS: &[(&str, Law)] = &[
            $((stringify!($law), |candidate, ports| $law(candidate, ports).boxed_local()),)*
        ];
    };
}

laws![
    an_answer_is_the_programs_own,
    calls_are_counted_in_the_order_they_are_made,
    calls_side_by_side_are_counted_when_they_are_made,
    a_throw_is_a_guest_exception,
    a_failure_let_through_is_the_hosts_own,
    what_is_not_bound_is_unknown_and_reaches_nobody,
    no_more_calls_are_made_than_there_may_be,
    a_cancelled_run_calls_nothing,
    a_cancellation_ends_a_program_that_never_ends,
    a_cancellation_waits_for_the_calls_that_it_abandons,
    a_cancellation_stands_over_a_late_success,
    calls_that_were_left_settle_before_the_answer_comes,
    calls_beside_a_throw_are_abandoned_and_awaited,
    a_call_after_the_answer_reaches_nobody,
    a_dropped_run_calls_no_more,
    no_run_sees_what_another_left,
];

/// A law that takes for ever is broken.
pub(super) async fn within_time(law: LocalBoxFuture<'_, Found>, ports: &Ports) -> Found {
    match select(law, ports.timer.sleep(PATIENCE_MS)).await {
        Either::Left((found, _)) => found,
        Either::Right(_) => Err(format!("it hadn't ended after {PATIENCE_MS} ms")),
    }
}

/// One run of a scenario.
struct Trial {
    ports: Ports,
    probe: Rc<Probe>,
    cancellation: Cancellation,
    run: LocalBoxFuture<'static, Ended>,
}

impl Trial {
    fn of(candidate: &dyn Candidate, ports: &Ports, scenario: Scenario) -> Self {
        Self::with(candidate, ports, scenario, Cancellation::new(Rc::clone(&ports.handoff)))
    }

    fn with(
        candidate: &dyn Candidate,
        ports: &Ports,
        scenario: Scenario,
        cancellation: Cancellation,
    ) -> Self {
        let (sandbox, program) = candidate.ready(scenario);
        let probe = Rc::new(Probe::new(ports, &cancellation));
        let run = sandbox.run(SandboxRequest {
            program,
            execution_id: ports.name().into(),
            limits: Limits { calls: 3, ..Limits::default() },
            bindings: probe.clone(),
            cancellation: cancellation.clone(),
        });
        Self { ports: ports.clone(), probe, cancellation, run }
    }

    /// Runs it, and cancels it when it has run for a while.
    async fn cancelled_later(self) -> (Result<Option<String>, Failure>, Rc<Probe>) {
        let Self { ports, probe, cancellation, run } = self;
        let cancel = async move {
            ports.timer.sleep(WHILE_MS).await;
            cancellation.cancel(CAUSE);
        };
        (join(run, cancel).await.0.answer, probe)
    }
}

fn is<T: PartialEq + Debug>(found: T, expected: T) -> Found {
    if found == expected { Ok(()) } else { Err(format!("{found:?} came, not {expected:?}")) }
}

/// An answer that may be printed with other spaces.
fn answers(found: Result<Option<String>, Failure>, expected: &str) -> Found {
    let read = |text: &str| serde_json::from_str::<serde_json::Value>(text).ok();
    match &found {
        Ok(Some(text)) if read(text) == read(expected) => Ok(()),
        other => Err(format!("{other:?} came, not {expected}")),
    }
}

async fn an_answer_is_the_programs_own(candidate: &dyn Candidate, ports: &Ports) -> Found {
    let trial = Trial::of(candidate, ports, Scenario::Answers);
    answers(trial.run.await.answer, r#"{"a":[1,"é"],"b":null}"#)?;
    is(trial.probe.seen(), Vec::new())
}

async fn calls_are_counted_in_the_order_they_are_made(
    candidate: &dyn Candidate,
    ports: &Ports,
) -> Found {
    let trial = Trial::of(candidate, ports, Scenario::CallsInTurn);
    answers(trial.run.await.answer, r#"[1,{"n":2}]"#)?;
    let seen = vec![
        Seen::Call(0, "test.first", "1".to_owned()),
        Seen::Ended("test.first"),
        Seen::Call(1, "test.second", r#"{"n":2}"#.to_owned()),
        Seen::Ended("test.second"),
    ];
    is(trial.probe.seen(), seen)
}

async fn calls_side_by_side_are_counted_when_they_are_made(
    candidate: &dyn Candidate,
    ports: &Ports,
) -> Found {
    let trial = Trial::of(candidate, ports, Scenario::CallsSideBySide);
    answers(trial.run.await.answer, "[2,1]")?;
    let mut calls = trial.probe.seen();
    calls.retain(|seen| matches!(seen, Seen::Call(..)));
    let expected = vec![
        Seen::Call(0, "test.second", "2".to_owned()),
        Seen::Call(1, "test.first", "1".to_owned()),
    ];
    is(calls, expected)
}

async fn a_throw_is_a_guest_exception(candidate: &dyn Candidate, ports: &Ports) -> Found {
    match Trial::of(candidate, ports, Scenario::Throws).run.await.answer {
        Err(Failure::GuestException { problem, .. }) if problem == "thrown" => Ok(()),
        other => Err(format!("{other:?} came, not the guest's exception")),
    }
}

async fn a_failure_let_through_is_the_hosts_own(candidate: &dyn Candidate, ports: &Ports) -> Found {
    let trial = Trial::of(candidate, ports, Scenario::LetsFailureThrough);
    is(trial.run.await.answer, Err(refused()))
}

async fn what_is_not_bound_is_unknown_and_reaches_nobody(
    candidate: &dyn Candidate,
    ports: &Ports,
) -> Found {
    let trial = Trial::of(candidate, ports, Scenario::CallsMissing);
    match trial.run.await.answer {
        Err(Failure::OperationUnknown { name, .. }) if name == "test.missing" => {}
        other => return Err(format!("{other:?} came, not that test.missing is unknown")),
    }
    is(trial.probe.calls(), 0)
}

async fn no_more_calls_are_made_than_there_may_be(
    candidate: &dyn Candidate,
    ports: &Ports,
) -> Found {
    let trial = Trial::of(candidate, ports, Scenario::CallsFourTimes);
    is(trial.run.await.answer, Err(Failure::CallBudgetExceeded { limit: 3 }))?;
    is(trial.probe.calls(), 3)
}

async fn a_cancelled_run_calls_nothing(candidate: &dyn Candidate, ports: &Ports) -> Found {
    let cancellation = Cancellation::new(Rc::clone(&ports.handoff));
    cancellation.cancel(CAUSE);
    let trial = Trial::with(candidate, ports, Scenario::CallsInTurn, cancellation);
    is(trial.run.await.answer, Err(CAUSE))?;
    is(trial.probe.calls(), 0)
}

async fn a_cancellation_ends_a_program_that_never_ends(
    candidate: &dyn Candidate,
    ports: &Ports,
) -> Found {
    let trial = Trial::of(candidate, ports, Scenario::NeverEnds);
    is(trial.cancelled_later().await.0, Err(CAUSE))
}

async fn a_cancellation_waits_for_the_calls_that_it_abandons(
    candidate: &dyn Candidate,
    ports: &Ports,
) -> Found {
    let trial = Trial::of(candidate, ports, Scenario::AwaitsCall);
    let (answer, probe) = trial.cancelled_later().await;
    is(answer, Err(CAUSE))?;
    abandoned_and_awaited(&probe)
}

fn abandoned_and_awaited(probe: &Probe) -> Found {
    let seen = probe.seen();
    for expected in [Seen::Abandoned, Seen::Ended("test.waits")] {
        if !seen.contains(&expected) {
            return Err(format!("{expected:?} is missing from {seen:?}"));
        }
    }
    Ok(())
}

async fn a_cancellation_stands_over_a_late_success(
    candidate: &dyn Candidate,
    ports: &Ports,
) -> Found {
    let trial = Trial::of(candidate, ports, Scenario::StopsItself);
    is(trial.run.await.answer, Err(CAUSE))
}

async fn calls_that_were_left_settle_before_the_answer_comes(
    candidate: &dyn Candidate,
    ports: &Ports,
) -> Found {
    let trial = Trial::of(candidate, ports, Scenario::LeavesCall);
    answers(trial.run.await.answer, "1")?;
    let input = trial.probe.seen().first().cloned();
    match (input, trial.probe.seen().last()) {
        (Some(Seen::Call(0, "test.pauses", _)), Some(Seen::Ended("test.pauses"))) => Ok(()),
        other => Err(format!("{other:?} came, not a call that ended")),
    }
}

async fn calls_beside_a_throw_are_abandoned_and_awaited(
    candidate: &dyn Candidate,
    ports: &Ports,
) -> Found {
    let trial = Trial::of(candidate, ports, Scenario::ThrowsBesideCall);
    match trial.run.await.answer {
        Err(Failure::GuestException { .. }) => abandoned_and_awaited(&trial.probe),
        other => Err(format!("{other:?} came, not the guest's exception")),
    }
}

async fn a_call_after_the_answer_reaches_nobody(candidate: &dyn Candidate, ports: &Ports) -> Found {
    let trial = Trial::of(candidate, ports, Scenario::CallsLate);
    answers(trial.run.await.answer, "1")?;
    ports.timer.sleep(WHILE_MS).await;
    is(trial.probe.calls(), 0)
}

async fn a_dropped_run_calls_no_more(candidate: &dyn Candidate, ports: &Ports) -> Found {
    let Trial { probe, run, .. } = Trial::of(candidate, ports, Scenario::CallsForEver);
    let while_ms = PAUSE_MS.saturating_mul(2);
    {
        let passed = ports.timer.sleep(while_ms);
        pin_mut!(passed);
        if let Either::Left((ended, _)) = select(run, passed).await {
            return Err(format!("{:?} came of what never ends", ended.answer));
        }
    }
    let before = probe.calls();
    ports.timer.sleep(WHILE_MS).await;
    is(probe.calls(), before)
}

async fn no_run_sees_what_another_left(candidate: &dyn Candidate, ports: &Ports) -> Found {
    for _ in 0..2 {
        let trial = Trial::of(candidate, ports, Scenario::Counts);
        answers(trial.run.await.answer, "1")?;
    }
    Ok(())
}
