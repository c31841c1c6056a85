//! Calls: their order, their input and output, and who is charged for what.

use mycelium::{Failure, runtime::CallOutcome, sandbox::Limits};

use super::world::{ADD, ECHO, FAIL, LIE, PANIC, Setup, WAIT, World};

fn call(ordinal: usize, index: usize, input: &str) -> String {
    format!("[\"call\",{ordinal},{index},{input}]")
}

#[test]
fn values_cross_byte_for_byte() {
    let mut world = World::running();
    for (ordinal, input) in
        ["null", "{}", "[1,\"a\",{\"b\":1.5}]", "\"\\u2028é\"", "-0.0"].iter().enumerate()
    {
        world.say(&call(ordinal, ECHO, input));
    }
    world.say("[\"done\",{ \"kept\" : 1.0 }]");
    assert_eq!(world.guest.heard()[0], "[\"value\",0,null]");
    assert_eq!(world.guest.heard()[2], "[\"value\",2,[1,\"a\",{\"b\":1.5}]]");
    assert_eq!(world.guest.heard()[3], "[\"value\",3,\"\u{2028}é\"]");
    assert_eq!(world.outcome().answer, Ok(Some("{ \"kept\" : 1.0 }".to_owned())));
}

#[test]
fn a_call_without_an_argument_has_an_empty_object() {
    let mut world = World::running();
    world.say(&format!("[\"call\",0,{ECHO}]"));
    assert_eq!(world.guest.heard(), ["[\"value\",0,{}]"]);
}

#[test]
fn ordinals_are_0_1_2_and_are_used_up_by_calls_that_fail() {
    let mut world = World::running();
    world.say(&call(0, ADD, "{}"));
    world.say(&call(1, FAIL, "{}"));
    world.say("[\"void\",2,1,{\"path\":\"\",\"found\":\"a BigInt\",\"remedy\":\"String(x)\"}]");
    world.say(&call(3, WAIT, "{\"ms\":1}"));
    world.advance(1);
    let heard = world.guest.heard();
    assert!(heard[2].starts_with("[\"value\",3,{\"execution\":\""), "{heard:?}");
    assert!(heard[2].contains("\"ordinal\":3"), "{heard:?}");
    world.say("[\"done\"]");
    let outcomes: Vec<CallOutcome> =
        world.outcome().calls.iter().map(|call| call.outcome).collect();
    let failed = CallOutcome::Failed;
    assert_eq!(
        outcomes,
        [
            failed("input-invalid"),
            failed("capability-failed"),
            failed("input-invalid"),
            CallOutcome::Done
        ]
    );
}

#[test]
fn the_same_calls_have_the_same_ordinals_in_every_execution_and_another_execution_id() {
    let run = || {
        let mut world = World::running();
        world.say(&call(0, WAIT, "{}"));
        world.say(&call(1, WAIT, "{}"));
        world.advance(0);
        world.say("[\"done\"]");
        (world.outcome().execution_id.to_string(), world.outcome().calls)
    };
    assert_eq!(run().1, run().1);
    let mut world = World::running();
    world.say("[\"done\"]");
    let first = world.outcome().execution_id;
    world.execute("return 1");
    world.guest.say("[\"done\"]");
    world.settle();
    assert_ne!(world.outcome().execution_id, first);
}

#[test]
fn calls_run_side_by_side_and_answer_in_the_order_they_end() {
    let mut world = World::running();
    for (ordinal, ms) in [30, 10, 20].iter().enumerate() {
        world.say(&call(ordinal, WAIT, &format!("{{\"ms\":{ms}}}")));
    }
    let ids = |world: &World| -> Vec<String> {
        world.guest.heard().iter().map(|frame| frame[9..10].to_owned()).collect()
    };
    assert!(ids(&world).is_empty());
    world.advance(10);
    assert_eq!(ids(&world), ["1"]);
    world.advance(20);
    let mut rest = ids(&world);
    rest.sort();
    assert_eq!(rest, ["0", "1", "2"]);
}

#[test]
fn the_budget_ends_the_execution_before_the_call_is_made() {
    let limits = Limits { calls: 2, ..Limits::with_timeout(1_000) };
    let mut world = World::start(Setup { limits, ..Setup::default() });
    for ordinal in 0..3 {
        world.say(&call(ordinal, ECHO, "{}"));
    }
    assert_eq!(world.failure(), Failure::CallBudgetExceeded { limit: 2 });
    assert_eq!(world.outcome().calls.len(), 2);
    assert_eq!(world.guest.connections(), 0);
}

