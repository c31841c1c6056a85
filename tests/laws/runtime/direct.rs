//! Calls without a program: known operations and direct tools.

use std::rc::Rc;

use mycelium::{
    Failure, Module, Operation,
    operation::{Access, Context, GateCall, GateRefusal, OperationError},
    runtime::{
        Answer, DirectTool, LeasedTool, OpenError, Options,
        access::{self, AccessPolicy, Grant},
        admission::AdmissionOptions,
    },
    testing::Host,
};
use serde_json::{Value, json};

use super::world::{World, says};
use crate::access::policy::{Session, Somebody, grants};

async fn seen(_: Value, context: Context) -> Result<Value, OperationError> {
    Ok(json!([
        context.execution_id(),
        context.tool_call_id(),
        context.operation_ordinal(),
        context.deadline_ms(),
        context.principal(),
    ]))
}

fn module() -> Module {
    Module::new("test-m", "m")
        .operation("read", Operation::new(json!({"type": "number"}), seen).access(Access::Read))
        .operation("write", Operation::new(json!({}), seen))
        .operation("panics", Operation::new(json!({}), |_, _| async { panic!("canary") }))
        .operation("shut", Operation::new(json!({}), seen))
        .gate(|call: GateCall| async move {
            if &*call.operation == "shut" { Err(GateRefusal::refused("shut")) } else { Ok(()) }
        })
}

fn tool(name: &str, operation: Operation) -> DirectTool {
    DirectTool::new(name, operation).unwrap()
}

fn world(adapt: impl FnOnce(Options) -> Options) -> World {
    let host = Host::new();
    let tools = vec![
        tool("look", Operation::new(json!({"type": "number"}), seen).access(Access::Read)),
        tool("change", Operation::new(json!({}), seen)),
        tool("panics", Operation::new(json!({}), |_, _| async { panic!("canary") })),
    ];
    let options = Options { tools, ..host.options(vec![module()], says(Ok("1"))) };
    World::open(host, adapt(options))
}

fn invoke(
    world: &World,
    operation: &'static str,
    input: Value,
    context: Context,
) -> Result<Answer, Failure> {
    let lease = world.lease();
    let invoked =
        async move { lease.invoke_module_operation("test-m", operation, input, context).await };
    world.host.run(invoked).unwrap()
}

fn bare() -> Context {
    Context::builder().build()
}

fn identified() -> Context {
    Context::builder().tool_call_id("call").operation_ordinal(4).build()
}

fn reason(answer: Result<Answer, Failure>) -> &'static str {
    match answer {
        Ok(Answer::Refused(refusal)) => refusal.reason().code(),
        Ok(Answer::Value(_)) => "ran",
        Err(failure) => failure.code(),
    }
}

#[test]
fn a_direct_call_has_the_callers_own_context_and_nothing_is_invented() {
    let world = world(|options| options);
    let nothing = json!([null, null, null, null, null]);
    assert_eq!(invoke(&world, "read", json!(1), bare()), Ok(Answer::Value(nothing)));
    let context = Context::builder().principal("member:7").operation_ordinal(4).build();
    let own = json!([null, null, 4, null, "member:7"]);
    assert_eq!(invoke(&world, "read", json!(1), context), Ok(Answer::Value(own)));
}

#[test]
fn an_operation_is_found_by_its_modules_id_alone() {
    let world = world(|options| options);
    for (module, operation) in [("m", "read"), ("test-m", "m.read"), ("test-m", ""), ("", "read")] {
        let lease = world.lease();
        let invoked =
            async move { lease.invoke_module_operation(module, operation, json!(1), bare()).await };
        let failure = world.host.run(invoked).unwrap().unwrap_err();
        assert_eq!(failure.code(), "operation-unknown", "{module} {operation}");
        assert!(failure.to_string().contains("look at what"), "{failure}");
    }
}

#[test]
fn a_direct_call_is_decoded_gated_and_kept_from_panics() {
    let world = world(|options| options);
    assert_eq!(reason(invoke(&world, "read", json!("x"), bare())), "input-invalid");
    assert_eq!(reason(invoke(&world, "shut", json!(1), bare())), "gate-refused");
    let failure = invoke(&world, "panics", json!(1), bare()).unwrap_err();
    assert_eq!(failure, Failure::Unknown {});
    assert!(
        world.host.lines().concat().contains("operation m.panics: the operation panicked: canary")
    );
}

#[test]
fn a_direct_call_stands_behind_the_same_access() {
    let grants = grants(&[("test-m", Grant::Read)]);
    let world = world(|options| Options { access: AccessPolicy::new().grants(grants), ..options });
    assert_eq!(reason(invoke(&world, "read", json!(1), bare())), "ran");
    assert_eq!(reason(invoke(&world, "write", json!(1), bare())), "read-only");
}

