//! Whatever happens, an execution ends, once, and lets go of everything.

use mycelium::{
    Failure,
    failure::Party,
    sandbox::{Limits, LoadError, Lost},
};
use proptest::prelude::*;

use super::{
    guest::Loading,
    world::{ADD, ECHO, FAIL, PANIC, Setup, WAIT, WATCH, World},
};

/// What may happen to an execution.
#[derive(Clone, Debug)]
enum Event {
    Say(String),
    Close,
    Deafen,
    Advance(u64),
    Cancel,
    /// The guest is lost in one of the ways it can be.
    Lose(Lost),
    /// The host closes its runtime.
    CloseRuntime,
}

fn lost() -> impl Strategy<Value = Lost> {
    prop_oneof![
        (1_000..1_016_u16, ".{0,10}").prop_map(|(code, reason)| Lost::Closed { code, reason }),
        ".{0,10}".prop_map(Lost::Failed),
        Just(Lost::Failed("Worker exceeded CPU time limit.".to_owned())),
        (0..9_usize).prop_map(|bytes| Lost::Binary { bytes }),
        Just(Lost::Flooded),
    ]
}

fn event() -> impl Strategy<Value = Event> {
    let call = (0..4_u64, 0..9_usize, 0..40_u64)
        .prop_map(|(ordinal, index, ms)| format!("[\"call\",{ordinal},{index},{{\"ms\":{ms}}}]"));
    let frame = prop_oneof![
        8 => call,
        2 => (0..4_u64).prop_map(|ordinal| {
            format!("[\"void\",{ordinal},1,{{\"path\":\"\",\"found\":\"x\",\"remedy\":\"y\"}}]")
        }),
        2 => ".{0,12}".prop_map(|text| format!("[\"log\",\"log\",{}]", serde_json::json!(text))),
        1 => Just("[\"done\",1]".to_owned()),
        1 => Just("[\"done\"]".to_owned()),
        1 => Just("[\"done\",\"over the limit of this world\"]".to_owned()),
        1 => (0..4_u64).prop_map(|at| format!("[\"failed\",{{\"kind\":\"call\",\"ordinal\":{at}}}]")),
        1 => Just("[\"failed\",{\"kind\":\"call-budget-exceeded\"}]".to_owned()),
        1 => ".{0,20}",
    ];
    prop_oneof![
        12 => frame.prop_map(Event::Say),
        1 => Just(Event::Close),
        1 => Just(Event::Deafen),
        4 => (0..60_u64).prop_map(Event::Advance),
        1 => Just(Event::Cancel),
        1 => lost().prop_map(Event::Lose),
        1 => Just(Event::CloseRuntime),
    ]
}

/// Lets `event` happen, with nothing else running before the next one if it is abrupt.
fn happen(world: &mut World, event: &Event, abrupt: bool) {
    match event {
        Event::Say(frame) => world.guest.say(frame),
        Event::Close => world.guest.close(),
        Event::Deafen => world.guest.deafen(),
        Event::Advance(ms) => world.host.time().pass(*ms),
        Event::Cancel => world.cancellation.cancel(Failure::Cancelled { by: Party::Caller }),
        Event::Lose(lost) => world.guest.lose(lost.clone()),
        Event::CloseRuntime => drop(world.close_runtime()),
    }
    if !abrupt {
        world.settle();
    }
}

fn small() -> Setup {
    let limits = Limits {
        calls: 3,
        result_bytes: 16,
        log_bytes: 40,
        log_lines: 5,
        ..Limits::with_timeout(200)
    };
    Setup { limits, ..Setup::default() }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 2_000, ..ProptestConfig::default() })]

    #[test]
    fn the_socket_is_dropped_on_every_exit(
        events in prop::collection::vec((event(), any::<bool>()), 0..20),
        dropped in prop::option::weighted(0.1, 0..20_usize),
    ) {
        let mut world = World::start(small());
        for (position, (event, abrupt)) in events.iter().enumerate() {
            if dropped == Some(position) {
                world.forget();
                prop_assert_eq!(world.guest.connections(), 0);
                // Who watches for it has so long left.
                world.advance(40);
                prop_assert!(!world.is_unsettled());
                prop_assert_eq!(world.host.time().sleepers(), 0);
                return Ok(());
            }
            happen(&mut world, event, *abrupt);
            if world.ended().is_some() {
                prop_assert_eq!(world.guest.connections(), 0);
            }
        }
        // Time alone ends what nothing else has, once those who watch for it have heard.
        world.advance(200);
        world.advance(40);
        let outcome = world.outcome();
        prop_assert_eq!(world.guest.connections(), 0);
        prop_assert_eq!(world.host.time().sleepers(), 0);
        prop_assert_eq!(world.guest.loads(), 1);
        prop_assert!(outcome.calls.len() <= 3);
        prop_assert_eq!(outcome.is_failure(), outcome.reference.is_some());
        prop_assert!(outcome.logs.lines().iter().map(|line| line.text.len()).sum::<usize>() <= 40);
        // Nothing that happens afterwards changes it.
        world.cancellation.cancel(Failure::Cancelled { by: Party::Host });
        world.say("[\"done\",2]");
        prop_assert_eq!(world.outcome(), outcome);
    }

    #[test]
    fn a_cancelled_execution_never_succeeds(
        events in prop::collection::vec(event(), 0..8),
    ) {
        let mut world = World::start(small());
        world.cancellation.cancel(Failure::Cancelled { by: Party::Caller });
        for event in &events {
            happen(&mut world, event, true);
        }
        world.settle();
        prop_assert_eq!(world.failure(), Failure::Cancelled { by: Party::Caller });
    }
}

