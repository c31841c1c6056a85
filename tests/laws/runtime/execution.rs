//! One execution: its time, its custody, and the result it is held to.

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};

use futures::{FutureExt, channel::oneshot, future::LocalBoxFuture};
use mycelium::{
    Failure, Module, Operation, limits,
    operation::Context,
    runtime::{
        Notices, Options, UnenforcedLimit,
        access::{AccessPolicy, Answer, Confirm, ConfirmRequest},
        admission::AdmissionOptions,
    },
    sandbox::{Ended, Limits, Sandbox, SandboxRequest},
    testing::{Host, direct_sandbox},
};
use serde_json::json;

use super::world::{CALLER, HOST, Held, World, module, says};

fn timed(timeout_ms: u64, sandbox: impl Sandbox + 'static) -> World {
    let host = Host::new();
    let admission = AdmissionOptions { sandbox_capacity: Some(1), admission_wait_ms: None };
    let limits = Limits::with_timeout(timeout_ms);
    let options = Options { admission, limits, ..host.options(vec![module()], sandbox) };
    World::open(host, options)
}

#[test]
fn time_in_the_queue_counts_and_cpu_is_cut_to_what_remains() {
    let sandbox = Held::default();
    let world = timed(1_000, sandbox.clone());
    let lease = world.lease();
    let _first = world.execute(&lease);
    world.host.pass(100);
    let mut second = world.execute(&lease);
    world.host.pass(899);
    assert!(sandbox.settle(0, Ok("1")));
    world.host.settle();
    let limits = sandbox.requests.borrow()[1].limits.clone();
    assert_eq!((limits.timeout_ms, limits.cpu_ms), (101, 101));
    world.host.pass(100);
    assert!(second.end().is_none());
    world.host.pass(1);
    assert!(sandbox.settle(1, Err(HOST)));
    let over = Failure::DeadlineExceeded { timeout_ms: 1_000, started: true };
    assert_eq!(second.end().unwrap().outcome.answer, Err(over));
}

#[test]
fn a_tighter_cpu_limit_stays() {
    let (host, sandbox) = (Host::new(), Held::default());
    let limits = Limits { cpu_ms: 50, ..Limits::with_timeout(1_000) };
    let options = Options { limits, ..host.options(vec![module()], sandbox.clone()) };
    let world = World::open(host, options);
    let _running = world.execute(&world.lease());
    assert_eq!(sandbox.requests.borrow()[0].limits.cpu_ms, 50);
}

#[test]
fn an_overloaded_default_host_answers_that_nothing_was_started() {
    let sandbox = Held::default();
    let world = timed(1_000, sandbox.clone());
    let lease = world.lease();
    let _first = world.execute(&lease);
    world.host.pass(500);
    let mut second = world.execute(&lease);
    world.host.pass(1_000);
    let outcome = second.end().unwrap().outcome;
    let over = Failure::DeadlineExceeded { timeout_ms: 1_000, started: false };
    assert_eq!((outcome.answer, outcome.acknowledged), (Err(over), None));
    assert_eq!(sandbox.runs(), 1, "and it never starts later");
    assert!(sandbox.settle(0, Err(HOST)));
    world.host.settle();
    assert_eq!(sandbox.runs(), 1);
}

/// A person who answers when the test says.
#[derive(Default)]
struct Person(RefCell<Vec<oneshot::Sender<Answer>>>);

impl Confirm for Person {
    fn ask(&self, _: ConfirmRequest, _: &Context) -> LocalBoxFuture<'static, Answer> {
        let (question, answered) = oneshot::channel();
        self.0.borrow_mut().push(question);
        answered.map(|answer| answer.unwrap_or(Answer::Unavailable)).boxed_local()
    }
}

#[test]
fn the_deadline_stands_still_while_a_person_is_asked() {
    let (host, person) = (Host::new(), Rc::new(Person::default()));
    let remove = Operation::new(json!({}), |_, _| async { Ok(json!("gone")) }).confirm(true);
    let sandbox =
        direct_sandbox(|bindings, _| async move { bindings.call("m.remove", json!({})).await });
    let options = Options {
        limits: Limits::with_timeout(1_000),
        access: AccessPolicy::new().confirm(person.clone()),
        ..host.options(vec![Module::new("test-m", "m").operation("remove", remove)], sandbox)
    };
    let world = World::open(host, options);
    let mut running = world.execute(&world.lease());
    world.host.pass(120_000);
    assert!(running.end().is_none());
    let question = person.0.borrow_mut().remove(0);
    question.send(Answer::Accepted).unwrap();
    assert_eq!(running.end().unwrap().outcome.answer, Ok(Some("\"gone\"".to_owned())));
}

