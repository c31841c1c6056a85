//! Deadline and cancellation.

use mycelium::{
    Failure,
    failure::Party,
    runtime::{CallOutcome, UnenforcedLimit},
    sandbox::Limits,
};

use super::{
    guest::Loading,
    world::{STOP, Setup, WAIT, World},
};

const CANCELLED: Failure = Failure::Cancelled { by: Party::Caller };

fn slow() -> String {
    format!("[\"call\",0,{WAIT},{{\"ms\":60000}}]")
}

#[test]
fn a_cancelled_execution_never_starts_a_guest() {
    let mut world = World::idle(Setup::default());
    world.cancellation.cancel(CANCELLED);
    world.execute("return 1");
    assert_eq!(world.failure(), CANCELLED);
    assert_eq!(world.guest.loads(), 0);
}

#[test]
fn a_program_that_is_none_never_starts_a_guest() {
    for code in ["return (", "import 'x'", "[[[[["] {
        let mut world = World::idle(Setup::default());
        world.execute(code);
        assert!(matches!(world.failure(), Failure::SyntaxError { .. }), "{code}");
        assert_eq!(world.guest.loads(), 0);
    }
    let limits = Limits { code_bytes: 7, ..Limits::default() };
    let world = World::start(Setup { limits, ..Setup::default() });
    assert_eq!(world.failure(), Failure::ProgramTooLarge { limit: 7 });
}

#[test]
fn cancelling_while_the_isolate_loads_ends_it() {
    let mut world = World::start(Setup { loading: Loading::Hangs, ..Setup::default() });
    world.cancellation.cancel(CANCELLED);
    world.settle();
    assert_eq!(world.failure(), CANCELLED);
}

#[test]
fn the_deadline_counts_while_the_isolate_loads() {
    let mut world = World::start(Setup { loading: Loading::Hangs, ..Setup::default() });
    world.advance(1_000);
    assert_eq!(world.failure(), Failure::DeadlineExceeded { timeout_ms: 1_000, started: true });
}

#[test]
fn a_cancellation_in_the_same_turn_wins_over_a_late_success() {
    let mut world = World::running();
    world.guest.say("[\"done\",1]");
    world.cancellation.cancel(CANCELLED);
    world.settle();
    assert_eq!(world.failure(), CANCELLED);

    let mut world = World::running();
    world.cancellation.cancel(CANCELLED);
    world.guest.say("[\"done\",1]");
    world.settle();
    assert_eq!(world.failure(), CANCELLED);

    // A call that cancels its own execution, whose program has ended already.
    let mut world = World::running();
    world.guest.say(&format!("[\"call\",0,{STOP},{{}}]"));
    world.guest.say("[\"done\",1]");
    world.settle();
    assert_eq!(world.failure(), CANCELLED);
}

#[test]
fn a_cancellation_after_the_end_changes_nothing() {
    let mut world = World::running();
    world.say("[\"done\",1]");
    world.cancellation.cancel(CANCELLED);
    world.settle();
    assert_eq!(world.outcome().answer, Ok(Some("1".to_owned())));
}

#[test]
fn the_first_cause_stands() {
    let mut world = World::running();
    world.cancellation.cancel(Failure::Cancelled { by: Party::Host });
    world.cancellation.cancel(CANCELLED);
    world.settle();
    assert_eq!(world.failure(), Failure::Cancelled { by: Party::Host });
}

#[test]
fn the_deadline_ends_guest_and_calls_and_lists_what_is_unsettled() {
    let mut world = World::running();
    world.say(&slow());
    world.advance(999);
    assert_eq!(world.ended(), None);
    world.advance(1);
    assert_eq!(world.failure(), Failure::DeadlineExceeded { timeout_ms: 1_000, started: true });
    assert_eq!(world.outcome().calls[0].outcome, CallOutcome::Unsettled);
    assert_eq!(world.guest.connections(), 0);
    assert_eq!(world.host.time().sleepers(), 0, "the call's own timer is gone");
}

#[test]
fn the_deadline_holds_while_calls_of_an_ended_program_settle() {
    let mut world = World::running();
    world.say(&slow());
    world.say("[\"done\",1]");
    world.advance(1_000);
    assert!(matches!(world.failure(), Failure::DeadlineExceeded { .. }));
}

#[test]
fn an_execution_that_ended_leaves_no_timer() {
    let mut world = World::running();
    assert_eq!(world.host.time().sleepers(), 1);
    world.say("[\"done\",1]");
    assert_eq!(world.host.time().sleepers(), 0);
}

#[test]
fn dropping_the_execution_ends_guest_and_calls() {
    let mut world = World::running();
    world.say(&slow());
    world.forget();
    assert_eq!(world.guest.connections(), 0);
    assert_eq!(world.host.time().sleepers(), 0);
    assert_eq!(world.ended(), None);
}

#[test]
fn notices_are_printed_once_over_all_executions() {
    let unenforced = vec![UnenforcedLimit::Cpu, UnenforcedLimit::Memory];
    let mut world = World::idle(Setup { unenforced, ..Setup::default() });
    assert!(world.host.lines().is_empty());
    for _ in 0..3 {
        world.execute("return 1");
        world.guest.say("[\"done\",1]");
        world.settle();
    }
    assert_eq!(
        world.host.lines(),
        ["CPU limits are not enforced in local dev", "Memory limits are not enforced in local dev"]
    );
}