#[test]
fn a_host_that_requires_identity_refuses_a_write_without_it() {
    let world = world(|options| Options { require_execute_identity: true, ..options });
    let only_id = Context::builder().tool_call_id("call").build();
    let only_ordinal = Context::builder().operation_ordinal(4).build();
    for missing in [bare(), only_id, only_ordinal] {
        assert_eq!(reason(invoke(&world, "write", json!(1), missing.clone())), "identity-missing");
        assert_eq!(reason(called(&world, "change", json!(1), missing)), "identity-missing");
    }
    assert_eq!(reason(invoke(&world, "write", json!(1), identified())), "ran");
    assert_eq!(reason(called(&world, "change", json!(1), identified())), "ran");
    assert_eq!(reason(invoke(&world, "read", json!(1), bare())), "ran", "reading needs none");
    assert_eq!(reason(called(&world, "look", json!(1), bare())), "ran");
}

fn named(world: &World, name: &str) -> LeasedTool {
    let tools = world.lease().tools();
    tools.into_iter().find(|tool| tool.name() == name).unwrap()
}

fn called(world: &World, name: &str, input: Value, context: Context) -> Result<Answer, Failure> {
    let tool = named(world, name);
    world.host.run(async move { tool.call(input, context).await }).unwrap()
}

#[test]
fn direct_tools_come_back_on_the_lease_behind_the_same_access() {
    let session = Session::new(&[]);
    let access = AccessPolicy::new().session_grants(session.clone());
    let world = world(|options| Options { access, ..options });
    let names = |world: &World| -> Vec<String> {
        world.lease().tools().iter().map(|tool| tool.name().to_owned()).collect()
    };
    assert_eq!(names(&world), ["look", "change", "panics"]);
    let (look, change) = (named(&world, "look"), named(&world, "change"));
    assert_eq!(look.operation().labels().access, Access::Read);
    assert_eq!(change.operation().labels().access, Access::Write, "unlabelled is write");
    session.set(&[("look", Grant::Read), ("change", Grant::Read), ("panics", Grant::None)]);
    assert_eq!(names(&world), ["look", "change"]);
    let call = |tool: LeasedTool| {
        reason(world.host.run(async move { tool.call(json!(1), bare()).await }).unwrap())
    };
    assert_eq!((call(look), call(change)), ("ran", "read-only"));
}

#[test]
fn a_direct_tool_decodes_and_is_kept_from_panics() {
    let world = world(|options| options);
    assert_eq!(reason(called(&world, "look", json!("x"), bare())), "input-invalid");
    assert_eq!(reason(called(&world, "panics", json!(1), bare())), "unknown");
    assert!(world.host.lines().concat().contains("canary"));
}

#[test]
fn a_direct_tool_of_a_released_lease_does_not_run() {
    let world = world(|options| options);
    let lease = world.lease();
    let look = lease.tools().remove(0);
    assert!(world.releasing(&lease).end().is_some());
    let call = async move { look.call(json!(1), bare()).await };
    assert_eq!(world.host.run(call), Some(Err(Failure::LeaseReleased {})));
}

#[test]
fn a_direct_call_may_ask_a_person_where_one_program_runs_at_a_time() {
    let person = Rc::new(Somebody::default());
    let access = AccessPolicy::new().confirm(person.clone());
    let admission = AdmissionOptions { sandbox_capacity: Some(1), admission_wait_ms: None };
    let tools = vec![tool("asks", Operation::new(json!({}), seen).confirm(true))];
    let world = world(|options| Options { access, admission, tools, ..options });
    for (answer, expected) in
        [(access::Answer::Accepted, "ran"), (access::Answer::Declined, "declined")]
    {
        let tool = named(&world, "asks");
        let mut call = world.host.start(async move { tool.call(json!(1), bare()).await });
        assert!(call.end().is_none());
        assert!(person.answer(answer));
        assert_eq!(reason(call.end().unwrap()), expected);
    }
}

#[test]
fn tools_of_one_name_are_refused_when_the_runtime_opens() {
    for name in ["look", "execute"] {
        let host = Host::new();
        let operation = || Operation::new(json!({}), seen);
        let tools = vec![tool("look", operation()), tool(name, operation())];
        let options = Options { tools, ..host.options(vec![module()], says(Ok("1"))) };
        let error = mycelium::Mycelium::open(options).err().unwrap();
        assert!(
            matches!(&error, OpenError::Definition(error) if error.module() == name),
            "{error}"
        );
    }
}
