//! Calls of a program: what stands before an operation, and what is kept of each.

use std::{cell::RefCell, rc::Rc};

use mycelium::{
    Failure, Module, Operation,
    failure::Reason,
    operation::{Access, Context, GateCall, GateRefusal, OperationError},
    runtime::{
        CallOutcome, Options, Outcome,
        access::{AccessPolicy, Answer, Grant},
        admission::AdmissionOptions,
    },
    testing::{DirectBindings, DirectError, Host, direct_sandbox},
};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer};
use serde_json::{Value, json};

use super::world::{HOST, World};
use crate::access::policy::{Credential, Session, Somebody, Trace, grants};

/// What a test's program does with its bindings.
async fn all(bindings: DirectBindings, calls: &[(&str, Value)]) -> Result<Value, DirectError> {
    let mut answers = Vec::new();
    for (path, input) in calls {
        answers.push(match bindings.call(path, input.clone()).await {
            Ok(answer) => answer,
            Err(DirectError::Failed(failure)) => json!(failure.code()),
            Err(thrown) => return Err(thrown),
        });
    }
    Ok(Value::Array(answers))
}

/// A runtime whose program makes `calls` one after another and returns their answers,
/// a failed one's code.
fn calling(
    modules: Vec<Module>,
    access: AccessPolicy,
    calls: &'static [(&'static str, &'static str)],
) -> World {
    let host = Host::new();
    let sandbox = direct_sandbox(move |bindings, _| async move {
        let calls: Vec<(&str, Value)> = calls
            .iter()
            .map(|(path, input)| (*path, serde_json::from_str(input).unwrap()))
            .collect();
        all(bindings, &calls).await
    });
    let admission = AdmissionOptions { sandbox_capacity: Some(3), admission_wait_ms: None };
    let options = Options { access, admission, ..host.options(modules, sandbox) };
    World::open(host, options)
}

fn answer(outcome: &Outcome) -> Value {
    serde_json::from_str(outcome.answer.as_ref().unwrap().as_ref().unwrap()).unwrap()
}

fn outcomes(outcome: &Outcome) -> Vec<(&str, CallOutcome)> {
    outcome.calls.iter().map(|call| (call.path.as_str(), call.outcome)).collect()
}

thread_local! {
    /// Where decoding is noted: a decoder is given nothing but its input.
    static DECODED: RefCell<Option<Trace>> = const { RefCell::new(None) };
}

/// An input that notes when it is decoded.
#[derive(JsonSchema)]
struct Noted;

impl<'de> Deserialize<'de> for Noted {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        serde::de::IgnoredAny::deserialize(input)?;
        DECODED.with_borrow(|trace| trace.as_ref().unwrap().note("decode"));
        Ok(Self)
    }
}

/// The module `notes` whose one operation asks a person and notes every stage.
fn noting(trace: &Trace) -> Module {
    DECODED.with_borrow_mut(|decoded| *decoded = Some(trace.clone()));
    let (ran, gated) = (trace.clone(), trace.clone());
    let remove = Operation::typed(move |_: Noted, _| {
        ran.note("run");
        async { Ok(()) }
    });
    Module::new("notes", "notes").operation("remove", remove.confirm(true)).gate(
        move |call: GateCall| {
            assert_eq!(&*call.operation, "remove");
            gated.note("gate");
            async { Ok(()) }
        },
    )
}

#[test]
fn a_call_passes_credential_grant_person_input_gate_and_only_then_runs() {
    let session = Session::new(&[]);
    let trace = session.trace.clone();
    let person = Somebody::traced(trace.clone());
    let access = AccessPolicy::new()
        .session_grants(session)
        .authentication(Credential::new(trace.clone()))
        .confirm(person.clone());
    let world = calling(vec![noting(&trace)], access, &[("notes.remove", "null")]);
    let lease = world.lease();
    assert_eq!(trace.steps(), ["grants"], "what a lease hides");
    let mut running = world.execute(&lease);
    assert!(running.end().is_none());
    assert!(person.answer(Answer::Accepted));
    assert!(running.end().unwrap().outcome.answer.is_ok());
    let call = [
        "credential",
        "grants",
        "person",
        "credential again",
        "grants again",
        "decode",
        "gate",
        "run",
    ];
    assert_eq!(trace.steps()[1..], call);
}

#[test]
fn a_refused_call_is_not_even_decoded() {
    let trace = Trace::default();
    let access = AccessPolicy::new().grants(grants(&[("notes", Grant::Read)]));
    // The input is none that the operation takes: it isn't looked at.
    let world = calling(vec![noting(&trace)], access, &[("notes.remove", "[\"none\"]")]);
    let outcome = world.outcome(&world.lease());
    assert_eq!(outcomes(&outcome), [("notes.remove", CallOutcome::Refused(Reason::ReadOnly))]);
    assert!(trace.steps().is_empty());
}

