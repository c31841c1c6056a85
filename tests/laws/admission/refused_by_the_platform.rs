//! A program that the platform refuses to load hasn't run: it goes back to its place.

use mycelium::{Failure, failure::Party};

use super::world::World;

#[test]
fn the_refused_one_goes_before_all_who_came_later() {
    let world = World::new(3, None);
    let mut running = world.arrived(1_000);
    let mut refused = [world.arrived(1_000), world.arrived(1_000)];
    let mut later = world.arrived(1_000);
    // The one that came second is refused last, and still keeps its place.
    refused[1].requeue();
    assert_eq!(refused[1].poll(), None);
    refused[0].requeue();
    assert_eq!(refused[0].poll(), None);
    assert_eq!((world.semaphore.held(), world.semaphore.queued()), (1, 3));

    running.leave();
    assert_eq!(refused.each_mut().map(|caller| caller.poll()), [Some(Ok(())), None]);
    refused[0].leave();
    assert_eq!((refused[1].poll(), later.poll()), (Some(Ok(())), None));
}

#[test]
fn a_full_platform_is_not_asked_without_a_pause() {
    let world = World::new(4, None);
    let mut refused = world.arrived(180_000);
    let mut attempts = 0;
    while world.now_ms() < 100_000 {
        if refused.poll() == Some(Ok(())) {
            attempts += 1;
            refused.requeue();
            assert_eq!(refused.poll(), None);
        }
        world.pass(1);
        world.fire();
    }
    assert!((50..60).contains(&attempts), "{attempts}");
}

#[test]
fn no_more_are_tried_than_ran_beside_the_refused_one_until_a_pause_is_over() {
    let world = World::new(3, None);
    let mut callers: Vec<_> = (0..6).map(|_| world.arrived(10_000)).collect();
    callers[2].requeue();
    callers[2].poll();
    assert_eq!(world.semaphore.held(), 2);
    callers[0].leave();
    assert_eq!((callers[2].poll(), callers[3].poll()), (Some(Ok(())), None));
    world.pass(50);
    world.fire();
    assert_eq!((callers[3].poll(), callers[4].poll()), (Some(Ok(())), None));
    assert_eq!(world.semaphore.held(), 3);
}

#[test]
fn with_nobody_running_the_refused_one_is_tried_again_by_itself() {
    let world = World::new(2, None);
    let mut refused = world.arrived(1_000);
    refused.requeue();
    assert_eq!((refused.poll(), world.semaphore.held()), (None, 0));
    world.pass(49);
    world.fire();
    assert_eq!(refused.poll(), None);
    world.pass(1);
    world.fire();
    assert_eq!(refused.poll(), Some(Ok(())));
}

#[test]
fn the_next_in_line_tries_when_the_refused_one_goes_away() {
    for cancelled in [true, false] {
        let world = World::new(1, None);
        let mut refused = world.arrived(1_000);
        let mut next = world.arrived(1_000);
        refused.requeue();
        assert_eq!((refused.poll(), next.poll()), (None, None));
        if cancelled {
            refused.cancel();
            assert_eq!(refused.poll(), Some(Err(Failure::Cancelled { by: Party::Caller })));
        } else {
            refused.leave();
        }
        assert_eq!(next.poll(), None);
        world.pass(50);
        world.fire();
        assert_eq!(next.poll(), Some(Ok(())));
    }
}

#[test]
fn going_back_restarts_neither_wait_nor_time() {
    let busy = Failure::SandboxBusy { capacity: 1, waited_ms: 60 };
    let over = Failure::DeadlineExceeded { timeout_ms: 60, started: false };
    for (wait_ms, timeout_ms, failure) in [(Some(60), 500, busy), (None, 60, over)] {
        let world = World::new(1, wait_ms);
        let mut refused = world.arrived(timeout_ms);
        world.pass(30);
        refused.requeue();
        assert_eq!(refused.poll(), None);
        world.pass(29);
        world.fire();
        assert_eq!(refused.poll(), None);
        world.pass(1);
        world.fire();
        assert_eq!(refused.poll(), Some(Err(failure)));
    }
}

#[test]
fn going_back_to_a_closed_queue_is_cancelled_by_the_host() {
    let world = World::new(1, None);
    let mut refused = world.arrived(1_000);
    world.semaphore.close();
    refused.requeue();
    assert_eq!(refused.poll(), Some(Err(Failure::Cancelled { by: Party::Host })));
    assert_eq!((world.semaphore.held(), world.semaphore.queued()), (0, 0));
}

#[test]
fn a_quiet_pause_frees_the_platform_again() {
    let world = World::new(3, None);
    let mut refused = world.arrived(1_000);
    refused.requeue();
    assert_eq!(refused.poll(), None);
    refused.leave();
    world.pass(10_000);
    let mut callers = [world.arrived(1_000), world.arrived(1_000), world.arrived(1_000)];
    assert!(callers.iter().all(|caller| caller.holds()));
    // The first pause again, not the one after it.
    callers[2].requeue();
    assert_eq!(callers[2].poll(), None);
    world.pass(50);
    world.fire();
    assert_eq!(callers[2].poll(), Some(Ok(())));
}
