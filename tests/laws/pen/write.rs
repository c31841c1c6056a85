//! Writing pens: what goes in, what comes out.

use std::rc::Rc;

use mycelium::{
    Failure,
    operation::{Cancellation, Context},
    pen::Lang,
};
use serde_json::{Value, json};

use super::world::{Does, NOON_MS, Says, World, intent};

const PROGRAM: &str = "return input[0] + input[1]";

fn world() -> World {
    let does = vec![
        Does::Log("log", "one"),
        Does::Log("info", "two"),
        Does::Log("warn", "three"),
        Does::Log("error", "four"),
        Does::Done(json!(3)),
    ];
    World::new(PROGRAM, does)
}

#[test]
fn a_pen_gives_exactly_what_the_contract_says() {
    let world = world();
    let output = world.write(json!({})).unwrap();
    let code = "export default async () => {\nreturn input[0] + input[1]\n};\n";
    let syslog_id = output["audit"]["syslog_id"].as_str().unwrap();
    assert!(syslog_id.starts_with("SYS-") && syslog_id.len() == 36);
    let expected = json!({
        "pen_id": "MPP-ink-20260501-001",
        "code": code,
        "lang": "node",
        "execution": {
            "status": "success", "stdout": "one\ntwo\n", "stderr": "three\nfour\n",
            "result": 3, "duration_ms": 0,
        },
        "suggestion": "keep",
        "audit": {
            "syslog_id": syslog_id,
            "intent_hash": "f7e8e1ecfff1275603b4e762c9b6dfe9802319320cafedd45b3935da744198d1",
            "code_hash": "d92d85c6829ec787ec5aba3759b62bfa95f7ebf318180dd6d1274706665728b6",
        },
    });
    assert_eq!(output, expected);
    assert_eq!(world.state("MPP-ink-20260501-001"), "completed");
}

#[test]
fn hashes_are_of_the_exact_bytes() {
    let world = world();
    let hash = |text: &str| {
        let mut input = intent(json!({}));
        input["intent"] = json!(text);
        world.call("write", input).unwrap()["audit"]["intent_hash"].clone()
    };
    let plain = hash("sum the numbers");
    // printf 'sum the numbers' | sha256sum
    assert_eq!(plain, "f7e8e1ecfff1275603b4e762c9b6dfe9802319320cafedd45b3935da744198d1");
    assert_ne!(plain, hash(" sum the numbers"));
    assert_ne!(plain, hash("sum the numbers\n"));
    assert_eq!(plain, hash("sum the numbers"));
}

#[test]
fn the_options_default_as_the_contract_says() {
    let mut world = world();
    world.parts.default_lang = Lang::default();
    let failure = world.write(json!({})).unwrap_err();
    assert!(failure.to_string().contains("Python"), "python by default: {failure}");
    world.parts.default_lang = Lang::Node;
    let input = json!({"intent": "sum the numbers", "context": {"persona_id": "ink"}});
    world.call("write", input).unwrap();
    let outbound = world.isolates.outbound.borrow()[0].clone();
    assert!(outbound.allow.is_empty(), "no network");
    world.isolates.does.replace(vec![Does::Never]);
    let output = world.write(json!({})).unwrap();
    assert_eq!(output["execution"]["duration_ms"], 30_000);
    let tmp =
        vec![Does::Call("tmp.write", json!({"path": "a", "content": "b"})), Does::Done(json!(1))];
    world.isolates.does.replace(tmp);
    assert_eq!(world.write(json!({})).unwrap()["execution"]["status"], "success", "tmp is there");
}

#[test]
fn memory_is_declared_and_its_notice_given_once() {
    let world = world();
    let context = || Context::builder().principal("member:ada");
    let pens = mycelium::pen::Pens::new(world.parts.clone());
    let catalog = mycelium::Catalog::new([pens.module("pen", "pen")]).unwrap();
    for _ in 0..2 {
        let input = intent(json!({"sandbox": {"memory_mb": 64}}));
        let call = catalog.find("pen.write").unwrap().operation().decode(input).unwrap();
        world.host.run(call.run(context().build())).unwrap().unwrap();
    }
    let lines = world.host.lines();
    assert_eq!(lines.iter().filter(|line| line.contains("memory_mb")).count(), 1, "{lines:?}");
}