#[test]
fn a_deadline_that_stood_still_still_comes() {
    let (host, person) = (Host::new(), Rc::new(Person::default()));
    let remove = Operation::new(json!({}), |_, _| std::future::pending()).confirm(true);
    let sandbox =
        direct_sandbox(|bindings, _| async move { bindings.call("m.remove", json!({})).await });
    let options = Options {
        limits: Limits::with_timeout(1_000),
        access: AccessPolicy::new().confirm(person.clone()),
        ..host.options(vec![Module::new("test-m", "m").operation("remove", remove)], sandbox)
    };
    let world = World::open(host, options);
    let mut running = world.execute(&world.lease());
    world.host.pass(60_000);
    let question = person.0.borrow_mut().remove(0);
    question.send(Answer::Accepted).unwrap();
    world.host.settle();
    world.host.pass(999);
    assert!(running.end().is_none());
    world.host.pass(1);
    let outcome = running.end().unwrap().outcome;
    assert_eq!(outcome.answer.unwrap_err().code(), "deadline-exceeded");
}

#[test]
fn a_late_success_never_beats_a_cancellation() {
    for settle_first in [false, true] {
        let sandbox = Held::default();
        let world = timed(1_000, sandbox.clone());
        let lease = world.lease();
        let cancellation = world.runtime.cancellation();
        let mut running = world.executing(&lease, &cancellation);
        if settle_first {
            assert!(sandbox.settle(0, Ok("1")));
            cancellation.cancel(CALLER);
        } else {
            cancellation.cancel(CALLER);
            world.host.settle();
            assert!(sandbox.settle(0, Ok("1")));
        }
        let outcome = running.end().unwrap().outcome;
        assert_eq!((outcome.answer, outcome.acknowledged), (Err(CALLER), Some(true)));
    }
}

#[test]
fn a_success_after_the_deadline_is_none() {
    let sandbox = Held::default();
    let world = timed(1_000, sandbox.clone());
    let mut running = world.execute(&world.lease());
    world.host.pass(1_000);
    assert!(sandbox.settle(0, Ok("1")));
    let outcome = running.end().unwrap().outcome;
    assert_eq!(outcome.answer.unwrap_err().code(), "deadline-exceeded");
    assert_eq!(outcome.acknowledged, Some(true));
}

#[test]
fn an_abort_before_the_dispatch_starts_no_guest() {
    // Before it was begun.
    let sandbox = Held::default();
    let world = timed(1_000, sandbox.clone());
    let lease = world.lease();
    let cancellation = world.runtime.cancellation();
    cancellation.cancel(CALLER);
    let outcome = world.executing(&lease, &cancellation).end().unwrap().outcome;
    assert_eq!((outcome.answer, outcome.acknowledged), (Err(CALLER), None));
    // While it waits.
    let _first = world.execute(&lease);
    let cancellation = world.runtime.cancellation();
    let mut queued = world.executing(&lease, &cancellation);
    cancellation.cancel(CALLER);
    assert_eq!(queued.end().unwrap().outcome.answer, Err(CALLER));
    // In the very turn that it is let in.
    let cancellation = world.runtime.cancellation();
    let mut queued = world.executing(&lease, &cancellation);
    assert!(sandbox.settle(0, Ok("1")));
    cancellation.cancel(CALLER);
    assert_eq!(queued.end().unwrap().outcome.answer, Err(CALLER));
    assert_eq!(sandbox.runs(), 1);
}

/// Cancels the execution as soon as admission looks at the clock for the last time:
/// between the permit and the sandbox.
#[test]
fn an_abort_between_the_permit_and_the_sandbox_starts_no_guest() {
    struct Cancelling(RefCell<Option<mycelium::operation::Cancellation>>);
    impl mycelium::port::Console for Cancelling {
        fn note(&self, _: &str) {}

        fn warn(&self, line: &str) {
            if line.starts_with("CPU limits") {
                self.0.borrow().as_ref().unwrap().cancel(CALLER);
            }
        }
    }
    let (host, sandbox) = (Host::new(), Held::default());
    let console = Rc::new(Cancelling(RefCell::default()));
    let mut options = host.options(vec![module()], sandbox.clone());
    options.ports.console = console.clone();
    let unenforced = vec![UnenforcedLimit::Cpu];
    options.notices = Rc::new(Notices::new(unenforced));
    let world = World::open(host, options);
    let cancellation = world.runtime.cancellation();
    *console.0.borrow_mut() = Some(cancellation.clone());
    let outcome = world.executing(&world.lease(), &cancellation).end().unwrap().outcome;
    assert_eq!((outcome.answer, sandbox.runs()), (Err(CALLER), 0));
}

#[test]
fn a_limit_said_to_be_unenforced_is_asked_for_all_the_same() {
    let asked = |unenforced: Vec<UnenforcedLimit>| {
        let (host, sandbox) = (Host::new(), Held::default());
        let notices = Rc::new(Notices::new(unenforced));
        let options = Options { notices, ..host.options(vec![module()], sandbox.clone()) };
        let world = World::open(host, options);
        let mut running = world.execute(&world.lease());
        world.host.pass(limits::TIMEOUT_MS);
        world.host.settle();
        world.host.pass(limits::GRACE_MS - 1);
        assert!(running.end().is_none(), "it has its grace");
        world.host.pass(1);
        let limits = sandbox.requests.borrow()[0].limits.clone();
        let outcome = running.end().unwrap().outcome;
        (format!("{limits:?}"), outcome.answer, outcome.acknowledged)
    };
    let every = UnenforcedLimit::NAMES.map(|(_, limit)| limit).to_vec();
    assert_eq!(asked(every), asked(Vec::new()));
}