#[test]
fn a_person_is_asked_before_the_input_is_looked_at() {
    let (trace, person) = (Trace::default(), Rc::new(Somebody::default()));
    let access = AccessPolicy::new().confirm(person.clone());
    let strict = Operation::new(json!({"type": "string"}), |_, _| async { Ok(Value::Null) });
    let module = Module::new("m", "m").operation("strict", strict.confirm(true));
    let world = calling(vec![module, noting(&trace)], access, &[("m.strict", "1")]);
    let mut running = world.execute(&world.lease());
    assert_eq!((running.end(), person.was_asked()), (None, 1));
    assert!(person.answer(Answer::Accepted));
    assert_eq!(answer(&running.end().unwrap().outcome), json!(["input-invalid"]));
}

/// The modules `a` (reads and writes) and `b` (a gate that refuses, one that breaks).
fn modules() -> Vec<Module> {
    let place = |_: Value, context: Context| async move {
        Ok(json!([context.operation_ordinal(), context.tool_call_id(), context.principal()]))
    };
    let number = json!({"type": "number"});
    let fails = |_: Value, _: Context| async { Err::<Value, _>(OperationError::new("not today")) };
    let a = Module::new("test-a", "a")
        .operation("read", Operation::new(json!({}), place).access(Access::Read))
        .operation("write", Operation::new(json!({}), place))
        .operation("strict", Operation::new(number, place).access(Access::Read))
        .operation("fails", Operation::new(json!({}), fails).access(Access::Read))
        .operation("asks", Operation::new(json!({}), place).access(Access::Read).confirm(true));
    let b = Module::new("test-b", "b")
        .operation("shut", Operation::new(json!({}), place))
        .operation("broken", Operation::new(json!({}), place))
        .gate(|call: GateCall| async move {
            match &*call.operation {
                "shut" => Err(GateRefusal::refused("ask the owner of b")),
                _ => Err(GateRefusal::failed(&"canary of a gate")),
            }
        });
    vec![a, b]
}

#[test]
fn a_refusal_is_the_calls_ordinary_answer_and_is_listed_and_told() {
    let access = AccessPolicy::new().grants(grants(&[("test-a", Grant::Read)]));
    let calls = &[("a.write", "{}"), ("b.shut", "{}"), ("b.broken", "{}"), ("a.asks", "{}")];
    let world = calling(modules(), access, calls);
    let part = world.execute(&world.lease()).end().unwrap();
    let outcome = &part.outcome;
    let answers = answer(outcome);
    let reasons = ["read-only", "gate-refused", "gate-refused", "confirm-unavailable"];
    let operations = ["write", "shut", "broken", "asks"];
    for (at, reason) in reasons.iter().enumerate() {
        assert_eq!(answers[at]["reason"], *reason);
        assert_eq!(answers[at]["operation"], operations[at]);
        let listed: Value = serde_json::from_str(&outcome.refusals[at].to_json()).unwrap();
        assert_eq!(listed, answers[at]);
        let line = format!("\n{} of {}: {reason}. ", operations[at], outcome.refusals[at].module());
        assert!(part.result.content[1].contains(&line), "{line}: {}", part.result.content[1]);
    }
    assert!(answers[1]["message"].as_str().unwrap().contains("ask the owner of b"));
    assert!(!part.result.content.concat().contains("canary"));
    assert!(world.host.lines().concat().contains("canary of a gate"));
    assert!(part.result.content[1].starts_with("Calls that were not allowed and did not run:"));
    assert!(!part.result.is_error, "it isn't a failure");
}

#[test]
fn one_counter_spans_all_modules_and_counts_what_came_to_nothing() {
    let access = AccessPolicy::new().grants(grants(&[("test-a", Grant::Read)]));
    let calls = &[
        ("a.read", "1"),
        ("a.write", "1"),
        ("a.strict", "\"x\""),
        ("b.shut", "1"),
        ("a.fails", "1"),
        ("a.strict", "1"),
        ("a.read", "2"),
    ];
    let world = calling(modules(), access, calls);
    let host = world.host.clone();
    let runtime = world.runtime.clone();
    let lease = host.run(async move { runtime.acquire(Some("member:7")).await }).unwrap().unwrap();
    let outcome = world.outcome(&lease);
    let place = |ordinal: u64| json!([ordinal, "test-call", "member:7"]);
    let answers = answer(&outcome);
    assert_eq!((&answers[0], &answers[5], &answers[6]), (&place(0), &place(5), &place(6)));
    let (done, failed) = (CallOutcome::Done, CallOutcome::Failed);
    let expected = [
        ("a.read", done),
        ("a.write", CallOutcome::Refused(Reason::ReadOnly)),
        ("a.strict", failed("input-invalid")),
        ("b.shut", CallOutcome::Refused(Reason::GateRefused)),
        ("a.fails", failed("capability-failed")),
        ("a.strict", done),
        ("a.read", done),
    ];
    assert_eq!(outcomes(&outcome), expected);
}