#[test]
fn input_that_the_contract_does_not_have_is_refused() {
    let world = world();
    for (pointer, value) in [
        ("/intent", json!(1)),
        ("/context/persona_id", json!("a-b")),
        ("/context/persona_id", json!("../x")),
        ("/context/task_category", json!("x".repeat(65))),
        ("/options/more", json!(1)),
        ("/options/persist_hint", json!("maybe")),
        ("/options/sandbox/lang", json!("cobol")),
        ("/options/sandbox/timeout_ms", json!(0)),
        ("/options/sandbox/timeout_ms", json!(900_001)),
        ("/options/sandbox/memory_mb", json!(0)),
        ("/options/sandbox/network", json!("all")),
        ("/options/sandbox/network", json!({"allow": ["https://api.example"]})),
        ("/options/sandbox/network", json!({"allow": ["*.example"]})),
        ("/options/sandbox/fs", json!("home")),
    ] {
        let mut input = intent(json!({"sandbox": {}}));
        let (parent, member) = pointer.rsplit_once('/').unwrap();
        input.pointer_mut(parent).unwrap()[member] = value.clone();
        let failure = world.call("write", input).unwrap_err();
        assert_eq!(failure.code(), "input-invalid", "{pointer} {value}: {failure}");
    }
    assert!(world.events().is_empty(), "nothing of it is a pen");
}

#[test]
fn ids_count_by_persona_and_day_and_grow_after_999() {
    let world = world();
    let id = |principal: &str, persona: &str| {
        let mut input = intent(json!({}));
        input["context"]["persona_id"] = json!(persona);
        world.call_as(principal, "write", input).unwrap()["pen_id"].as_str().unwrap().to_owned()
    };
    assert_eq!(id("member:ada", "ink"), "MPP-ink-20260501-001");
    assert_eq!(id("member:ada", "ink"), "MPP-ink-20260501-002");
    assert_eq!(id("agent:Bo", "Bo"), "MPP-Bo-20260501-001");
    let rows = world.books.of("ink");
    mycelium::port::Storage::put(&*rows, "day/20260501", "999").unwrap();
    assert_eq!(id("member:ada", "ink"), "MPP-ink-20260501-1000");
    world.host.time().pass(12 * 3_600_000);
    assert_eq!(id("member:ada", "ink"), "MPP-ink-20260502-001");
}

#[test]
fn pens_that_are_written_at_once_have_ids_of_their_own() {
    let world = world();
    let context = || Context::builder().principal("member:ada");
    let mut writing: Vec<_> = (0..20)
        .map(|_| world.host.start(world.calling(context(), "write", intent(json!({})))))
        .collect();
    let mut ids: Vec<String> = writing
        .iter_mut()
        .map(|writing| {
            let output = writing.end().unwrap().unwrap();
            output["pen_id"].as_str().unwrap().to_owned()
        })
        .collect();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 20);
}

#[test]
fn a_number_is_not_given_again_after_erasing() {
    let world = world();
    let first = world.write(json!({})).unwrap()["pen_id"].clone();
    world.call("decide", json!({"pen_id": first, "action": "erase"})).unwrap();
    assert_eq!(world.write(json!({})).unwrap()["pen_id"], "MPP-ink-20260501-002");
}

#[test]
fn one_persona_sees_nothing_of_anothers() {
    let world = world();
    let pen_id = world.write(json!({})).unwrap()["pen_id"].clone();
    for stranger in ["member:bo", "agent:bo", "member:ink", "team-key:ink"] {
        let there = [
            ("write", intent(json!({}))),
            ("decide", json!({"pen_id": pen_id, "action": "keep"})),
            ("status", json!({"pen_id": pen_id})),
            ("audit", json!({"persona_id": "ink"})),
        ];
        let missing = world
            .call_as(stranger, "status", json!({"pen_id": "MPP-ink-20260501-777"}))
            .unwrap_err();
        for (operation, input) in there {
            let failure = world.call_as(stranger, operation, input).unwrap_err();
            assert_eq!(failure.code(), "input-invalid", "{stranger} {operation}");
            let told =
                |failure: &Failure| failure.to_string().split_once(':').unwrap().1.to_owned();
            assert_eq!(
                told(&failure),
                told(&missing),
                "a pen that is there looks like one that isn't"
            );
        }
    }
    let nobody = world.call_in(Context::builder(), "write", intent(json!({}))).unwrap_err();
    assert_eq!(nobody.code(), "input-invalid");
    assert_eq!(world.state(pen_id.as_str().unwrap()), "completed");
}

