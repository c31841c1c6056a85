//! What an operator is told of a failure, and what a model isn't.

use std::{cell::RefCell, rc::Rc};

use futures::{FutureExt, future::LocalBoxFuture};
use mycelium::{
    Failure, Module, Operation,
    failure::{MESSAGE_BYTES, Place, TABLE},
    limits::TIMEOUT_MS,
    operation::{GateCall, GateRefusal, OperationError},
    runtime::{Evidence, FailureObserver, Options, Source},
    sandbox::{Ended, Logs, Sandbox, SandboxRequest},
    testing::{Host, Started, direct_sandbox},
};
use serde_json::{Value, json};

use super::{
    shelf::{Manner, Shelf, Trace},
    world::{CALLER, World, module, says},
};

#[derive(Clone, Copy, PartialEq)]
enum Bearing {
    Notes,
    Panics,
    PanicsLater,
    NeverEnds,
}

struct Operator {
    bearing: Bearing,
    seen: RefCell<Vec<Evidence>>,
}

impl Operator {
    fn new(bearing: Bearing) -> Rc<Self> {
        Rc::new(Self { bearing, seen: RefCell::default() })
    }
}

impl FailureObserver for Operator {
    fn failed(&self, evidence: Evidence) -> LocalBoxFuture<'static, ()> {
        self.seen.borrow_mut().push(evidence);
        match self.bearing {
            Bearing::Notes => async {}.boxed_local(),
            Bearing::Panics => panic!("at once"),
            Bearing::PanicsLater => async { panic!("later") }.boxed_local(),
            Bearing::NeverEnds => std::future::pending().boxed_local(),
        }
    }
}

fn observed(
    operator: &Rc<Operator>,
    modules: Vec<Module>,
    sandbox: impl Sandbox + 'static,
) -> World {
    let host = Host::new();
    let on_sandbox_failure = Some(Rc::clone(operator) as Rc<dyn FailureObserver>);
    let options = Options { on_sandbox_failure, ..host.options(modules, sandbox) };
    World::open(host, options)
}

/// A sandbox that fails with evidence.
struct Failing(Failure);

impl Sandbox for Failing {
    fn run(&self, _: SandboxRequest) -> LocalBoxFuture<'static, Ended> {
        let evidence = Some("canary: /srv/host/secret.rs:7".to_owned());
        let ended =
            Ended { answer: Err(self.0.clone()), logs: Logs::default(), evidence, isolates: 0 };
        async move { ended }.boxed_local()
    }
}

#[test]
fn the_reference_is_the_same_in_the_text_the_event_and_the_log_line() {
    let operator = Operator::new(Bearing::Notes);
    let world = observed(&operator, vec![module()], Failing(Failure::TransportLost {}));
    let lease = world.lease();
    let parts = [(); 2].map(|()| world.execute(&lease).end().unwrap());
    let seen = operator.seen.take();
    for (at, part) in parts.iter().enumerate() {
        let evidence = &seen[at];
        let reference = part.outcome.reference.unwrap();
        assert_eq!(evidence.reference, reference);
        assert_eq!(evidence.execution_id, part.outcome.execution_id);
        assert_eq!(evidence.failure, Failure::TransportLost {});
        assert_eq!(evidence.detail.as_deref(), Some("canary: /srv/host/secret.rs:7"));
        assert!(part.result.content[0].contains(&format!("(reference {reference})")));
        let line = &world.host.lines()[at];
        assert!(line.contains(&reference.to_string()) && line.contains("transport-lost"), "{line}");
        assert!(!part.result.content.concat().contains("canary"));
    }
    assert_ne!(seen[0].reference, seen[1].reference);
}

#[test]
fn a_success_is_no_event() {
    let operator = Operator::new(Bearing::Notes);
    let world = observed(&operator, vec![module()], says(Ok("1")));
    assert_eq!(world.outcome(&world.lease()).reference, None);
    assert!(operator.seen.borrow().is_empty() && world.host.lines().is_empty());
}

#[test]
fn an_observer_changes_and_delays_nothing() {
    for bearing in [Bearing::Panics, Bearing::PanicsLater, Bearing::NeverEnds] {
        let operator = Operator::new(bearing);
        let world = observed(&operator, vec![module()], Failing(Failure::TransportLost {}));
        let lease = world.lease();
        assert_eq!(world.outcome(&lease).answer, Err(Failure::TransportLost {}));
        assert_eq!(operator.seen.borrow().len(), 1);
        let told = world.host.lines().concat().contains("the failure stands");
        assert_eq!(told, bearing != Bearing::NeverEnds);
        assert!(world.releasing(&lease).end().is_some() && world.closing().end().is_some());
    }
}