#[test]
fn input_is_validated_before_the_operation_and_names_the_path() {
    let cases = [
        ("{\"a\":1,\"b\":\"x\"}", "at /b: "),
        ("{\"a\":1}", "at /: "),
        ("{\"a\":1,\"b\":2,\"c\":3}", "at /"),
        ("[]", "at /: "),
        ("{\"a\":1,\"a\":2,\"b\":3}", "\"a\" occurs twice"),
        ("{\"a\":1e999,\"b\":1}", "number"),
    ];
    for (input, problem) in cases {
        let mut world = World::running();
        world.say(&call(0, ADD, input));
        let heard = world.guest.heard();
        assert!(heard[0].starts_with("[\"error\",0,{\"code\":\"input-invalid\""), "{heard:?}");
        world.say("[\"failed\",{\"kind\":\"call\",\"ordinal\":0}]");
        let text = world.failure().to_string();
        assert!(text.contains(problem), "{input}: {text}");
        assert!(text.starts_with("m.add was called with input"), "{text}");
    }
}

#[test]
fn deep_input_is_refused_and_harms_nothing() {
    let mut world = World::running();
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    world.say(&call(0, ECHO, &deep));
    if let Some(outcome) = world.ended() {
        assert!(matches!(outcome.answer, Err(Failure::BadResponse { .. })));
        return;
    }
    assert!(world.guest.heard()[0].starts_with("[\"error\",0,{\"code\":\"input-invalid\""));
    world.say("[\"done\",1]");
    assert_eq!(world.outcome().answer, Ok(Some("1".to_owned())));
}

#[test]
fn output_is_validated_and_never_altered() {
    let mut world = World::running();
    world.say(&call(0, LIE, "{}"));
    world.say("[\"failed\",{\"kind\":\"call\",\"ordinal\":0}]");
    let text = world.failure().to_string();
    assert!(
        text.starts_with("m.lie ran, and its answer is not what it declares: at /a/1: "),
        "{text}"
    );
    assert_eq!(world.failure().code(), "output-invalid");
}

#[test]
fn output_over_a_frame_is_refused() {
    let limits = Limits { frame_bytes: 50, ..Limits::with_timeout(1_000) };
    let mut world = World::start(Setup { limits, ..Setup::default() });
    world.say(&call(0, ECHO, &format!("\"{}\"", "x".repeat(48))));
    world.say(&call(1, WAIT, "{}"));
    world.advance(0);
    let heard = world.guest.heard();
    assert!(heard[0].starts_with("[\"value\",0,"), "{heard:?}");
    assert!(heard[1].starts_with("[\"error\",1,{\"code\":\"output-invalid\""), "{heard:?}");
}

#[test]
fn a_panic_in_an_operation_fails_only_its_call() {
    let mut world = World::running();
    world.say(&call(0, WAIT, "{\"ms\":5}"));
    world.say(&call(1, PANIC, "{}"));
    world.advance(5);
    let heard = world.guest.heard();
    assert!(heard[0].starts_with("[\"error\",1,{\"code\":\"unknown\""), "{heard:?}");
    assert!(!heard[0].contains("injected"), "{heard:?}");
    assert!(heard[1].starts_with("[\"value\",0,"), "{heard:?}");
    let lines = world.host.lines();
    let told = "call 1: operation m.panic: the operation panicked: injected";
    assert!(lines.len() == 1 && lines[0].ends_with(told), "{lines:?}");
    world.say("[\"done\",2]");
    assert_eq!(world.outcome().answer, Ok(Some("2".to_owned())));
}

#[test]
fn admitted_calls_settle_before_the_execution_ends_and_later_ones_never_run() {
    let mut world = World::running();
    world.say(&call(0, WAIT, "{\"ms\":50}"));
    world.say("[\"done\",1]");
    assert_eq!(world.ended(), None);
    world.say(&call(1, ECHO, "{}"));
    world.advance(50);
    let outcome = world.outcome();
    assert_eq!(outcome.answer, Ok(Some("1".to_owned())));
    assert_eq!(outcome.calls.len(), 1);
    assert_eq!(outcome.calls[0].outcome, CallOutcome::Done);
    assert!(world.guest.heard().is_empty());
}