#[test]
fn an_intent_that_is_refused_leaves_a_draft_and_its_audit() {
    let world = world();
    for (text, rule) in
        [("", "empty"), ("x", "too little"), ("use password: hunter22 now", "secret")]
    {
        let mut input = intent(json!({}));
        input["intent"] = json!(text);
        let failure = world.call("write", input).unwrap_err();
        assert_eq!(failure.code(), "MPP-E001");
        let told = failure.to_string();
        assert!(told.contains(rule) && told.contains("MPP-ink-20260501-00"), "{told}");
        assert!(!told.contains("hunter22"));
    }
    assert_eq!(world.state("MPP-ink-20260501-003"), "draft");
    let page = world.call("audit", json!({"persona_id": "ink"})).unwrap().to_string();
    assert!(page.contains("MPP-E001") && !page.contains("hunter22"), "{page}");
    assert_eq!(world.events(), ["drafted", "failed"].repeat(3));
    assert!(world.isolates.programs.borrow().is_empty());
}

#[test]
fn a_language_that_is_not_there_is_a_sandbox_that_cannot_start() {
    let world = world();
    for (lang, says) in [("python", "Python"), ("shell", "shell")] {
        let failure = world.write(json!({"sandbox": {"lang": lang}})).unwrap_err();
        assert_eq!(failure.code(), "MPP-E002");
        let told = failure.to_string();
        assert!(told.contains(says) && told.contains("node"), "{told}");
    }
    assert_eq!(world.events(), ["drafted", "failed"].repeat(2));
}

#[test]
fn upstream_inputs_reach_the_program_as_input_whole() {
    let world = world();
    let inputs = json!({"a": [1, "é\u{2028}`${x}`"], "b": null});
    let mut input = intent(json!({}));
    input["context"]["upstream_inputs"] = inputs.clone();
    world.call("write", input).unwrap();
    let program = world.isolates.programs.borrow()[0].clone();
    let text = program.strip_prefix("const input = JSON.parse(").unwrap();
    let (text, _) = text.split_once("); export default").unwrap();
    let text: String = serde_json::from_str(text).unwrap();
    assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), inputs);
    let mut large = intent(json!({}));
    large["context"]["upstream_inputs"] = json!("x".repeat(300_000));
    assert_eq!(world.call("write", large).unwrap_err().code(), "input-invalid");
}

#[test]
fn the_hint_replaces_the_suggestion_and_decides_nothing() {
    let says = Rc::new(Says::new([PROGRAM]));
    let world = World::with_writer(says.clone(), vec![Does::Done(json!(3))]);
    for hint in ["erase", "keep", "share"] {
        let output = world.write(json!({"persist_hint": hint})).unwrap();
        assert_eq!(output["suggestion"], hint);
        assert_eq!(world.state(output["pen_id"].as_str().unwrap()), "completed");
    }
    assert_eq!(says.asked.borrow().len(), 3, "the writer isn't asked what it thinks");
    assert_eq!(world.write(json!({"persist_hint": "auto"})).unwrap()["suggestion"], "keep");
    assert_eq!(says.asked.borrow().len(), 5);
    assert!(world.bucket.keys().is_empty());
}