/// An execution's life in single steps, with every kind of work in it.
fn life() -> Vec<Event> {
    let call = |ordinal: usize, index: usize, ms: u64| {
        Event::Say(format!("[\"call\",{ordinal},{index},{{\"ms\":{ms}}}]"))
    };
    vec![
        Event::Say("[\"log\",\"log\",\"x\"]".to_owned()),
        call(0, WAIT, 5),
        Event::Advance(5),
        call(1, PANIC, 0),
        call(2, WATCH, 30),
        call(3, WAIT, 500),
        Event::Say("[\"void\",4,1,{\"path\":\"\",\"found\":\"x\",\"remedy\":\"y\"}]".to_owned()),
        call(5, FAIL, 0),
        call(6, ADD, 0),
        call(7, ECHO, 0),
        Event::Advance(20),
    ]
}

/// The ways out.
fn exits() -> Vec<Event> {
    let say = |frame: &str| Event::Say(frame.to_owned());
    vec![
        say("[\"done\",1]"),
        say("[\"done\"]"),
        say("[\"done\",\"over the limit of this world\"]"),
        say("[\"failed\",{\"kind\":\"guest-exception\",\"name\":\"E\",\"message\":\"m\"}]"),
        say("[\"failed\",{\"kind\":\"call-budget-exceeded\"}]"),
        say("[\"call\",99,0,{}]"),
        say("no frame"),
        Event::Lose(Lost::Closed { code: 1_006, reason: String::new() }),
        Event::Lose(Lost::Failed("Worker exceeded CPU time limit.".to_owned())),
        Event::Lose(Lost::Binary { bytes: 1 }),
        Event::Lose(Lost::Overlong { units: 1 }),
        Event::Lose(Lost::Flooded),
        Event::Cancel,
        Event::CloseRuntime,
        Event::Advance(200),
    ]
}

fn one_at_a_time() -> World {
    let limits = Limits { calls: 20, grace_ms: 10, result_bytes: 16, ..Limits::with_timeout(200) };
    World::start(Setup { limits, capacity: 1, ..Setup::default() })
}

/// Whatever has ended has let its guest go; and its turn is the next one's when, and only
/// when, the work behind it has settled.
fn holds_its_turn_until_settled(world: &mut World, told: &str) {
    assert_eq!(world.guest.connections(), 0, "{told}");
    let (started, another) = world.starts_another();
    assert_eq!(started, !world.is_unsettled(), "{told}");
    world.advance(600);
    assert!(!world.is_unsettled(), "{told}");
    drop(another);
    world.settle();
    assert_eq!((world.guest.connections(), world.host.time().sleepers()), (0, 0), "{told}");
}

#[test]
fn every_exit_at_every_step_closes_once_and_keeps_its_turn_until_the_work_has_settled() {
    let closes = |exit: &Event| matches!(exit, Event::CloseRuntime);
    for exit in exits() {
        for steps in 0..=life().len() {
            let mut world = one_at_a_time();
            for step in life().iter().take(steps) {
                happen(&mut world, step, false);
            }
            happen(&mut world, &exit, false);
            // A program that has answered waits for its calls, and one that is closed runs on.
            if closes(&exit) {
                world.advance(200);
                world.advance(10);
            }
            let told = format!("{exit:?} after {steps} steps");
            if world.ended().is_none() {
                assert!(
                    matches!(
                        exit,
                        Event::Say(_) | Event::Cancel | Event::Advance(_) | Event::Lose(_)
                    ),
                    "{told}"
                );
                assert_eq!(world.guest.connections(), usize::from(!is_over(&exit)), "{told}");
                world.advance(200);
                // The grace.
                world.advance(10);
            }
            assert!(world.ended().is_some(), "{told}");
            assert_eq!(world.guest.loads(), 1, "{told}");
            if closes(&exit) {
                assert_eq!(world.guest.connections(), 0, "{told}");
                continue;
            }
            holds_its_turn_until_settled(&mut world, &told);
        }
    }
}

/// Whether nothing more is expected of the guest.
fn is_over(exit: &Event) -> bool {
    !matches!(exit, Event::Say(frame) if frame.starts_with("[\"done\""))
}

#[test]
fn a_future_dropped_at_any_await_point_lets_go_like_every_other_exit() {
    for steps in 0..=life().len() {
        let mut world = one_at_a_time();
        for step in life().iter().take(steps) {
            happen(&mut world, step, false);
        }
        world.forget();
        holds_its_turn_until_settled(&mut world, &format!("dropped after {steps} steps"));
    }
}

#[test]
fn a_future_dropped_while_its_isolate_is_loaded_or_refused_lets_go_too() {
    let loadings = [
        Loading::Hangs,
        Loading::Fails(LoadError::Busy("full".to_owned())),
        Loading::Fails(LoadError::Platform("broken".to_owned())),
    ];
    for loading in loadings {
        let limits = Limits::with_timeout(200);
        let mut world = World::start(Setup { limits, loading, capacity: 1, ..Setup::default() });
        world.forget();
        assert_eq!((world.guest.connections(), world.host.time().sleepers()), (0, 0));
        let loads = world.guest.loads();
        world.advance(300);
        assert_eq!(world.guest.loads(), loads, "nothing is tried for a caller who is gone");
    }
}
