//! What an operator reads of each execution: one line, of facts alone.

use std::{cell::RefCell, rc::Rc};

use mycelium::{
    Failure, Module, Operation,
    limits::{SHOWN_CODE_BYTES, SHOWN_INPUT_BYTES},
    operation::Trace,
    runtime::{
        Account, Acquisition, Bookkeeper, Counters, Disclosure, ExecutionObserver, Lease, Options,
        UnenforcedLimit,
        access::{AccessPolicy, Grants},
        admission::AdmissionOptions,
    },
    sandbox::Sandbox,
    testing::{Host, direct_sandbox},
};
use serde_json::{Value, json};

use super::world::{Held, World, call, module, says};

const TRACE: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

/// A world whose bookkeeper counts, and the counters.
fn kept(modules: Vec<Module>, sandbox: impl Sandbox + 'static) -> (World, Counters) {
    kept_with(modules, sandbox, |options| options)
}

fn kept_with(
    modules: Vec<Module>,
    sandbox: impl Sandbox + 'static,
    with: impl FnOnce(Options) -> Options,
) -> (World, Counters) {
    let (host, counters) = (Host::new(), Counters::default());
    let bookkeeper = Rc::new(Bookkeeper::new(counters.clone(), host.ports().console));
    let options = Options {
        on_execution: Some(bookkeeper.clone()),
        on_sandbox_failure: Some(bookkeeper.clone()),
        access: AccessPolicy::new().on_refused(bookkeeper),
        ..host.options(modules, sandbox)
    };
    (World::open(host, with(options)), counters)
}

fn lease(world: &World, principal: Option<&str>, trace: Option<Trace>) -> Lease {
    let principal = principal.map(Rc::from);
    let acquisition = Acquisition { principal, trace, ..Acquisition::default() };
    let runtime = world.runtime.clone();
    let acquiring = async move { runtime.acquire_as(acquisition).await };
    world.host.start(acquiring).end().unwrap().unwrap()
}

/// The lines of an event, as JSON.
fn events(world: &World, event: &str) -> Vec<Value> {
    let lines = world.host.lines();
    let read = lines.iter().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    read.filter(|line| line["event"] == event).collect()
}

/// `m.say` answers with what it is given, `m.trace` with its place in a trace.
fn telling() -> Module {
    let say = Operation::new(json!({}), |input, _| async move { Ok(input) });
    let trace = Operation::new(json!({}), |_, context| async move {
        Ok(json!(context.trace().map(|trace| trace.to_string())))
    });
    Module::new("test-m", "m").operation("say", say).operation("trace", trace)
}

#[test]
fn an_execution_is_one_line_of_facts_and_nothing_of_what_it_said() {
    let sandbox = direct_sandbox(|bindings, _| async move {
        bindings.call("m.say", json!("canary of an input")).await?;
        Ok(json!("canary of an answer"))
    });
    let (world, counters) = kept(vec![telling()], sandbox);
    let lease = lease(&world, Some("member:canary-of-a-name"), None);
    let prepared = lease.execute_tool().prepare(&call("return 'canary of code'")).unwrap();
    let parts = prepared.execute(world.runtime.cancellation());
    let mut running =
        world.host.start(async move { mycelium::runtime::last_part(parts, |_| ()).await });
    let outcome = running.end().unwrap().unwrap().outcome;
    let lines = events(&world, "execution");
    let stamp = lease.forage().stamp().to_string();
    let id: &str = &outcome.execution_id;
    assert_eq!(
        lines,
        [json!({
            "event": "execution", "executionId": id, "traceId": id, "spanId": id[16..],
            "principalKind": "member", "revision": stamp[..16], "outcome": "ok", "isolates": 0,
            "durations":
                {"intakeMs": 0, "queuedMs": 0, "runningMs": 0, "askingMs": 0, "totalMs": 0},
            "calls": {"made": 1, "refused": 0, "failed": 0, "unsettled": 0},
            "bytes": {"code": 23, "inputs": 20, "outputs": 20, "answer": 21, "logs": 0},
        })]
    );
    assert!(!world.host.lines().concat().contains("canary"));
    assert_eq!(
        (counters.read().ended, counters.read().succeeded, counters.read().calls),
        (1, 1, 1)
    );
}

