//! The kit's own sandbox keeps the laws of every sandbox, and the laws notice who doesn't.

use std::{cell::RefCell, rc::Rc};

use futures::{
    FutureExt,
    future::{LocalBoxFuture, join, select},
};
use mycelium::{
    Failure,
    port::Ports,
    program::{Intake, NativeIntake, Program},
    sandbox::{Ended, Logs, Sandbox, SandboxRequest},
    testing::{
        BrokenLaw, Candidate, DirectBindings, DirectError, Host, Scenario, direct_sandbox,
        sandbox_contract,
    },
};
use serde_json::{Value, json};

use super::scripted::Scripted;

pub(crate) fn program() -> Rc<Program> {
    Rc::new(NativeIntake.read("return 1").unwrap())
}

/// The direct sandbox, with each scenario as a callback.
struct Direct {
    ports: Ports,
}

impl Candidate for Direct {
    fn ready(&self, scenario: Scenario) -> (Rc<dyn Sandbox>, Rc<Program>) {
        let ports = self.ports.clone();
        let sandbox =
            direct_sandbox(move |bindings, _| run(scenario, bindings, ports.clone()).boxed_local());
        (Rc::new(sandbox), program())
    }
}

async fn run(
    scenario: Scenario,
    bindings: DirectBindings,
    ports: Ports,
) -> Result<Value, DirectError> {
    let thrown = || DirectError::Thrown("thrown".to_owned());
    let call = |name: &str, input: Value| bindings.call(&format!("test.{name}"), input);
    match scenario {
        Scenario::Answers => Ok(json!({"a": [1, "é"], "b": null})),
        Scenario::CallsInTurn => {
            let first = call("first", json!(1)).await?;
            Ok(json!([first, call("second", json!({"n": 2})).await?]))
        }
        Scenario::CallsSideBySide => {
            let (second, first) = join(call("second", json!(2)), call("first", json!(1))).await;
            Ok(json!([second?, first?]))
        }
        Scenario::Throws => Err(thrown()),
        Scenario::LetsFailureThrough => call("fails", json!({})).await,
        Scenario::CallsMissing => call("missing", json!({})).await,
        Scenario::CallsFourTimes => {
            for n in 0..4 {
                // Whatever it makes of the failure, the run ends with it.
                drop(call("first", json!(n)).await);
            }
            Ok(json!(1))
        }
        Scenario::NeverEnds => std::future::pending().await,
        Scenario::AwaitsCall => call("waits", json!({})).await,
        Scenario::LeavesCall => {
            drop(call("pauses", json!({})));
            Ok(json!(1))
        }
        Scenario::ThrowsBesideCall => {
            let (waits, first) = (call("waits", json!({})), call("first", json!(1)));
            drop(select(waits.boxed_local(), first.boxed_local()).await);
            Err(thrown())
        }
        Scenario::StopsItself => call("stop", json!({})).await.map(|_| json!(1)),
        Scenario::CallsLate => {
            let (late, timer) = (bindings.clone(), Rc::clone(&ports.timer));
            let later = async move {
                timer.sleep(1).await;
                let called = late.call("test.first", json!("late")).await;
                let operation = "test.first".to_owned();
                let refused = DirectError::Failed(Failure::CallAfterSettle { operation });
                assert_eq!(called, Err(refused));
            };
            ports.background.spawn(later.boxed_local());
            Ok(json!(1))
        }
        Scenario::CallsForEver => loop {
            call("pauses", json!({})).await?;
        },
        Scenario::Counts => Ok(json!(1)),
        other => panic!("{other:?} isn't a scenario that this knows"),
    }
}

fn broken(candidate: impl Candidate + 'static, host: &Host) -> Vec<BrokenLaw> {
    let ports = host.ports();
    host.run(async move { sandbox_contract(&candidate, &ports).await }).unwrap()
}

#[test]
fn the_direct_sandbox_keeps_the_laws_of_every_sandbox() {
    let host = Host::new();
    let broken = broken(Direct { ports: host.ports() }, &host);
    assert!(broken.is_empty(), "{broken:#?}");
}

#[test]
fn the_session_with_a_guest_keeps_the_laws_of_every_sandbox() {
    let broken = broken(Scripted, &Host::new());
    assert!(broken.is_empty(), "{broken:#?}");
}

/// How a sandbox may break the laws.
#[derive(Clone, Copy, Debug)]
enum Vice {
    AnswersNothing,
    NeverEnds,
    SaysLateSuccess,
    CallsOutOfOrder,
    HidesFailures,
}

struct Vicious {
    vice: Vice,
    direct: Direct,
}

struct ViciousSandbox {
    vice: Vice,
    honest: Rc<dyn Sandbox>,
}

impl Candidate for Vicious {
    fn ready(&self, scenario: Scenario) -> (Rc<dyn Sandbox>, Rc<Program>) {
        let (honest, program) = self.direct.ready(scenario);
        (Rc::new(ViciousSandbox { vice: self.vice, honest }), program)
    }
}

impl Sandbox for ViciousSandbox {
    fn run(&self, request: SandboxRequest) -> LocalBoxFuture<'static, Ended> {
        let honest = |request| self.honest.run(request);
        let saying = |answer| Ended { answer, logs: Logs::default(), evidence: None, isolates: 0 };
        match self.vice {
            Vice::AnswersNothing => async move { saying(Ok(None)) }.boxed_local(),
            Vice::NeverEnds => std::future::pending().boxed_local(),
            Vice::SaysLateSuccess => honest(request)
                .map(move |ended| match ended.answer {
                    Err(Failure::Cancelled { .. }) => saying(Ok(Some("1".to_owned()))),
                    _ => ended,
                })
                .boxed_local(),
            Vice::HidesFailures => honest(request)
                .map(move |ended| saying(ended.answer.or_else(|_| Ok(Some("1".to_owned())))))
                .boxed_local(),
            Vice::CallsOutOfOrder => {
                let calls: RefCell<Vec<_>> = RefCell::default();
                calls.borrow_mut().extend(request.bindings.call(1, 3, "{\"n\":2}"));
                calls.borrow_mut().extend(request.bindings.call(0, 1, "1"));
                async move {
                    futures::future::join_all(calls.take()).await;
                    saying(Ok(Some("[1,{\"n\":2}]".to_owned())))
                }
                .boxed_local()
            }
        }
    }
}

#[test]
fn the_laws_notice_who_breaks_them() {
    let cases = [
        (Vice::AnswersNothing, "an_answer_is_the_programs_own"),
        (Vice::NeverEnds, "a_cancellation_ends_a_program_that_never_ends"),
        (Vice::SaysLateSuccess, "a_cancellation_stands_over_a_late_success"),
        (Vice::CallsOutOfOrder, "calls_are_counted_in_the_order_they_are_made"),
        (Vice::HidesFailures, "no_more_calls_are_made_than_there_may_be"),
    ];
    for (vice, law) in cases {
        let host = Host::new();
        let broken = broken(Vicious { vice, direct: Direct { ports: host.ports() } }, &host);
        let laws: Vec<&str> = broken.iter().map(|broken| broken.law).collect();
        assert!(laws.contains(&law), "{vice:?}: {broken:#?}");
    }
}
