//! What a pen's program reaches, and what becomes of one that reaches for more.

use std::rc::Rc;

use mycelium::{
    Failure,
    failure::Place,
    knapsack::files::MemoryFiles,
    pen::ledger::{Ledger, Order},
    sandbox::LoadError,
};
use serde_json::{Value, json};

use super::world::{Does, World};

fn call(path: &'static str, input: Value) -> Does {
    Does::Call(path, input)
}

fn write(at: &str) -> Does {
    call("tmp.write", json!({"path": at, "content": "x"}))
}

/// How a program went that did `does`.
fn execution(world: &World, sandbox: Value, does: Vec<Does>) -> Value {
    world.isolates.does.replace(does);
    world.write(json!({ "sandbox": sandbox })).unwrap()["execution"].clone()
}

fn world() -> World {
    World::new("return 1", Vec::new())
}

#[test]
fn a_program_that_takes_too_long_is_ended_and_says_e004() {
    let world = world();
    let execution =
        execution(&world, json!({"timeout_ms": 250}), vec![Does::Log("log", "begun"), Does::Never]);
    assert_eq!(execution["status"], "timeout");
    assert_eq!(execution["error"]["code"], "MPP-E004");
    assert_eq!((&execution["duration_ms"], &execution["stdout"]), (&json!(250), &json!("begun\n")));
    assert_eq!(execution["result"], Value::Null);
    assert_eq!(world.isolates.running.get(), 0);
    assert_eq!(world.state("MPP-ink-20260501-001"), "completed");
}

#[test]
fn a_program_that_throws_is_an_error_with_its_code() {
    let world = world();
    let execution = execution(&world, json!({}), vec![Does::Throws]);
    assert_eq!(execution["status"], "error");
    assert_eq!(execution["error"]["code"], "guest-exception");
}

#[test]
fn a_forbidden_attempt_is_e005_even_if_the_program_caught_it() {
    let world = world();
    let read = json!({"path": "secret"});
    for (fs, does) in [
        (json!("none"), write("a")),
        (json!("none"), call("files.read", read.clone())),
        (json!("tmp"), call("files.read", read)),
        (json!("tmp"), call("files.list", json!({}))),
    ] {
        // It hears the refusal, and returns as if nothing were.
        let execution =
            execution(&world, json!({"fs": fs}), vec![does, Does::Done(json!("all good"))]);
        assert_eq!(execution["status"], "error");
        assert_eq!(execution["error"]["code"], "MPP-E005", "{execution}");
        assert!(execution["error"]["message"].as_str().unwrap().contains("fs: "));
    }
}

#[test]
fn tmp_is_there_by_default_and_gone_with_the_program() {
    let world = world();
    let execution_of = |does| execution(&world, json!({}), does);
    let read = || call("tmp.read", json!({"path": "a"}));
    assert_eq!(execution_of(vec![write("a"), read(), Does::Done(json!(1))])["status"], "success");
    let gone = vec![read(), Does::Done(json!(1))];
    let execution = execution_of(gone);
    assert_eq!(
        execution["error"],
        Value::Null,
        "a file that isn't there is no attempt: {execution}"
    );
}

#[test]
fn allowed_paths_are_exact_and_whatever_is_outside_is_e005() {
    let mut world = world();
    let files = MemoryFiles::new();
    files.put("data/in/a.txt", b"in");
    files.put("data/inner.txt", b"out");
    world.parts.files = Some(Rc::new(files.clone()));
    let sandbox = json!({"fs": {"allow_paths": ["data/in"]}});
    let inside = vec![
        call("files.read", json!({"path": "data/in/a.txt"})),
        call("files.write", json!({"path": "data/in/b.txt", "content": "b"})),
        Does::Done(json!(1)),
    ];
    assert_eq!(execution(&world, sandbox.clone(), inside)["status"], "success");
    assert!(files.contents().contains_key("data/in/b.txt"));
    for outside in [
        call("files.read", json!({"path": "data/inner.txt"})),
        call("files.list", json!({"path": ""})),
        call("files.write", json!({"path": "data/x", "content": "x"})),
        call("files.remove", json!({"path": "data/inner.txt"})),
        call("files.search", json!({"query": "out"})),
        write("a"),
    ] {
        let execution =
            execution(&world, sandbox.clone(), vec![outside.clone(), Does::Done(json!(1))]);
        assert_eq!(execution["error"]["code"], "MPP-E005", "{outside:?}");
    }
    assert_eq!(files.contents()["data/inner.txt"], b"out");
    assert_eq!(files.contents().len(), 3);
}