#[test]
fn a_failure_is_counted_and_found_under_the_reference_that_the_model_has() {
    let (world, counters) = kept(vec![module()], says(Err(Failure::TransportLost {})));
    let outcome = world.outcome(&world.lease());
    let line = &events(&world, "execution")[0];
    assert_eq!(line["outcome"], "transport-lost");
    assert_eq!(line["reference"], outcome.reference.unwrap().to_string());
    let failure = &events(&world, "failure")[0];
    assert_eq!(failure["executionId"], *outcome.execution_id);
    assert_eq!(failure["reference"], line["reference"]);
    let counts = counters.read();
    assert_eq!((counts.ended, counts.succeeded, counts.running), (1, 0, 0));
    assert_eq!(counts.failures.get("transport-lost"), Some(&1));
}

#[test]
fn a_refusal_is_a_line_and_is_counted_by_its_reason() {
    let sandbox = direct_sandbox(|bindings, _| async move {
        drop(bindings.call("m.say", json!(1)).await);
        Ok(json!(1))
    });
    let (world, counters) = kept_with(vec![telling()], sandbox, |options| {
        let grants = Grants::parse(&json!({"test-m": "read"})).unwrap();
        Options { access: options.access.clone().grants(grants), ..options }
    });
    world.outcome(&world.lease());
    let refusal =
        json!({"event": "refusal", "module": "test-m", "operation": "say", "reason": "read-only"});
    assert_eq!(events(&world, "refusal"), [refusal]);
    assert_eq!(counters.read().refusals.get("read-only"), Some(&1));
    assert_eq!(events(&world, "execution")[0]["calls"]["refused"], 1);
}

#[test]
fn the_time_in_the_queue_is_told_apart_from_the_time_it_runs() {
    let admission = AdmissionOptions { sandbox_capacity: Some(1), admission_wait_ms: None };
    let sandbox = Held::default();
    let (world, counters) =
        kept_with(vec![module()], sandbox.clone(), |options| Options { admission, ..options });
    let lease = world.lease();
    let (mut first, mut second) = (world.execute(&lease), world.execute(&lease));
    world.host.pass(70);
    assert_eq!(counters.read().running, 2);
    sandbox.settle(0, Ok("1"));
    world.host.settle();
    assert!(first.end().is_some());
    world.host.pass(30);
    sandbox.settle(1, Ok("1"));
    world.host.settle();
    assert!(second.end().is_some());
    let durations: Vec<Value> =
        events(&world, "execution").iter().map(|line| line["durations"].clone()).collect();
    let told = |queued: u64, running: u64| {
        json!({"intakeMs": 0, "queuedMs": queued, "runningMs": running, "askingMs": 0,
            "totalMs": queued + running})
    };
    assert_eq!(durations, [told(0, 70), told(70, 30)]);
    assert_eq!(counters.read().running, 0);
}

#[test]
fn a_caller_who_goes_away_is_accounted_for_once() {
    let (world, counters) = kept(vec![module()], Held::default());
    let lease = world.lease();
    let running = world.execute(&lease);
    world.host.pass(5);
    drop(running);
    world.host.settle();
    let lines = events(&world, "execution");
    assert_eq!(lines.len(), 1);
    assert_eq!(
        (&lines[0]["outcome"], &lines[0]["durations"]["runningMs"]),
        (&json!("cancelled"), &json!(5))
    );
    assert_eq!((counters.read().running, counters.read().ended), (0, 1));
}

#[test]
fn an_execution_is_a_span_of_its_caller_s_trace_and_so_is_what_it_asks() {
    let sandbox =
        direct_sandbox(|bindings, _| async move { bindings.call("m.trace", json!({})).await });
    let (world, _) = kept(vec![telling()], sandbox);
    for given in [None, Trace::read(TRACE)] {
        let lease = Rc::new(lease(&world, None, given));
        let outcome = world.outcome(&lease);
        let line = events(&world, "execution").pop().unwrap();
        let id: &str = &outcome.execution_id;
        let trace = given.map_or_else(|| id.to_owned(), |trace| trace.id());
        let parent = given.map(|trace| trace.span());
        assert_eq!((&line["traceId"], &line["spanId"]), (&json!(trace), &json!(id[16..])));
        assert_eq!(line.get("parentSpanId").cloned(), parent.map(Value::from));
        let told = json!(format!("00-{trace}-{}-01", &id[16..])).to_string();
        assert_eq!(outcome.answer, Ok(Some(told)));
    }
}

