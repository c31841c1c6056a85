//! Waiting for a permit, and every way in which it ends.

use mycelium::{
    Failure,
    failure::{Party, Ran},
};

use super::world::World;

const HOST: Failure = Failure::Cancelled { by: Party::Host };
const CALLER: Failure = Failure::Cancelled { by: Party::Caller };

fn not_started(timeout_ms: u64) -> Failure {
    Failure::DeadlineExceeded { timeout_ms, started: false }
}

#[test]
fn who_comes_first_is_served_first() {
    let world = World::new(2, None);
    let mut holders = [world.arrived(1_000), world.arrived(1_000)];
    let mut waiters = [world.arrived(1_000), world.arrived(1_000), world.arrived(1_000)];
    assert!(holders.iter().all(|holder| holder.holds()));
    assert_eq!((world.semaphore.held(), world.semaphore.queued()), (2, 3));

    holders[1].leave();
    assert_eq!(waiters.each_mut().map(|waiter| waiter.poll()), [Some(Ok(())), None, None]);
    waiters[0].leave();
    holders[0].leave();
    assert_eq!(waiters[1].poll(), Some(Ok(())));
    assert_eq!(waiters[2].poll(), Some(Ok(())));
    assert_eq!((world.semaphore.held(), world.semaphore.queued()), (2, 0));
}

#[test]
fn an_overloaded_default_host_answers_deadline_exceeded_and_never_busy() {
    let world = World::new(1, None);
    let _holder = world.arrived(180_000);
    world.pass(7);
    // Some of the time was used before it asked: the two ends are then apart.
    let mut waiters = [world.caller(1_000), world.caller_since(0, 1_000)];
    waiters.iter_mut().for_each(|waiter| drop(waiter.poll()));
    world.pass(999);
    world.fire();
    assert_eq!(
        waiters.each_mut().map(|waiter| waiter.poll()),
        [None, Some(Err(not_started(1_000)))]
    );
    world.pass(1);
    world.fire();
    assert_eq!(waiters[0].poll(), Some(Err(not_started(1_000))));
    let text = not_started(1_000).to_string();
    assert!(text.contains("started: false") && text.contains("send it again later"), "{text}");
}

#[test]
fn a_wait_that_ends_with_the_deadline_or_after_it_is_deadline_exceeded() {
    for wait_ms in [1_000, 1_001, 900_000] {
        let world = World::new(1, Some(wait_ms));
        let _holder = world.arrived(180_000);
        let mut waiter = world.arrived(1_000);
        world.pass(1_000);
        world.fire();
        assert_eq!(waiter.poll(), Some(Err(not_started(1_000))), "{wait_ms}");
    }
}

#[test]
fn a_shorter_wait_ends_as_sandbox_busy_with_its_facts() {
    let world = World::new(1, Some(999));
    let _holder = world.arrived(180_000);
    let mut waiter = world.arrived(1_000);
    world.pass(998);
    world.fire();
    assert_eq!(waiter.poll(), None);
    world.pass(1);
    world.fire();
    let busy = Failure::SandboxBusy { capacity: 1, waited_ms: 999 };
    assert_eq!(waiter.poll(), Some(Err(busy.clone())));
    assert_eq!((busy.code(), busy.retryable(), busy.ran()), ("sandbox-busy", true, Ran::Nothing));
    let text = busy.to_string();
    assert!(text.contains("999 ms") && text.contains("send it again later"), "{text}");
}

#[test]
fn the_end_that_came_first_decides_though_it_is_noticed_late() {
    let world = World::new(1, Some(100));
    let _holder = world.arrived(180_000);
    let mut waiter = world.arrived(150);
    world.pass(200);
    world.fire();
    let busy = Failure::SandboxBusy { capacity: 1, waited_ms: 200 };
    assert_eq!(waiter.poll(), Some(Err(busy)));
}

#[test]
fn queueing_does_not_restart_the_time() {
    let world = World::new(1, None);
    let mut holder = world.arrived(180_000);
    let mut waiter = world.arrived(1_000);
    world.pass(900);
    holder.leave();
    assert_eq!(waiter.poll(), Some(Ok(())));
    assert_eq!(waiter.deadline.remaining_ms(world.now_ms()), 100);
}