#[test]
fn a_suggestion_that_cannot_be_used_is_erase_and_marked_so() {
    let says = Rc::new(Says::new([PROGRAM]));
    says.opinion.replace("I think you might keep it".to_owned());
    let world = World::with_writer(says.clone(), vec![Does::Done(json!(3))]);
    assert_eq!(world.write(json!({})).unwrap()["suggestion"], "erase");
    let page = world.call("audit", json!({"persona_id": "ink"})).unwrap().to_string();
    assert!(page.contains("no answer of the writer's could be used"), "{page}");
    let asked = says.asked.borrow();
    let report = &asked[1].messages[1].content;
    assert!(
        report.contains(r#""status":"success""#) && report.contains("sum the numbers"),
        "{report}"
    );
}

#[test]
fn a_pen_within_an_execution_ends_with_it() {
    let world = World::new(PROGRAM, vec![Does::Never]);
    let cancellation = Cancellation::new(world.host.ports().handoff);
    let context = Context::builder().principal("member:ada").cancellation(cancellation.signal());
    let mut writing = world.host.start(world.calling(context, "write", intent(json!({}))));
    assert!(writing.end().is_none());
    cancellation.cancel(Failure::Cancelled { by: mycelium::failure::Party::Caller });
    let output = writing.end().expect("it ends by itself").unwrap();
    assert_eq!(output["execution"]["error"]["code"], "cancelled");
    assert_eq!(world.isolates.running.get(), 0);
    let mine = Context::builder().principal("member:ada").deadline_ms(NOON_MS + 5_000);
    let output = world.call_in(mine, "write", intent(json!({}))).unwrap();
    assert_eq!(output["execution"]["status"], "timeout");
    assert_eq!(output["execution"]["duration_ms"], 4_000, "within the caller's own time");
}

#[test]
fn pens_of_one_execution_run_one_after_the_other() {
    let world = World::new(PROGRAM, vec![Does::Never]);
    let pens = mycelium::pen::Pens::new(world.parts.clone());
    let catalog = mycelium::Catalog::new([pens.module("pen", "pen")]).unwrap();
    let start = |execution: &str| {
        let input = intent(json!({"sandbox": {"timeout_ms": 100}}));
        let call = catalog.find("pen.write").unwrap().operation().decode(input).unwrap();
        let context = Context::builder().principal("member:ada").execution_id(execution);
        world.host.start(call.run(context.build()))
    };
    let mut writing: Vec<_> = (0..4).map(|_| start("e1")).collect();
    assert_eq!(world.isolates.running.get(), 1);
    writing.push(start("e2"));
    assert_eq!(world.isolates.running.get(), 2, "another execution has its own turn");
    drop(writing.remove(1));
    for _ in 0..8 {
        world.host.pass(6_000);
    }
    assert!(writing.iter_mut().all(|writing| writing.end().is_some_and(|end| end.is_ok())));
    assert_eq!(world.isolates.most.get(), 2);
}

#[test]
fn the_schema_has_the_defaults_of_the_contract() {
    let module = mycelium::pen::Pens::new(world().parts.clone()).module("pen", "pen");
    let catalog = mycelium::Catalog::new([module]).unwrap();
    let schema = catalog.find("pen.write").unwrap().operation().input_schema().document().clone();
    let sandbox = &schema["$defs"]["SandboxOptions"]["properties"];
    for (member, default) in [
        ("timeout_ms", json!(30_000)),
        ("memory_mb", json!(512)),
        ("network", json!("none")),
        ("fs", json!("tmp")),
    ] {
        assert_eq!(sandbox[member]["default"], default, "{member}: {sandbox}");
    }
    assert_eq!(schema["$defs"]["PenOptions"]["properties"]["persist_hint"]["default"], "auto");
    assert_eq!(schema["required"], json!(["intent", "context"]));
    assert_eq!(schema["$defs"]["PenContext"]["required"], json!(["persona_id"]));
}

#[test]
fn a_pen_runs_under_the_permit_of_the_program_that_called_it() {
    use futures::StreamExt;
    use mycelium::{
        runtime::{Acquisition, Options, Part, ToolCall, admission::AdmissionOptions},
        testing::direct_sandbox,
    };
    let world = world();
    let module = mycelium::pen::Pens::new(world.parts.clone()).module("pen", "pen");
    let sandbox =
        direct_sandbox(
            |bindings, _| async move { bindings.call("pen.write", intent(json!({}))).await },
        );
    // One permit, which the program has.
    let admission = AdmissionOptions { sandbox_capacity: Some(1), admission_wait_ms: None };
    let options = Options { admission, ..world.host.options(vec![module], sandbox) };
    let runtime = mycelium::Mycelium::open(options).unwrap();
    let outcome = world.host.run(async move {
        let principal = Some("member:ada".into());
        let acquisition = Acquisition { principal, ..Acquisition::default() };
        let lease = runtime.acquire_as(acquisition).await.unwrap();
        let arguments = json!({ "code": "return 1" });
        let call = ToolCall { id: "t".to_owned(), name: "execute".to_owned(), arguments };
        let prepared = lease.execute_tool().prepare(&call).unwrap();
        let parts: Vec<Part> = prepared.execute(runtime.cancellation()).collect().await;
        parts.into_iter().next_back().and_then(Part::last).unwrap().outcome
    });
    let answer = outcome.unwrap().answer.unwrap().unwrap();
    let output: Value = serde_json::from_str(&answer).unwrap();
    assert_eq!(output["execution"]["result"], 3);
}