/// Panics at whatever it is told.
struct Panics(RefCell<Vec<&'static str>>);

impl ExecutionObserver for Panics {
    fn began(&self) {
        self.0.borrow_mut().push("began");
        panic!("at the beginning");
    }

    fn ended(&self, _: &Account) {
        self.0.borrow_mut().push("ended");
        panic!("at the end");
    }
}

#[test]
fn an_observer_of_executions_changes_nothing() {
    let (host, observer) = (Host::new(), Rc::new(Panics(RefCell::default())));
    let options = Options {
        on_execution: Some(observer.clone()),
        ..host.options(vec![module()], says(Ok("1")))
    };
    let world = World::open(host, options);
    assert_eq!(world.outcome(&world.lease()).answer, Ok(Some("1".to_owned())));
    assert_eq!(*observer.0.borrow(), ["began", "ended"]);
    assert!(world.host.lines().concat().contains("the execution stands"));
}

#[test]
fn a_status_says_what_was_counted_and_what_isn_t_enforced() {
    let (world, counters) = kept(vec![module()], says(Ok("1")));
    world.outcome(&world.lease());
    let status = mycelium::runtime::Status::new(&counters, &[UnenforcedLimit::Memory]);
    let status: Value = serde_json::from_str(&status.to_json()).unwrap();
    assert_eq!(
        status,
        json!({
            "name": "mycelium", "version": env!("CARGO_PKG_VERSION"), "connections": [],
            "unenforcedLimits": ["memory"],
            "isolate": {"running": 0, "ended": 1, "succeeded": 1, "failures": {}, "refusals": {},
                "calls": 0},
        })
    );
}

#[test]
fn code_and_inputs_are_in_the_line_only_where_the_owner_asks_and_cut_where_they_are_long() {
    let shown = |disclosure: Disclosure| {
        let sandbox = direct_sandbox(|bindings, _| async move {
            bindings.call("m.say", json!({"a": "canary of an input", "token": "t"})).await?;
            bindings.call("m.say", json!("y".repeat(5_000))).await?;
            Ok(json!(1))
        });
        let with = |options| Options { disclosure, ..options };
        let (world, _) = kept_with(vec![telling()], sandbox, with);
        let lease = lease(&world, None, None);
        let code = format!("return 1 // canary of code, a-long-secret {}", "x".repeat(20_000));
        let prepared = lease.execute_tool().prepare(&call(&code)).unwrap();
        let parts = prepared.execute(world.runtime.cancellation());
        let mut running =
            world.host.start(async move { mycelium::runtime::last_part(parts, |_| ()).await });
        running.end().unwrap();
        assert!(!world.host.lines().concat().contains("a-long-secret"));
        events(&world, "execution").remove(0)
    };
    let none = shown(Disclosure::default());
    assert_eq!((none.get("code"), none.get("inputs")), (None, None));
    assert!(!none.to_string().contains("canary"));

    let code = shown(Disclosure::new(true, false).hiding(["a-long-secret"]));
    assert_eq!(code.get("inputs"), None);
    let text = code["code"]["text"].as_str().unwrap();
    assert!(text.starts_with("return 1 // canary of code, [masked] xxx"), "{text}");
    assert_eq!((text.len(), &code["code"]["cut"]), (SHOWN_CODE_BYTES, &json!(true)));
    assert_eq!(code["code"]["bytes"], code["bytes"]["code"]);

    let inputs = shown(Disclosure::new(false, true));
    assert_eq!(inputs.get("code"), None);
    let listed = inputs["inputs"]["listed"].as_array().unwrap();
    let first = json!({"ordinal": 0, "path": "m.say", "input": {
        "text": r#"{"a":"canary of an input","token":"[masked]"}"#, "bytes": 38, "cut": false,
    }});
    assert_eq!(listed[0], first);
    let long = &listed[1]["input"];
    assert_eq!((&long["bytes"], &long["cut"]), (&json!(5_002), &json!(true)));
    assert_eq!(long["text"].as_str().unwrap().len(), SHOWN_INPUT_BYTES);
    assert_eq!(inputs["inputs"]["omitted"], 0);
}