#[test]
fn what_the_owner_has_not_is_a_sandbox_that_cannot_start() {
    let world = world();
    for (sandbox, says) in [
        (json!({"fs": {"allow_paths": ["data"]}}), "no files for pens"),
        (json!({"network": {"allow": ["other.example"]}}), "api.example, not other.example"),
    ] {
        let failure = world.write(json!({ "sandbox": sandbox })).unwrap_err();
        assert_eq!(failure.code(), "MPP-E002");
        assert!(failure.to_string().contains(says), "{failure}");
    }
    assert_eq!(world.events(), ["drafted", "failed"].repeat(2));
    let failure = world.write(json!({"sandbox": {"fs": {"allow_paths": ["../x"]}}})).unwrap_err();
    assert!(matches!(failure.code(), "MPP-E002" | "input-invalid"), "{failure}");
}

#[test]
fn the_isolate_has_a_network_of_ours_with_exactly_the_hosts_allowed() {
    let world = world();
    execution(&world, json!({}), vec![Does::Done(json!(1))]);
    execution(&world, json!({"network": {"allow": ["api.example"]}}), vec![Does::Done(json!(1))]);
    let outbound = world.isolates.outbound.borrow();
    let allowed: Vec<_> = outbound.iter().map(|outbound| outbound.allow.clone()).collect();
    assert_eq!(allowed, [vec![], vec!["api.example".to_owned()]]);
    assert_eq!(outbound[1].pen_id.to_string(), "MPP-ink-20260501-002");
}

#[test]
fn an_attempt_that_the_network_saw_is_e005_also_when_it_comes_late() {
    let world = world();
    let books = world.books.clone();
    let attempt = |attempt: &str| Order::Forbid {
        pen_id: mycelium::pen::PenId::parse("MPP-ink-20260501-001").unwrap(),
        attempt: attempt.to_owned(),
    };
    let persona = mycelium::pen::Persona::new("ink").unwrap();
    world.isolates.does.replace(vec![Does::Never]);
    let context = mycelium::operation::Context::builder().principal("member:ada");
    let input = super::world::intent(json!({"sandbox": {"timeout_ms": 50}}));
    let mut writing = world.host.start(world.calling(context, "write", input));
    world.host.run(books.ask(&persona, attempt("network: evil.example"))).unwrap().unwrap();
    world.host.pass(50);
    world.host.pass(10_000);
    let execution = writing.end().unwrap().unwrap()["execution"].clone();
    assert_eq!(
        (&execution["status"], &execution["error"]["code"]),
        (&json!("timeout"), &json!("MPP-E005"))
    );
    world.host.run(books.ask(&persona, attempt("network: worse.example"))).unwrap().unwrap();
    let status = world.call("status", json!({"pen_id": "MPP-ink-20260501-001"})).unwrap();
    let message = status["error"]["message"].as_str().unwrap();
    assert!(message.contains("evil.example") && message.contains("worse.example"), "{message}");
    let events = world.events();
    assert_eq!(events.iter().filter(|event| *event == "forbidden").count(), 2, "{events:?}");
}

#[test]
fn an_isolate_that_does_not_come_to_be_leaves_a_draft() {
    let world = world();
    for (error, code) in [
        (LoadError::Platform("canary".into()), "MPP-E002"),
        (
            LoadError::Refused(Failure::SyntaxError {
                problem: "Invalid flags".into(),
                place: Place::default(),
            }),
            "MPP-E003",
        ),
    ] {
        world.isolates.refuses.replace(Some(error));
        let failure = world.write(json!({})).unwrap_err();
        assert_eq!(failure.code(), code);
        assert!(!failure.to_string().contains("canary"), "{failure}");
    }
    assert_eq!(world.state("MPP-ink-20260501-001"), "draft");
    assert_eq!(world.events(), ["drafted", "failed"].repeat(2), "nothing was executing");
}

#[test]
fn a_refused_call_of_what_is_bound_is_an_attempt_too() {
    use mycelium::{
        Module, Operation,
        runtime::access::{AccessPolicy, Grants},
    };
    let mut world = world();
    let mail = Operation::new(json!({}), |_, _| async { Ok(json!("sent")) });
    world.parts.modules = vec![Module::new("mail", "mail").operation("send", mail)];
    let does = || vec![call("mail.send", json!({})), Does::Done(json!(1))];
    assert_eq!(execution(&world, json!({}), does())["status"], "success");
    let grants = Grants::parse(&json!({"mail": "read"})).unwrap();
    world.parts.access = AccessPolicy::new().grants(grants);
    let execution = execution(&world, json!({}), does());
    assert_eq!(execution["error"]["code"], "MPP-E005", "{execution}");
}
