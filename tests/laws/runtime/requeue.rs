//! A program that its sandbox didn't take hasn't run: it waits for another turn.

use mycelium::{
    Failure,
    runtime::{Options, admission::AdmissionOptions},
    sandbox::Limits,
    testing::Host,
};

use super::world::{CALLER, Held, World, module};

const REFUSED: Failure = Failure::SandboxBusy { capacity: 0, waited_ms: 0 };

fn world(capacity: u64, wait_ms: Option<u64>, sandbox: &Held) -> World {
    let host = Host::new();
    let admission =
        AdmissionOptions { sandbox_capacity: Some(capacity), admission_wait_ms: wait_ms };
    let limits = Limits::with_timeout(1_000);
    let options = Options { admission, limits, ..host.options(vec![module()], sandbox.clone()) };
    World::open(host, options)
}

#[test]
fn it_is_tried_again_and_its_answer_counts() {
    let sandbox = Held::default();
    let world = world(1, None, &sandbox);
    let mut running = world.execute(&world.lease());
    sandbox.settle(0, Err(REFUSED));
    world.host.settle();
    assert_eq!((sandbox.runs(), running.end()), (1, None), "not without a pause");
    world.host.pass(50);
    assert_eq!(sandbox.runs(), 2);
    sandbox.settle(1, Ok("2"));
    assert_eq!(running.end().unwrap().outcome.answer, Ok(Some("2".to_owned())));
}

#[test]
fn each_turn_has_only_the_time_that_is_left() {
    let sandbox = Held::default();
    let world = world(1, None, &sandbox);
    let _running = world.execute(&world.lease());
    world.host.pass(600);
    sandbox.settle(0, Err(REFUSED));
    world.host.settle();
    world.host.pass(50);
    let limits: Vec<_> = sandbox.requests.borrow().iter().map(|r| r.limits.clone()).collect();
    assert_eq!(limits.iter().map(|l| l.timeout_ms).collect::<Vec<_>>(), [1_000, 350]);
    assert_eq!(limits[1].of_isolate().cpu_ms, 350);
}

#[test]
fn a_wait_that_ends_first_is_sandbox_busy_with_its_facts() {
    let sandbox = Held::default();
    let world = world(3, Some(120), &sandbox);
    let mut running = world.execute(&world.lease());
    let mut refused = 0;
    let mut ended = None;
    for _ in 0..120 {
        if refused < sandbox.runs() {
            sandbox.settle(refused, Err(REFUSED));
            refused += 1;
            world.host.settle();
        }
        world.host.pass(1);
        ended = ended.or_else(|| running.end());
    }
    let busy = Failure::SandboxBusy { capacity: 3, waited_ms: 120 };
    assert_eq!(ended.unwrap().outcome.answer, Err(busy));
    assert!(refused >= 2, "{refused}");
}

#[test]
fn a_time_that_ends_while_it_waits_is_a_deadline_that_started_nothing() {
    let sandbox = Held::default();
    let world = world(1, None, &sandbox);
    let mut running = world.execute(&world.lease());
    world.host.pass(980);
    sandbox.settle(0, Err(REFUSED));
    world.host.settle();
    world.host.pass(20);
    let expected = Failure::DeadlineExceeded { timeout_ms: 1_000, started: false };
    assert_eq!(running.end().unwrap().outcome.answer, Err(expected));
    assert_eq!(sandbox.runs(), 1);
}

#[test]
fn a_cancellation_ends_the_wait_and_starts_nothing_more() {
    let sandbox = Held::default();
    let world = world(1, None, &sandbox);
    let cancellation = world.runtime.cancellation();
    let mut running = world.executing(&world.lease(), &cancellation);
    sandbox.settle(0, Err(REFUSED));
    world.host.settle();
    cancellation.cancel(CALLER);
    assert_eq!(running.end().unwrap().outcome.answer, Err(CALLER));
    world.host.pass(2_000);
    assert_eq!(sandbox.runs(), 1);
}

#[test]
fn nothing_but_that_refusal_is_ever_tried_again() {
    let failures = [
        Failure::TransportLost {},
        Failure::Unknown {},
        Failure::CpuExceeded { limit_ms: 1 },
        Failure::ExecutionLost {},
        Failure::BadResponse { rule: "x".to_owned() },
    ];
    for failure in failures {
        let sandbox = Held::default();
        let world = world(1, None, &sandbox);
        let mut running = world.execute(&world.lease());
        sandbox.settle(0, Err(failure.clone()));
        assert_eq!(running.end().unwrap().outcome.answer, Err(failure));
        world.host.pass(2_000);
        assert_eq!(sandbox.runs(), 1);
    }
}