#[test]
fn what_broke_in_an_operation_is_told_under_the_executions_reference() {
    let panics = Operation::new(json!({}), |_, _| async { panic!("canary in m.panics") });
    let module = || Module::new("test-m", "m").operation("panics", panics);
    let operator = Operator::new(Bearing::Notes);
    let sandbox =
        direct_sandbox(|bindings, _| async move { bindings.call("m.panics", json!(1)).await });
    let world = observed(&operator, vec![module()], sandbox);
    let part = world.execute(&world.lease()).end().unwrap();
    let seen = operator.seen.take();
    assert!(seen[0].detail.as_ref().unwrap().contains("call 0: operation m.panics"), "{seen:?}");
    assert!(seen[0].detail.as_ref().unwrap().contains("canary in m.panics"));
    assert!(!part.result.content.concat().contains("canary"));
}

#[test]
fn what_a_program_lets_pass_is_told_all_the_same() {
    let panics = Operation::new(json!({}), |_, _| async { panic!("canary in m.panics") });
    let sandbox = direct_sandbox(|bindings, _| async move {
        drop(bindings.call("m.panics", json!(1)).await);
        Ok(json!(1))
    });
    let operator = Operator::new(Bearing::Notes);
    let modules = vec![Module::new("test-m", "m").operation("panics", panics)];
    let world = observed(&operator, modules, sandbox);
    let outcome = world.outcome(&world.lease());
    assert!(outcome.answer.is_ok() && operator.seen.borrow().is_empty());
    let line = &world.host.lines()[0];
    assert!(line.contains(&*outcome.execution_id) && line.contains("canary in m.panics"), "{line}");
}

/// One of every failure, with nothing of the host's in its facts.
fn every() -> Vec<Failure> {
    let (place, problem, operation) = (Place::at(1, 2), "p".to_owned(), "m.o".to_owned());
    let said = || problem.clone();
    vec![
        Failure::SyntaxError { problem: said(), place: place.clone() },
        Failure::NoAnswer { problem: said(), place: place.clone() },
        Failure::ProgramTooLarge { limit: 1 },
        Failure::ProgramTooDeep { place: place.clone() },
        Failure::GuestException { name: "E".into(), problem: said(), place },
        Failure::TransportLost {},
        Failure::CpuExceeded { limit_ms: 1 },
        Failure::MemoryExceeded {},
        Failure::BadResponse { rule: said() },
        Failure::CapabilityFailed { operation: operation.clone(), problem: said() },
        Failure::InputInvalid { operation: operation.clone(), problem: said() },
        Failure::OutputInvalid {
            operation: operation.clone(),
            problem: said(),
            raw: mycelium::failure::Raw::default(),
        },
        Failure::SandboxBusy { capacity: 1, waited_ms: 1 },
        Failure::DeadlineExceeded { timeout_ms: 1, started: true },
        CALLER,
        Failure::ResultInvalid { path: "/".into(), found: said(), remedy: said() },
        Failure::ResultTooLarge { bytes: 2, limit: 1, outline: said() },
        Failure::CallBudgetExceeded { limit: 1 },
        Failure::CallAfterSettle { operation: operation.clone() },
        Failure::OperationUnknown { name: said(), nearest: String::new() },
        Failure::CursorInvalid { helper: operation.clone(), problem: said() },
        Failure::DescriptionTooLarge { helper: operation.clone(), problem: said() },
        Failure::AlreadyExecuted {},
        Failure::IdentityMissing { operation: operation.clone() },
        Failure::PatchParse { problem: said() },
        Failure::PatchTooLarge { problem: said() },
        Failure::ContextNotFound {
            file: said(),
            hunk: 1,
            line: 1,
            expected: said(),
            found: said(),
        },
        Failure::AmbiguousContext { file: said(), hunk: 1, lines: said() },
        Failure::FileExists { file: said() },
        Failure::FileMissing { file: said() },
        Failure::PathRefused { path: said(), problem: said() },
        Failure::FileNotText { file: said() },
        Failure::FileTooLarge { file: said(), limit: 1 },
        Failure::FileConflict { file: said() },
        Failure::PartialWrite { written: said(), file: said(), problem: said(), untried: said() },
        Failure::FilesUnavailable {},
        Failure::OutcomeUnknown { operation, problem: said() },
        Failure::AppUnavailable { problem: said() },
        Failure::RequestInvalid { problem: said() },
        Failure::GrantsUnreachable {},
        Failure::ReplyTooLarge { bytes: 2, limit: 1 },
        Failure::RuntimeClosed {},
        Failure::LeaseReleased {},
        Failure::SourceUnavailable { source: said() },
        Failure::ExecutionLost {},
        Failure::PenIntent { problem: said() },
        Failure::PenSandbox { problem: said() },
        Failure::PenWriter { problem: said() },
        Failure::PenTimeout { timeout_ms: 1 },
        Failure::PenForbidden { attempts: said() },
        Failure::PenRejected { reason: said() },
        Failure::Unknown {},
    ]
}

