//! A guest is held to the protocol, and to nothing it claims.

use mycelium::{
    Failure,
    runtime::{CallOutcome, access::AccessPolicy},
    sandbox::{Limits, LoadError},
};

use super::{
    guest::Loading,
    world::{ECHO, Setup, World},
};

/// Frames that no honest guest sends, when no call has been made yet.
const FORGED: &[&str] = &[
    "",
    "x",
    "null",
    "{}",
    "\"done\"",
    "[]",
    "[1]",
    "[\"done\",1,2]",
    "[\"done\",1] ",
    "[\"DONE\",1]",
    "[\"d\\u006fne\",1]",
    "[\"value\",0,1]",
    "[\"run\",1,{}]",
    "[\"call\"]",
    "[\"call\",0]",
    "[\"call\",0,0,{},1]",
    "[\"call\",1,0,{}]",
    "[\"call\",-1,0,{}]",
    "[\"call\",0.0,0,{}]",
    "[\"call\",\"0\",0,{}]",
    "[\"call\",18446744073709551616,0,{}]",
    "[\"call\",0,8,{}]",
    "[\"call\",0,-1,{}]",
    "[\"call\",0,18446744073709551615,{}]",
    "[\"call\",0,0,{]",
    "[\"void\",0,0]",
    "[\"void\",0,8,{\"path\":\"\",\"found\":\"\",\"remedy\":\"\"}]",
    "[\"void\",1,0,{\"path\":\"\",\"found\":\"\",\"remedy\":\"\"}]",
    "[\"void\",0,0,{\"path\":1}]",
    "[\"forage\"]",
    "[\"forage\",\"f0\"]",
    "[\"forage\",0,\"list\"]",
    "[\"forage\",\"f1\",\"list\"]",
    "[\"forage\",\"f0\",\"invoke\"]",
    "[\"forage\",\"f0\",\"list\",{},1]",
    "[\"failed\",{\"kind\":\"forage\",\"code\":\"unknown\",\"message\":\"\"}]",
    "[\"log\"]",
    "[\"log\",\"log\"]",
    "[\"log\",1,\"x\"]",
    "[\"log\",\"log\",1]",
    "[\"failed\"]",
    "[\"failed\",{}]",
    "[\"failed\",{\"kind\":\"done\"}]",
    "[\"failed\",{\"kind\":\"deadline-exceeded\"}]",
    "[\"failed\",{\"kind\":\"guest-exception\",\"name\":1,\"message\":\"\"}]",
    "[\"failed\",{\"kind\":\"call\",\"ordinal\":0}]",
    "[\"failed\",{\"kind\":\"bad-protocol\"}]",
    "[\"result\",1]",
];

#[test]
fn every_forged_frame_is_a_bad_response_and_drops_the_transport() {
    for frame in FORGED {
        let mut world = World::running();
        assert_eq!(world.guest.connections(), 1);
        world.say(frame);
        // Whitespace around a whole frame is JSON's own affair.
        if frame.trim() != *frame {
            assert_eq!(world.outcome().answer, Ok(Some("1".to_owned())), "{frame}");
            continue;
        }
        assert!(matches!(world.failure(), Failure::BadResponse { .. }), "{frame}");
        assert_eq!(world.guest.connections(), 0, "{frame}");
        assert!(world.guest.heard().is_empty(), "{frame}");
    }
}

#[test]
fn a_frame_over_the_limit_is_a_bad_response() {
    let limits = Limits { frame_bytes: 1_000, ..Limits::with_timeout(1_000) };
    for (bytes, fits) in [(900, true), (2_000, false)] {
        let limits = limits.clone();
        let mut world = World::start(Setup { limits, ..Setup::default() });
        world.say(&format!("[\"log\",\"log\",\"{}\"]", "x".repeat(bytes)));
        assert_eq!(world.ended().is_none(), fits, "{bytes}");
    }
}

#[test]
fn the_program_starts_with_its_operations_by_position_and_its_limits() {
    let world = World::running();
    let task: serde_json::Value = serde_json::from_str(&world.guest.task()).unwrap();
    assert_eq!(task[0], "run");
    assert_eq!(task[1], 1);
    let operations =
        ["m.add", "m.echo", "m.fail", "m.lie", "m.panic", "m.stop", "m.wait", "m.watch"];
    assert_eq!(task[2]["operations"], serde_json::json!(operations));
    let limits = Limits::with_timeout(1_000);
    assert_eq!(task[2]["limits"]["calls"], limits.calls);
    assert_eq!(task[2]["limits"]["resultBytes"], limits.result_bytes);
}

#[test]
fn a_guest_is_told_which_operations_to_show_nowhere() {
    for (policy, hidden) in [
        (AccessPolicy::new(), serde_json::Value::Null),
        (AccessPolicy::new().require("test-m"), serde_json::json!([0, 1, 2, 3, 4, 5, 6, 7])),
    ] {
        let mut world = World::start(Setup { access: policy, ..Setup::default() });
        let task: serde_json::Value = serde_json::from_str(&world.guest.task()).unwrap();
        assert_eq!(task[2]["hidden"], hidden);
        assert_eq!(
            task[2]["operations"][1], "m.echo",
            "a hidden one can be called, and is refused"
        );
        world.say(&format!("[\"call\",0,{ECHO},{{}}]"));
        assert_eq!(world.guest.heard()[0].contains("not-granted"), !hidden.is_null());
    }
}

