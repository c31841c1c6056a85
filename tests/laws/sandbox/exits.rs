//! Whatever happens, an execution ends, once, and lets go of everything.

use mycelium::{Failure, failure::Party, sandbox::Limits};
use proptest::prelude::*;

use super::world::{Setup, World};

/// What may happen to an execution.
#[derive(Clone, Debug)]
enum Event {
    Say(String),
    Close,
    Deafen,
    Advance(u64),
    Cancel,
}

fn event() -> impl Strategy<Value = Event> {
    let call = (0..4_u64, 0..8_usize, 0..40_u64)
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
                prop_assert_eq!(world.host.time().sleepers(), 0);
                return Ok(());
            }
            happen(&mut world, event, *abrupt);
            if world.ended().is_some() {
                prop_assert_eq!(world.guest.connections(), 0);
            }
        }
        // Time alone ends what nothing else has.
        world.advance(200);
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