/// A sandbox that panics, when it is asked or while it runs.
#[derive(Clone, Copy)]
struct Panicking {
    later: bool,
}

impl Sandbox for Panicking {
    fn run(&self, _: SandboxRequest) -> LocalBoxFuture<'static, Ended> {
        assert!(self.later, "canary at once");
        async { panic!("canary later") }.boxed_local()
    }
}

#[test]
fn a_sandbox_that_panics_is_unknown_and_lets_go_of_everything() {
    for later in [false, true] {
        let world = timed(1_000, Panicking { later });
        let lease = world.lease();
        for _ in 0..3 {
            let part = world.execute(&lease).end().unwrap();
            assert_eq!(part.outcome.answer, Err(Failure::Unknown {}));
            assert!(!part.result.content.concat().contains("canary"));
        }
        assert!(world.host.lines().concat().contains("the sandbox panicked"));
        assert!(world.releasing(&lease).end().is_some());
        assert!(world.closing().end().is_some());
        assert_eq!(world.host.time().sleepers(), 0);
    }
}

#[test]
fn a_sandbox_that_claims_a_cancellation_nobody_made_is_unknown() {
    for claim in [CALLER, HOST] {
        let world = timed(1_000, says(Err(claim)));
        let outcome = world.outcome(&world.lease());
        assert_eq!((outcome.answer, outcome.acknowledged), (Err(Failure::Unknown {}), None));
        assert!(world.host.lines().concat().contains("nobody cancelled it"));
    }
}

#[test]
fn what_a_bare_sandbox_answers_is_held_to_the_budget_and_to_json() {
    let large = format!("\"{}\"", "x".repeat(100));
    let deep = format!("{}1{}", "[".repeat(5_000), "]".repeat(5_000));
    let cases = [
        ("1", None),
        ("{\"a\": [1, 2]}", None),
        (large.as_str(), Some("result-too-large")),
        ("undefined", Some("result-invalid")),
        ("{\"a\":1} {}", Some("result-invalid")),
        ("NaN", Some("result-invalid")),
        ("", Some("result-invalid")),
        ("\"\u{1}\"", Some("result-invalid")),
        (deep.as_str(), None),
    ];
    for (answer, failure) in cases {
        let host = Host::new();
        let limits = Limits { result_bytes: 100, ..Limits::default() };
        let limits = if answer.len() > 1_000 { Limits::default() } else { limits };
        let options = Options { limits, ..host.options(vec![module()], says(Ok(answer))) };
        let world = World::open(host, options);
        let outcome = world.outcome(&world.lease());
        match failure {
            None => assert_eq!(outcome.answer, Ok(Some(answer.to_owned()))),
            Some(code) => assert_eq!(outcome.answer.unwrap_err().code(), code, "{answer:.20}"),
        }
    }
}

#[test]
fn whatever_comes_of_it_a_program_is_run_once() {
    let failures = [
        Failure::TransportLost {},
        Failure::BadResponse { rule: "x".into() },
        Failure::Unknown {},
        Failure::ExecutionLost {},
        CALLER,
    ];
    for failure in failures {
        let sandbox = says(Err(failure));
        let world = timed(1_000, sandbox.clone());
        assert!(world.outcome(&world.lease()).is_failure());
        world.host.pass(1_000_000);
        assert_eq!(sandbox.runs.get(), 1);
    }
}

#[test]
fn an_operation_is_run_once_whatever_comes_of_it() {
    let runs = Rc::new(Cell::new(0));
    let count = Rc::clone(&runs);
    let host = Host::new();
    let fails = Operation::new(json!({}), move |_, _| {
        count.set(count.get() + 1);
        async { panic!("injected") }
    });
    let sandbox =
        direct_sandbox(|bindings, _| async move { bindings.call("m.fails", json!({})).await });
    let modules = vec![Module::new("test-m", "m").operation("fails", fails)];
    let world = World::open(host.clone(), host.options(modules, sandbox));
    assert_eq!(world.outcome(&world.lease()).answer, Err(Failure::Unknown {}));
    world.host.pass(1_000_000);
    assert_eq!(runs.get(), 1);
}

#[test]
fn a_busy_host_says_how_many_run_and_how_long_it_waited() {
    let (host, sandbox) = (Host::new(), Held::default());
    let admission = AdmissionOptions { sandbox_capacity: Some(1), admission_wait_ms: Some(70) };
    let options = Options { admission, ..host.options(vec![module()], sandbox.clone()) };
    let world = World::open(host, options);
    let lease = world.lease();
    let _first = world.execute(&lease);
    let mut second = world.execute(&lease);
    world.host.pass(70);
    let part = second.end().unwrap();
    let busy = Failure::SandboxBusy { capacity: 1, waited_ms: 70 };
    assert_eq!(part.outcome.answer, Err(busy));
    let text = &part.result.content[0];
    assert!(text.starts_with("sandbox-busy: 1 programs") && text.contains("in 70 ms"), "{text}");
}