#[test]
fn a_guest_that_goes_away_is_transport_lost() {
    for deaf in [false, true] {
        let mut world = World::running();
        if deaf {
            world.guest.deafen();
            world.say(&format!("[\"call\",0,{ECHO},1]"));
        } else {
            world.guest.close();
            world.settle();
        }
        assert_eq!(world.failure(), Failure::TransportLost {});
        assert_eq!(world.guest.connections(), 0);
    }
}

#[test]
fn what_a_guest_said_before_it_closed_is_heard() {
    let mut world = World::running();
    world.guest.say("[\"log\",\"info\",\"x\"]");
    world.guest.say("[\"done\",1]");
    world.guest.close();
    world.settle();
    assert_eq!(world.outcome().answer, Ok(Some("1".to_owned())));
}

#[test]
fn a_loader_that_fails_says_nothing_of_the_platform_to_the_model() {
    let refusal = Failure::SyntaxError { problem: "x".into(), place: Default::default() };
    let cases = [
        (LoadError::Refused(refusal.clone()), refusal),
        (LoadError::Platform("secret of the platform".into()), Failure::Unknown {}),
    ];
    for (error, failure) in cases {
        let world = World::start(Setup { loading: Loading::Fails(error), ..Setup::default() });
        assert_eq!(world.failure(), failure);
        assert!(!world.outcome().texts().concat().contains("secret"));
    }
}

#[test]
fn evidence_goes_to_the_operator_under_the_same_reference() {
    let error = LoadError::Platform("what the platform said".into());
    let world = World::start(Setup { loading: Loading::Fails(error), ..Setup::default() });
    let reference = world.outcome().reference.unwrap().to_string();
    let log = world.host.lines();
    assert_eq!(log.len(), 1);
    assert!(log[0].contains(&reference) && log[0].contains("what the platform said"), "{log:?}");
    assert!(world.outcome().texts()[0].ends_with(&format!("(reference {reference})")));
}

#[test]
fn a_guest_can_name_only_a_failure_that_a_call_of_its_own_had() {
    let mut world = World::running();
    world.say("[\"call\",0,2,{}]");
    world.say("[\"call\",1,1,{}]");
    world.say("[\"failed\",{\"kind\":\"call\",\"ordinal\":1}]");
    assert!(matches!(world.failure(), Failure::BadResponse { .. }));

    let mut world = World::running();
    world.say("[\"call\",0,2,{}]");
    world.say("[\"failed\",{\"kind\":\"call\",\"ordinal\":0,\"message\":\"forged\"}]");
    let problem = "try another day".to_owned();
    let failed = Failure::CapabilityFailed { operation: "m.fail".into(), problem };
    assert_eq!(world.failure(), failed);
    assert_eq!(world.outcome().calls[0].outcome, CallOutcome::Failed("capability-failed"));
}

#[test]
fn what_a_guest_says_of_its_failure_is_bounded() {
    let long = "é".repeat(100_000);
    let failures = [
        format!(r#"{{"kind":"guest-exception","name":"{long}","message":"{long}"}}"#),
        format!(r#"{{"kind":"operation-unknown","path":"{long}","nearest":["{long}","{long}"]}}"#),
        format!(
            r#"{{"kind":"result-invalid","path":"{long}","found":"{long}","remedy":"{long}"}}"#
        ),
        format!(r#"{{"kind":"result-too-large","bytes":9,"outline":"{long}"}}"#),
    ];
    for failure in failures {
        let mut world = World::running();
        world.say(&format!("[\"failed\",{failure}]"));
        let text = &world.outcome().texts()[0];
        assert!(text.len() < 2_048 + 64, "{} bytes", text.len());
    }
}

#[test]
fn the_answer_is_measured_by_the_host_too() {
    let limits = Limits { result_bytes: 10, ..Limits::with_timeout(1_000) };
    for (answer, fits) in [("\"12345678\"", true), ("\"123456789\"", false)] {
        let limits = limits.clone();
        let mut world = World::start(Setup { limits, ..Setup::default() });
        world.say(&format!("[\"done\",{answer}]"));
        match world.outcome().answer {
            Ok(text) => assert!(fits && text.as_deref() == Some(answer)),
            Err(Failure::ResultTooLarge { bytes, limit, .. }) => {
                assert!(!fits);
                assert_eq!((bytes, limit), (11, 10));
            }
            Err(other) => panic!("{other}"),
        }
    }
}

#[test]
fn logs_are_bounded_and_what_was_dropped_is_counted() {
    let limits = Limits { log_bytes: 10, log_lines: 3, ..Limits::with_timeout(1_000) };
    let mut world = World::start(Setup { limits, ..Setup::default() });
    for text in ["12345", "678901", "6", "7", "8"] {
        world.say(&format!("[\"log\",\"log\",\"{text}\"]"));
    }
    world.say("[\"done\",1]");
    let logs = world.outcome().logs;
    let kept: Vec<&str> = logs.lines().iter().map(|line| line.text.as_str()).collect();
    assert_eq!((kept, logs.dropped()), (vec!["12345", "6", "7"], 2));
    assert_eq!(
        world.outcome().texts()[1],
        "Printed:\n[log] 12345\n[log] 6\n[log] 7\n2 lines more were over the limit"
    );
}
