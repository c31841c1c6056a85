//! The pure rules, as another host would use them.

use mycelium::runtime::admission::{
    Refusal, SemaphoreEffect, SemaphoreEvent, SemaphoreState, Ticket, semaphore_transition,
};

const ARRIVE: SemaphoreEvent = SemaphoreEvent::Arrive { wait_ends_ms: 100, deadline_ms: 200 };

/// A state of one permit with a holder and a waiter.
fn full() -> (SemaphoreState, Ticket, Ticket) {
    let state = SemaphoreState::new(1);
    let holder = state.next_ticket();
    let (state, _) = semaphore_transition(state, 0, ARRIVE);
    let waiter = state.next_ticket();
    let (state, _) = semaphore_transition(state, 0, ARRIVE);
    (state, holder, waiter)
}

#[test]
fn an_event_for_a_ticket_that_is_elsewhere_changes_nothing() {
    let (state, holder, waiter) = full();
    let stranger = state.next_ticket();
    for event in [
        SemaphoreEvent::Settle(waiter),
        SemaphoreEvent::Settle(stranger),
        SemaphoreEvent::Cancel(holder),
        SemaphoreEvent::Cancel(stranger),
        SemaphoreEvent::Elapse(holder),
        SemaphoreEvent::Elapse(waiter),
        SemaphoreEvent::Requeue(waiter),
        SemaphoreEvent::Requeue(stranger),
    ] {
        let after = semaphore_transition(state.clone(), 50, event);
        assert_eq!(after, (state.clone(), vec![]), "{event:?}");
    }
}

#[test]
fn every_way_out_of_the_queue_says_why() {
    let (state, holder, waiter) = full();
    let busy = Refusal::Busy { waited_ms: 100 };
    for (event, refusal) in [
        (SemaphoreEvent::Elapse(waiter), busy),
        (SemaphoreEvent::Settle(holder), busy),
        (SemaphoreEvent::Cancel(waiter), Refusal::Cancelled),
        (SemaphoreEvent::Close, Refusal::Closed),
    ] {
        let (after, effects) = semaphore_transition(state.clone(), 100, event);
        assert_eq!(effects, [SemaphoreEffect::Refused(waiter, refusal)], "{event:?}");
        assert_eq!((after.queued(), after.due_ms(waiter)), (0, None));
    }
}

#[test]
fn the_first_in_the_queue_is_told_when_the_platform_is_tried_again() {
    let (state, holder, waiter) = full();
    let (state, effects) = semaphore_transition(state, 10, SemaphoreEvent::Requeue(holder));
    assert_eq!(effects, [SemaphoreEffect::Watch(holder)]);
    assert_eq!((state.due_ms(holder), state.due_ms(waiter)), (Some(60), Some(100)));

    let (state, effects) = semaphore_transition(state, 20, SemaphoreEvent::Cancel(holder));
    let refused = SemaphoreEffect::Refused(holder, Refusal::Cancelled);
    assert_eq!(effects, [refused, SemaphoreEffect::Watch(waiter)]);
    assert_eq!(state.due_ms(waiter), Some(60));

    let (state, effects) = semaphore_transition(state, 60, SemaphoreEvent::Elapse(waiter));
    assert_eq!(effects, [SemaphoreEffect::Granted(waiter)]);
    assert!(state.holds(waiter));
}