#[test]
fn the_same_program_makes_the_same_calls_under_another_execution_id() {
    let calls = &[("a.read", "1"), ("b.shut", "1"), ("a.fails", "1"), ("a.write", "1")];
    let world = calling(modules(), AccessPolicy::new(), calls);
    let lease = world.lease();
    let (first, second) = (world.outcome(&lease), world.outcome(&lease));
    assert_eq!((&first.calls, answer(&first)), (&second.calls, answer(&second)));
    assert_ne!(first.execution_id, second.execution_id);
}

#[test]
fn ordinals_are_allotted_when_the_program_calls() {
    let host = Host::new();
    let sandbox = direct_sandbox(|bindings, _| async move {
        let (first, second) =
            (bindings.call("a.read", json!(1)), bindings.call("a.read", json!(2)));
        // Awaited the other way round.
        let second = second.await?;
        Ok(json!([first.await?[0], second[0]]))
    });
    let options = host.options(modules(), sandbox);
    let world = World::open(host, options);
    assert_eq!(answer(&world.outcome(&world.lease())), json!([0, 1]));
}

#[test]
fn a_revoked_grant_applies_to_the_very_next_call_of_a_running_program() {
    let (host, session) = (Host::new(), Session::new(&[]));
    let revoking = session.clone();
    let sandbox = direct_sandbox(move |bindings, _| {
        let session = revoking.clone();
        async move {
            bindings.call("a.write", json!(1)).await?;
            session.set(&[("test-a", Grant::Read)]);
            bindings.call("a.write", json!(1)).await?;
            session.turn(Err("disk 7"));
            bindings.call("a.read", json!(1)).await
        }
    });
    let access = AccessPolicy::new().session_grants(session);
    let options = Options { access, ..host.options(modules(), sandbox) };
    let world = World::open(host, options);
    let outcome = world.outcome(&world.lease());
    let refused = CallOutcome::Refused;
    let expected = [
        ("a.write", CallOutcome::Done),
        ("a.write", refused(Reason::ReadOnly)),
        ("a.read", refused(Reason::GrantUnreadable)),
    ];
    assert_eq!(outcomes(&outcome), expected);
}

#[test]
fn a_credential_revoked_while_a_program_runs_ends_it() {
    let (host, credential) = (Host::new(), Credential::new(Trace::default()));
    let revoking = credential.clone();
    let sandbox = direct_sandbox(move |bindings, _| {
        let credential = revoking.clone();
        async move {
            bindings.call("a.read", json!(1)).await?;
            credential.good.set(false);
            bindings.call("a.read", json!(2)).await?;
            bindings.call("a.read", json!(3)).await
        }
    });
    let access = AccessPolicy::new().authentication(credential);
    let options = Options { access, ..host.options(modules(), sandbox) };
    let world = World::open(host, options);
    let outcome = world.outcome(&world.lease());
    assert_eq!(outcome.answer, Err(HOST));
    let refused = CallOutcome::Refused(Reason::NotAuthenticated);
    let late = CallOutcome::Failed("cancelled");
    let calls = [("a.read", CallOutcome::Done), ("a.read", refused), ("a.read", late)];
    assert_eq!(outcomes(&outcome), calls);
    assert_eq!(outcome.refusals.len(), 1);
}

#[test]
fn a_module_without_a_grant_shows_nowhere_and_its_calls_are_refused() {
    let access = AccessPolicy::new().grants(grants(&[("test-b", Grant::None)]));
    let world = calling(modules(), access, &[("b.shut", "1"), ("a.read", "1")]);
    let lease = world.lease();
    let text = lease.execute_tool().description();
    assert!(text.contains("await a.read(input)") && !text.contains("b.shut"), "{text}");
    let outcome = world.outcome(&lease);
    let refused = CallOutcome::Refused(Reason::NotGranted);
    assert_eq!(outcomes(&outcome), [("b.shut", refused), ("a.read", CallOutcome::Done)]);
}

#[test]
fn a_failed_program_lists_what_it_did() {
    let host = Host::new();
    let sandbox = direct_sandbox(|bindings, _| async move {
        bindings.call("a.write", json!(1)).await?;
        bindings.call("b.shut", json!(1)).await?;
        bindings.call("a.fails", json!(1)).await
    });
    let options = host.options(modules(), sandbox);
    let world = World::open(host, options);
    let part = world.execute(&world.lease()).end().unwrap();
    let failed =
        Failure::CapabilityFailed { operation: "a.fails".into(), problem: "not today".into() };
    assert_eq!(part.outcome.answer, Err(failed));
    assert_eq!(
        part.result.content[2],
        "Calls made before it failed:\n0 a.write: done\n1 b.shut: gate-refused\n2 a.fails: capability-failed"
    );
}
