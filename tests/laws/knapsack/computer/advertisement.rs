//! What a computer advertises.

use std::rc::Rc;

use mycelium::{
    Catalog, Failure, Mycelium,
    failure::Reason,
    knapsack::{
        computer::{Advertisement, ComputerError, ComputerSource, Connection},
        files::MemoryFiles,
    },
    operation::{Access, Context, Replay},
    runtime::{
        Answer,
        access::{AccessPolicy, Grant},
    },
    testing::{Host, direct_sandbox},
};
use serde_json::{Value, json};

use super::{
    connection,
    fake::{Asked, Fake, Manner, advertisement},
    lease, paths, runtime,
};

fn with(operation: Value) -> Value {
    json!({"operations": {"a": operation}})
}

#[test]
fn an_advertisement_is_read_strictly_and_the_fault_is_named() {
    assert_eq!(Advertisement::parse(&advertisement()).unwrap().operations[0].key, "windows.open");
    let deep = (0..200).fold(json!(1), |inner, _| json!([inner]));
    for (wrong, at) in [
        (json!(null), "at /: "),
        (json!({}), "at /operations: "),
        (json!({"operations": []}), "at /operations: "),
        (json!({"operations": {}, "version": 1}), "at /version: the key is unknown"),
        (with(json!({})), "at /operations/a: input is missing"),
        (
            with(json!({"input": {}, "access": "read"})),
            "at /operations/a/access: the key is unknown",
        ),
        (with(json!({"input": {"type": "objekt"}})), "at /operations/a/input: "),
        (with(json!({"input": {}, "output": 7})), "at /operations/a/output: "),
        (with(json!({"input": {"pattern": "["}})), "at /operations/a/input: "),
        (with(json!({"input": {"$ref": "https://schemas.example/a"}})), "at /operations/a/input: "),
        (with(json!({"input": {}, "description": 1})), "at /operations/a/description: "),
        (with(json!({"input": {}, "notes": [1]})), "at /operations/a/notes: "),
        (with(json!({"input": {}, "instructions": null})), "at /operations/a/instructions: "),
        (with(json!({"input": {"const": deep}})), "at /: "),
        (with(json!({"input": {}, "description": "x".repeat(1_048_576)})), "at /: "),
    ] {
        let error = Advertisement::parse(&wrong).unwrap_err().to_string();
        assert!(error.starts_with(at), "{at}: {error}");
        assert!(error.len() < 2_000);
    }
    let many: serde_json::Map<_, _> =
        (0..1_001).map(|at| (format!("o{at}"), json!({"input": {}}))).collect();
    assert!(Advertisement::parse(&json!({"operations": many})).is_err());
}

#[test]
fn an_advertised_operation_says_what_it_is_and_always_writes() {
    let fake = Fake::advertising(advertisement());
    let read = || Advertisement::parse(&advertisement()).unwrap();
    for confirm in [false, true] {
        let module = connection("desk", &fake).confirm_calls(confirm).module(read()).unwrap();
        let catalog = Catalog::new([module]).unwrap();
        let entry = catalog.find("computers.desk.windows.open").unwrap();
        assert_eq!((entry.module(), entry.operation_path()), ("test-desk", "windows.open"));
        let operation = entry.operation();
        let labels = operation.labels();
        assert_eq!(
            (labels.access, labels.replay, labels.confirm),
            (Access::Write, Replay::Unsafe, confirm)
        );
        assert_eq!(operation.description(), "Opens a window.");
        assert_eq!(operation.notes(), ["One window at a time."]);
        assert_eq!(operation.instructions(), Some("Close it afterwards."));
        assert!(operation.output_schema().is_some());
        assert!(operation.is_third_party(), "its texts are the computer's, not the host's");
    }
}

#[test]
fn a_computers_files_stand_under_its_own_authority_and_are_not_confirmed() {
    let fake = Fake::advertising(advertisement());
    let connection =
        connection("desk", &fake).confirm_calls(true).files(Rc::new(MemoryFiles::new()));
    let module = connection.module(Advertisement::parse(&advertisement()).unwrap()).unwrap();
    let catalog = Catalog::new([module]).unwrap();
    let entry = catalog.find("computers.desk.files.read").unwrap();
    assert_eq!((entry.module(), entry.operation_path()), ("test-desk", "files.read"));
    assert_eq!(entry.operation().labels().access, Access::Read);
    assert!(!entry.operation().labels().confirm);
    assert!(catalog.entries().iter().all(|entry| entry.module() == "test-desk"));
}

#[test]
fn a_computer_without_files_brings_none() {
    let fake = Fake::advertising(advertisement());
    let module = connection("desk", &fake).module(Advertisement::parse(&advertisement()).unwrap());
    let catalog = Catalog::new([module.unwrap()]).unwrap();
    assert_eq!(catalog.entries().len(), 1, "there is no module of files that nobody asked for");
}

#[test]
fn what_can_not_be_offered_whole_is_not_offered() {
    for operations in [
        json!({}),
        json!({"a-b": {"input": {}}}),
        json!({"then": {"input": {}}}),
        json!({"a": {"input": {}}, "a.b": {"input": {}}}),
    ] {
        let read = Advertisement::parse(&json!({ "operations": operations })).unwrap();
        let fake = Fake::advertising(json!(null));
        assert!(connection("desk", &fake).module(read).is_err(), "{operations}");
    }
    // Its own `files` and those it advertises would be two authors of one name.
    let read = Advertisement::parse(&json!({"operations": {"files.read": {"input": {}}}})).unwrap();
    let files = Rc::new(MemoryFiles::new());
    assert!(
        connection("desk", &Fake::advertising(json!(null)))
            .files(files.clone())
            .module(read)
            .is_err()
    );
    let nothing = Advertisement::parse(&json!({"operations": {}})).unwrap();
    assert!(
        connection("desk", &Fake::advertising(json!(null))).files(files).module(nothing).is_ok()
    );
}

