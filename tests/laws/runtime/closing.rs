//! The end of a runtime.

use mycelium::{
    Failure,
    operation::Context,
    runtime::{Options, admission::AdmissionOptions},
    testing::Host,
};
use serde_json::json;

use super::{
    leases::Shelves,
    shelf::Manner,
    world::{HOST, Held, World, module, says},
};

const CLOSED: Failure = Failure::RuntimeClosed {};

fn pool(capacity: u64, sandbox: Held) -> World {
    let host = Host::new();
    let admission = AdmissionOptions { sandbox_capacity: Some(capacity), admission_wait_ms: None };
    let options = Options { admission, ..host.options(vec![module()], sandbox) };
    World::open(host, options)
}

#[test]
fn a_closed_runtime_takes_no_new_work() {
    let sandbox = says(Ok("1"));
    let world = World::over(sandbox.clone());
    let lease = world.lease();
    assert!(world.closing().end().is_some());
    assert_eq!(world.acquiring().end().unwrap().err(), Some(CLOSED));
    assert_eq!(world.outcome(&lease).answer, Err(CLOSED));
    let invoked = world.host.run(async move {
        let context = Context::builder().build();
        lease.invoke_module_operation("test-m", "echo", json!(1), context).await
    });
    assert_eq!(invoked, Some(Err(CLOSED)));
    assert_eq!(sandbox.runs.get(), 0);
}

#[test]
fn closing_ends_who_waits_and_awaits_who_runs() {
    let sandbox = Held::default();
    let world = pool(1, sandbox.clone());
    let lease = world.lease();
    let mut running = world.execute(&lease);
    let mut queued = [world.execute(&lease), world.execute(&lease)];
    let mut closing = world.closing();
    for waiter in &mut queued {
        assert_eq!(waiter.end().unwrap().outcome.answer, Err(HOST));
    }
    assert!(closing.end().is_none() && running.end().is_none());
    let mut again = world.closing();
    assert!(again.end().is_none(), "the second close awaits the same end");
    assert!(sandbox.settle(0, Ok("2")));
    assert!(running.end().unwrap().outcome.answer.is_ok());
    assert!(closing.end().is_some() && again.end().is_some());
    assert!(world.closing().end().is_some(), "and a third finds it");
    assert_eq!(sandbox.runs(), 1, "no waiter started");
}

#[test]
fn closing_gives_back_what_leases_still_hold_and_waits_for_it() {
    let shelves = Shelves::new();
    shelves.all[2].releasing.set(Manner::Waits);
    let old = shelves.world.lease();
    shelves.all[0].invalidate(0);
    shelves.all[2].releasing.set(Manner::Works);
    let new = shelves.world.lease();
    shelves.trace.take();
    let mut closing = shelves.world.closing();
    assert!(closing.end().is_none());
    assert_eq!(shelves.trace.take(), ["-c1", "-b1", "-a1"], "the newest graph first");
    shelves.all[2].go_on();
    assert!(closing.end().is_some());
    assert_eq!(shelves.trace.take(), ["-c0", "-b0", "-a0"]);
    for lease in [old, new] {
        assert!(shelves.world.releasing(&lease).end().is_some());
    }
    assert!(shelves.trace.take().is_empty(), "each once");
}

#[test]
fn closing_waits_for_a_release_under_way() {
    let shelves = Shelves::new();
    shelves.all[0].releasing.set(Manner::Waits);
    drop(shelves.world.lease());
    shelves.world.host.settle();
    let mut closing = shelves.world.closing();
    assert!(closing.end().is_none());
    shelves.all[0].go_on();
    assert!(closing.end().is_some());
}

#[test]
fn a_lease_that_comes_while_the_runtime_closes_is_given_back() {
    let shelves = Shelves::new();
    shelves.all[1].acquiring.set(Manner::Waits);
    let mut acquiring = shelves.world.acquiring();
    let mut closing = shelves.world.closing();
    assert!(closing.end().is_none());
    shelves.all[1].go_on();
    assert_eq!(acquiring.end().unwrap().err(), Some(CLOSED));
    assert_eq!(shelves.trace.take(), ["+a0", "+b0", "+c0", "-c0", "-b0", "-a0"]);
    assert!(closing.end().is_some());
}

#[test]
fn a_close_whose_caller_goes_away_comes_to_its_end() {
    let sandbox = Held::default();
    let world = pool(1, sandbox.clone());
    let lease = world.lease();
    let _running = world.execute(&lease);
    drop(world.closing());
    let mut again = world.closing();
    assert!(again.end().is_none());
    assert!(sandbox.settle(0, Ok("2")));
    assert!(again.end().is_some());
}

#[test]
fn a_full_pool_holds_up_neither_acquiring_nor_releasing() {
    let sandbox = Held::default();
    let world = pool(1, sandbox.clone());
    let (busy, waiting) = (world.lease(), world.lease());
    let _running = world.execute(&busy);
    let mut queued = world.execute(&waiting);
    world.host.settle();
    let other = world.lease();
    assert!(world.releasing(&other).end().is_some());
    assert!(queued.end().is_none() && sandbox.runs() == 1, "and the one still waits");
}

#[test]
fn an_invalidation_under_load_opens_no_second_pool() {
    let sandbox = Held::default();
    let shelves = Shelves::over(|options| Options {
        sandbox: std::rc::Rc::new(sandbox.clone()),
        admission: AdmissionOptions { sandbox_capacity: Some(2), admission_wait_ms: None },
        ..options
    });
    let world = &shelves.world;
    let old = world.lease();
    let _running = [world.execute(&old), world.execute(&old)];
    shelves.all[0].invalidate(0);
    let new = world.lease();
    let _queued = [world.execute(&new), world.execute(&old), world.execute(&new)];
    assert_eq!(sandbox.runs(), 2);
    for run in 0..3 {
        assert!(sandbox.settle(run, Ok("1")));
        world.host.settle();
        assert_eq!(sandbox.runs(), (run + 3).min(5), "each end lets one in");
    }
}