#[test]
fn an_expired_waiter_never_starts_though_its_timer_is_late() {
    for (wait_ms, failure) in
        [(None, not_started(50)), (Some(40), Failure::SandboxBusy { capacity: 1, waited_ms: 50 })]
    {
        let world = World::new(1, wait_ms);
        let mut holder = world.arrived(180_000);
        let mut expired = world.arrived(50);
        world.pass(20);
        let mut living = world.arrived(50);
        world.pass(30);
        holder.leave();
        assert_eq!(expired.poll(), Some(Err(failure)));
        assert_eq!(living.poll(), Some(Ok(())));
    }
}

#[test]
fn a_permit_seen_only_after_the_deadline_starts_nothing() {
    let world = World::new(1, None);
    let mut holder = world.arrived(180_000);
    let mut late = world.arrived(50);
    let mut next = world.arrived(500);
    world.pass(49);
    holder.leave();
    world.pass(1);
    assert_eq!(late.poll(), Some(Err(not_started(50))));
    assert_eq!(next.poll(), Some(Ok(())));
}

#[test]
fn a_cancelled_waiter_never_starts() {
    let world = World::new(1, None);
    let mut holder = world.arrived(1_000);
    let mut waiters = [world.arrived(1_000), world.arrived(1_000), world.arrived(1_000)];
    waiters[0].cancel();
    assert_eq!(waiters[0].poll(), Some(Err(CALLER)));
    // Cancelled and its turn, in one moment.
    waiters[1].cancel();
    holder.leave();
    assert_eq!(waiters[1].poll(), Some(Err(CALLER)));
    assert_eq!(waiters[2].poll(), Some(Ok(())));
}

#[test]
fn a_waiter_cancelled_after_its_turn_came_passes_the_permit_on() {
    let world = World::new(1, None);
    let mut holder = world.arrived(1_000);
    let mut waiters = [world.arrived(1_000), world.arrived(1_000)];
    holder.leave();
    waiters[0].cancel();
    assert_eq!(waiters[0].poll(), Some(Err(CALLER)));
    assert_eq!(waiters[1].poll(), Some(Ok(())));
}

#[test]
fn a_waiter_that_is_dropped_leaves_its_place_or_its_permit() {
    let world = World::new(1, None);
    let mut holder = world.arrived(1_000);
    let mut waiters = [world.arrived(1_000), world.arrived(1_000), world.arrived(1_000)];
    waiters[0].leave();
    assert_eq!(world.semaphore.queued(), 2);
    holder.leave();
    waiters[1].leave();
    assert_eq!(waiters[2].poll(), Some(Ok(())));
}

#[test]
fn an_abort_that_nobody_acknowledged_keeps_its_permit_until_it_settles() {
    let world = World::new(1, None);
    let mut aborted = world.arrived(1_000);
    let mut waiter = world.arrived(900_000);
    aborted.cancel();
    world.pass(2_000);
    world.fire();
    assert_eq!((aborted.poll(), waiter.poll()), (Some(Ok(())), None));
    assert_eq!(world.semaphore.held(), 1);
    aborted.leave();
    assert_eq!(waiter.poll(), Some(Ok(())));
}

#[test]
fn who_is_cancelled_or_out_of_time_on_arrival_takes_no_place() {
    let world = World::new(1, None);
    let mut cancelled = world.caller(1_000);
    cancelled.cancel();
    assert_eq!(cancelled.poll(), Some(Err(CALLER)));
    world.pass(1_000);
    assert_eq!(world.caller_since(0, 1_000).poll(), Some(Err(not_started(1_000))));
    assert_eq!((world.semaphore.held(), world.semaphore.queued()), (0, 0));
    assert!(world.arrived(1).holds());
}

#[test]
fn closing_ends_who_waits_and_leaves_who_runs() {
    let world = World::new(1, None);
    let mut holder = world.arrived(1_000);
    let mut waiters = [world.arrived(1_000), world.arrived(1_000)];
    world.semaphore.close();
    world.semaphore.close();
    assert_eq!(world.semaphore.held(), 1);
    assert_eq!(waiters.each_mut().map(|waiter| waiter.poll()), [Some(Err(HOST)), Some(Err(HOST))]);
    holder.leave();
    assert_eq!(world.arrived(1_000).poll(), Some(Err(HOST)));
    assert_eq!((world.semaphore.held(), world.semaphore.queued()), (0, 0));
}

#[test]
fn the_longest_times_do_not_overflow() {
    let world = World::new(1, None);
    let mut holder = world.arrived(u64::MAX);
    world.pass(900_000);
    let mut waiter = world.caller_since(u64::MAX - 1, u64::MAX);
    assert_eq!(waiter.poll(), None);
    holder.leave();
    assert_eq!(waiter.poll(), Some(Ok(())));
}