#[test]
fn a_read_grant_refuses_every_advertised_operation() {
    let host = Host::new();
    let fake = Fake::advertising(advertisement());
    let connection = connection("desk", &fake).files(Rc::new(MemoryFiles::new()));
    let sandbox = direct_sandbox(|_, _| async { Ok(json!(null)) });
    let mut options = host.options(Vec::new(), sandbox);
    options.sources = vec![Rc::new(ComputerSource::new(connection, host.ports().timer))];
    options.access = AccessPolicy::new().grants([("test-desk", Grant::Read)].into_iter().collect());
    let runtime = Mycelium::open(options).unwrap();
    let lease = lease(&host, &runtime).unwrap();
    let answers = host.run(async move {
        let context = || Context::builder().build();
        let call = lease.invoke_module_operation(
            "test-desk",
            "windows.open",
            json!({"url": ""}),
            context(),
        );
        let list = lease.invoke_module_operation("test-desk", "files.list", json!({}), context());
        (call.await.unwrap(), list.await.unwrap())
    });
    let (call, list) = answers.unwrap();
    let Answer::Refused(refusal) = call else { panic!("{call:?}") };
    assert_eq!(refusal.reason(), Reason::ReadOnly);
    assert!(matches!(list, Answer::Value(_)), "its files can be read");
    assert!(fake.calls.borrow().is_empty());
}

#[test]
fn a_confirmed_connection_asks_before_each_advertised_call_and_others_do_not() {
    for confirm in [true, false] {
        let host = Host::new();
        let fake = Fake::advertising(advertisement());
        let connection = connection("desk", &fake).confirm_calls(confirm);
        let source = ComputerSource::new(connection, host.ports().timer);
        let lease = lease(&host, &runtime(&host, source)).unwrap();
        let answer = host.run(async move {
            let context = Context::builder().build();
            let input = json!({"url": "x"});
            lease
                .invoke_module_operation("test-desk", "windows.open", input, context)
                .await
                .unwrap()
        });
        match answer.unwrap() {
            // Nobody can be asked here.
            Answer::Refused(refusal) => {
                assert!(confirm);
                assert_eq!(refusal.reason(), Reason::ConfirmUnavailable);
            }
            Answer::Value(_) => assert!(!confirm),
        }
        assert_eq!(fake.calls.borrow().is_empty(), confirm, "what isn't agreed to isn't sent");
    }
}

#[test]
fn one_computer_that_does_not_answer_leaves_no_lease() {
    for manner in [Manner::Rejects, Manner::Hangs, Manner::Panics] {
        let host = Host::new();
        let fake = Fake::new(manner, &Asked::default());
        let single = Connection::new("test-desk", "desk", Rc::new(fake.clone()));
        let runtime = runtime(&host, ComputerSource::new(single, host.ports().timer));
        let failure = lease(&host, &runtime).map(|_| ()).unwrap_err();
        assert_eq!(failure, Failure::SourceUnavailable { source: "desk".to_owned() });
        fake.manner.set(Manner::Answers);
        assert_eq!(paths(&lease(&host, &runtime).unwrap()), ["desk.windows.open"]);
    }
}

#[test]
fn what_a_computer_says_of_a_call_is_told_and_what_is_unknown_is_called_so() {
    let told = |error: ComputerError| {
        let fake = Fake::advertising(advertisement());
        *fake.answer.borrow_mut() = Err(error);
        let module =
            connection("desk", &fake).module(Advertisement::parse(&advertisement()).unwrap());
        let catalog = Catalog::new([module.unwrap()]).unwrap();
        let operation = catalog.get(0).unwrap().operation();
        let run = operation.decode(json!({"url": "x"})).unwrap().run(Context::builder().build());
        futures::executor::block_on(run).unwrap_err().failure("p")
    };
    let (failure, evidence) =
        told(ComputerError::Failed { message: "no window is free".to_owned() });
    assert_eq!((failure.code(), evidence), ("capability-failed", None));
    assert!(failure.to_string().contains("no window is free"));
    for (error, code) in [
        (ComputerError::NotDone { evidence: "canary".to_owned() }, "capability-failed"),
        (ComputerError::Unknown { evidence: "canary".to_owned() }, "outcome-unknown"),
    ] {
        let (failure, evidence) = told(error);
        assert_eq!(failure.code(), code);
        assert!(!failure.to_string().contains("canary"), "{failure}");
        assert!(evidence.unwrap().contains("canary"));
    }
}

#[test]
fn an_answer_other_than_advertised_is_told_as_such() {
    let fake = Fake::advertising(advertisement());
    *fake.answer.borrow_mut() = Ok(json!("text"));
    let module = connection("desk", &fake).module(Advertisement::parse(&advertisement()).unwrap());
    let catalog = Catalog::new([module.unwrap()]).unwrap();
    let operation = catalog.get(0).unwrap().operation();
    let run = operation.decode(json!({"url": "x"})).unwrap().run(Context::builder().build());
    let failure = futures::executor::block_on(run).unwrap_err().failure("p").0;
    assert_eq!(failure.code(), "output-invalid");
}
