//! What a model is told, byte for byte.

use super::world::{ECHO, FAIL, World};

fn texts(frames: &[&str]) -> Vec<String> {
    let mut world = World::running();
    for frame in frames {
        world.say(frame);
    }
    world.outcome().texts()
}

/// The reference that the counting randomness gives: two numbers went into the execution's id.
const REFERENCE: &str = "(reference 0000000000000003)";

#[test]
fn an_answer_stands_alone_and_is_untouched() {
    assert_eq!(texts(&["[\"done\",{\"value\":\"pong\"}]"]), ["{\"value\":\"pong\"}"]);
    assert_eq!(texts(&["[\"done\",null]"]), ["null"]);
    assert_eq!(texts(&["[\"done\",\"\"]"]), ["\"\""]);
}

#[test]
fn no_answer_is_said_plainly() {
    assert_eq!(
        texts(&["[\"done\"]"]),
        ["The program ended and returned nothing: return the answer."]
    );
}

#[test]
fn an_answer_comes_before_what_was_printed() {
    assert_eq!(
        texts(&["[\"log\",\"warn\",\"two\\nlines\"]", "[\"done\",1]"]),
        ["1", "Printed:\n[warn] two\nlines"]
    );
}

#[test]
fn a_failure_lists_the_calls_and_then_what_was_printed() {
    let (echo, fail) = (format!("[\"call\",0,{ECHO},1]"), format!("[\"call\",1,{FAIL},1]"));
    let frames = [
        echo.as_str(),
        &fail,
        "[\"log\",\"log\",\"x\"]",
        "[\"failed\",{\"kind\":\"call\",\"ordinal\":1}]",
    ];
    assert_eq!(
        texts(&frames),
        [
            format!("capability-failed: m.fail failed: try another day {REFERENCE}"),
            "Calls made before it failed:\n0 m.echo: done\n1 m.fail: capability-failed".to_owned(),
            "Printed:\n[log] x".to_owned(),
        ]
    );
}

#[test]
fn a_success_says_nothing_of_its_calls() {
    assert_eq!(texts(&[&format!("[\"call\",0,{ECHO},1]"), "[\"done\",1]"]), ["1"]);
}

#[test]
fn an_exception_is_told_with_its_place_in_what_was_sent() {
    let frame = "[\"failed\",{\"kind\":\"guest-exception\",\"name\":\"TypeError\",\"message\":\"bad\",\"frames\":[[2,8,\"\"]]}]";
    let told =
        format!("guest-exception: the program threw TypeError: bad (line 1, column 8) {REFERENCE}");
    assert_eq!(texts(&[frame]), [told]);
}

#[test]
fn a_long_list_of_calls_is_cut_and_counted() {
    let calls: Vec<String> = (0..105).map(|at| format!("[\"call\",{at},{ECHO},1]")).collect();
    let mut frames: Vec<&str> = calls.iter().map(String::as_str).collect();
    frames.push("[\"failed\",{\"kind\":\"guest-exception\",\"name\":\"E\",\"message\":\"\"}]");
    let list = &texts(&frames)[1];
    assert!(list.ends_with("\n99 m.echo: done\nand 5 more"), "{list}");
}