#[test]
fn no_failure_takes_the_hosts_evidence_to_the_model() {
    let codes: Vec<&str> = every().iter().map(Failure::code).collect();
    let table: Vec<&str> = TABLE.iter().map(|row| row.code).collect();
    assert_eq!(codes, table, "every failure is tried");
    for failure in every() {
        let operator = Operator::new(Bearing::Notes);
        let code = failure.code();
        let world = observed(&operator, vec![module()], Failing(failure));
        let mut running = world.execute(&world.lease());
        if code == "sandbox-busy" {
            // Said by a sandbox it ends nothing: it is asked again until the time is over.
            world.host.pass(TIMEOUT_MS);
        }
        let part = running.end().unwrap();
        assert!(!part.result.content.concat().contains("canary"), "{code}");
        assert!(!part.result.content.concat().contains("secret.rs"), "{code}");
        let reference = part.outcome.reference.unwrap().to_string();
        assert!(part.result.content[0].contains(&reference), "{code}");
        assert!(operator.seen.take()[0].detail.as_ref().unwrap().contains("canary"), "{code}");
    }
}

#[test]
fn a_failures_text_is_bounded() {
    let long = "é".repeat(100_000);
    let sandbox = Failing(Failure::BadResponse { rule: long });
    let world = observed(&Operator::new(Bearing::Notes), vec![module()], sandbox);
    let part = world.execute(&world.lease()).end().unwrap();
    assert!(part.result.content[0].len() <= MESSAGE_BYTES + 64, "{}", part.result.content[0].len());
    assert!(world.host.lines().iter().all(|line| line.len() <= MESSAGE_BYTES));
}

/// Every other place where a host's words could slip through to a model.
#[test]
fn what_breaks_on_the_host_stays_there() {
    let canary = "canary: https://user:token@host.internal/path";
    let modules = || {
        let breaks = Operation::new(json!({}), |_, _| async {
            panic!("canary: https://user:token@host.internal/path")
        });
        let answer = |_: Value, _| async { Ok(Value::Null) };
        let gated = Module::new("test-g", "g")
            .operation("shut", Operation::new(json!({}), answer))
            .gate(move |_: GateCall| async move { Err(GateRefusal::failed(&canary)) });
        let panicking = Module::new("test-p", "p")
            .operation("shut", Operation::new(json!({}), answer))
            .gate(|_: GateCall| -> std::future::Ready<Result<(), GateRefusal>> {
                panic!("canary: https://user:token@host.internal/path")
            });
        let says = |_: Value, _| async { Err::<Value, _>(OperationError::new("not today")) };
        let said = Module::new("test-s", "s")
            .operation("breaks", breaks)
            .operation("says", Operation::new(json!({}), says));
        vec![gated, panicking, said]
    };
    for path in ["g.shut", "p.shut", "s.breaks"] {
        let sandbox =
            direct_sandbox(move |bindings, _| async move { bindings.call(path, json!(1)).await });
        let world = observed(&Operator::new(Bearing::Notes), modules(), sandbox);
        let part = world.execute(&world.lease()).end().unwrap();
        assert!(!format!("{part:?}").contains("canary"), "{path}: {part:?}");
        assert!(world.host.lines().concat().contains(canary), "{path}");
    }
    // An author's own words are for the model.
    let sandbox =
        direct_sandbox(move |bindings, _| async move { bindings.call("s.says", json!(1)).await });
    let world = observed(&Operator::new(Bearing::Notes), modules(), sandbox);
    let part = world.execute(&world.lease()).end().unwrap();
    assert!(part.result.content[0].contains("s.says failed: not today"));
}

#[test]
fn a_sources_words_stay_on_the_host() {
    let (host, trace) = (Host::new(), Trace::default());
    let shelf = Shelf::new("files", &trace);
    shelf.acquiring.set(Manner::Fails);
    let sources = vec![shelf as Rc<dyn Source>];
    let options = Options { sources, ..host.options(vec![module()], says(Ok("1"))) };
    let world = World::open(host, options);
    let mut acquiring: Started<_> = world.acquiring();
    let failure = acquiring.end().unwrap().err().unwrap();
    assert_eq!(
        failure.to_string(),
        "the source files is unavailable, so nothing was run: try again later"
    );
}
