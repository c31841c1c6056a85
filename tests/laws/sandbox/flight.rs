//! What is under way is bounded, and a guest that is lost says how.

use mycelium::{
    Failure,
    runtime::CallOutcome,
    sandbox::{Limits, Lost},
};

use super::world::{ECHO, Setup, WAIT, World};

/// Frames of 100 bytes, inputs of 200 together, which with one frame of slack makes 300.
fn tight() -> World {
    let limits = Limits { frame_bytes: 100, flight_bytes: 200, ..Limits::with_timeout(1_000) };
    World::start(Setup { limits, ..Setup::default() })
}

/// A call whose input has `bytes` bytes and which takes `ms`.
fn call(ordinal: usize, ms: usize, bytes: usize) -> String {
    let empty = format!("{{\"ms\":{ms},\"pad\":\"\"}}");
    let pad = "x".repeat(bytes - empty.len());
    format!("[\"call\",{ordinal},{WAIT},{{\"ms\":{ms},\"pad\":\"{pad}\"}}]")
}

#[test]
fn calls_under_way_are_bounded_by_their_bytes_together() {
    let mut world = tight();
    for ordinal in 0..3 {
        world.say(&call(ordinal, 50, 100));
        assert!(world.ended().is_none(), "{ordinal}");
    }
    world.say(&call(3, 50, 100));
    assert!(matches!(world.failure(), Failure::BadResponse { .. }), "{:?}", world.failure());
    let outcomes: Vec<_> = world.outcome().calls.iter().map(|call| call.outcome).collect();
    assert_eq!(outcomes.len(), 3, "the fourth is refused before anything of it runs");
    assert!(outcomes.iter().all(|outcome| *outcome != CallOutcome::Done), "{outcomes:?}");
    assert!(world.host.lines().iter().any(|line| line.contains("more than 200 bytes under way")));
}

#[test]
fn a_settled_call_makes_room_for_the_next() {
    let mut world = tight();
    for ordinal in 0..30 {
        world.say(&call(ordinal, 1, 100));
        if ordinal % 3 == 2 {
            world.advance(1);
        }
    }
    world.say("[\"done\",1]");
    assert_eq!(world.outcome().answer, Ok(Some("1".to_owned())));
    assert_eq!(world.outcome().calls.len(), 30);
}

#[test]
fn a_program_is_told_how_much_it_may_have_under_way() {
    let world = tight();
    let task: serde_json::Value = serde_json::from_str(&world.guest.task()).unwrap();
    assert_eq!(task[2]["limits"]["flightBytes"], 200);
}

#[test]
fn a_lost_guest_is_told_as_what_it_was() {
    let closed = |code, reason: &str| Lost::Closed { code, reason: reason.to_owned() };
    let failed = |text: &str| Lost::Failed(text.to_owned());
    let cases = [
        (closed(1_006, "WebSocket disconnected"), "transport-lost", "WebSocket disconnected"),
        (closed(1_011, "Worker exceeded CPU time limit."), "transport-lost", "code 1011"),
        (failed("Worker exceeded CPU time limit."), "cpu-exceeded", "CPU time limit"),
        (failed("Worker exceeded memory limit."), "memory-exceeded", "memory limit"),
        (failed("Network connection lost."), "transport-lost", "Network connection lost."),
        (Lost::Binary { bytes: 12 }, "bad-response", "12 bytes that are no text"),
        (Lost::Overlong { units: 9_000_000 }, "bad-response", "9000000 units"),
        (Lost::Flooded, "bad-response", "under way"),
    ];
    for (lost, code, told) in cases {
        let mut world = World::running();
        world.guest.lose(lost.clone());
        world.settle();
        assert_eq!(world.failure().code(), code, "{lost:?}");
        assert_eq!(world.guest.connections(), 0);
        let lines = world.host.lines().join("\n");
        assert!(lines.contains(told), "{lost:?} isn't told in {lines}");
        assert!(!world.failure().to_string().contains("12 bytes"), "a model isn't told");
    }
}

#[test]
fn a_guest_that_hears_nothing_any_more_says_why_if_it_can() {
    let mut world = World::running();
    world.guest.deafen();
    world.guest.say(&format!("[\"call\",0,{ECHO},1]"));
    world.guest.lose(Lost::Failed("Worker exceeded memory limit.".to_owned()));
    world.settle();
    assert_eq!(world.failure(), Failure::MemoryExceeded {});
}
