//! An author's labels are facts: whatever a host decides, they stay as they were said.

use std::{cell::RefCell, collections::BTreeMap, rc::Rc};

use futures::{FutureExt, future::LocalBoxFuture};
use mycelium::{
    Module, Operation,
    operation::{Access, Context, GateCall, Labels, Replay},
    runtime::{
        DirectTool, Lease, Options,
        access::{AccessPolicy, Answer, Confirm, ConfirmRequest, Grant, Unnamed},
        admission::AdmissionOptions,
    },
    testing::{Host, direct_sandbox},
};
use serde_json::{Value, json};

use super::world::World;
use crate::access::policy::{Session, grants};

type Said = BTreeMap<String, Labels>;

/// Every combination of labels, by a name of its own.
fn said() -> Said {
    let mut said = Said::from([("unlabelled".to_owned(), Labels::default())]);
    for access in [Access::Read, Access::Write] {
        for confirm in [false, true] {
            for replay in [Replay::Safe, Replay::Unsafe] {
                let name = format!("{access}_{confirm}_{replay:?}");
                said.insert(name, Labels { access, confirm, replay });
            }
        }
    }
    said
}

fn operation(labels: Labels) -> Operation {
    Operation::new(json!({}), |_, _| async { Ok(Value::Null) }).labels(labels)
}

/// Labels as they were seen where a call passes.
type Seen = Rc<RefCell<Vec<(String, Labels)>>>;

fn module(seen: &Seen) -> Module {
    let seen = Rc::clone(seen);
    let gate = move |call: GateCall| {
        seen.borrow_mut().push((call.operation.to_string(), call.labels));
        async { Ok(()) }
    };
    let module = Module::new("test-labels", "labels").gate(gate);
    said().into_iter().fold(module, |module, (name, labels)| {
        let operation = match &*name {
            "unlabelled" => Operation::new(json!({}), |_, _| async { Ok(Value::Null) }),
            _ => operation(labels),
        };
        module.operation(name, operation)
    })
}

/// A person who agrees, and keeps what they were asked.
#[derive(Default)]
struct Agrees(RefCell<Vec<ConfirmRequest>>);

impl Confirm for Agrees {
    fn ask(&self, request: ConfirmRequest, _: &Context) -> LocalBoxFuture<'static, Answer> {
        self.0.borrow_mut().push(request);
        async { Answer::Accepted }.boxed_local()
    }
}

fn of_catalog(lease: &Lease) -> Said {
    let entries = lease.catalog().entries().iter();
    entries.map(|entry| (entry.operation_path().to_owned(), entry.operation().labels())).collect()
}

fn of_tools(lease: &Lease) -> Said {
    let tools = lease.tools();
    tools.iter().map(|tool| (tool.name().to_owned(), tool.operation().labels())).collect()
}

#[test]
fn nothing_that_a_host_decides_changes_a_label() {
    let decided = |grant| grants(&[("test-labels", grant)]);
    let session = |grant| Session::new(&[("test-labels", grant)]);
    let policies = [
        AccessPolicy::new(),
        AccessPolicy::new().grants(decided(Grant::Write)),
        AccessPolicy::new().grants(decided(Grant::Read)),
        AccessPolicy::new().grants(decided(Grant::None)),
        AccessPolicy::new().require("test-labels"),
        AccessPolicy::new().unnamed(Unnamed::Refused),
        AccessPolicy::new().grant_as("test-labels", "owner").require("owner"),
        AccessPolicy::new().session_grants(session(Grant::Read)),
        AccessPolicy::new().grants(decided(Grant::None)).session_grants(session(Grant::Write)),
    ];
    let mut passed = 0;
    for policy in policies {
        let (host, seen, person) = (Host::new(), Seen::default(), Rc::new(Agrees::default()));
        let sandbox = direct_sandbox(|bindings, _| async move {
            for name in said().into_keys() {
                bindings.call(&format!("labels.{name}"), json!({})).await?;
            }
            Ok(Value::Null)
        });
        let tools = said()
            .into_iter()
            .map(|(name, labels)| DirectTool::new(&name, operation(labels)).unwrap());
        let options = Options {
            access: policy.confirm(person.clone()),
            admission: AdmissionOptions { sandbox_capacity: Some(2), admission_wait_ms: None },
            tools: tools.collect(),
            ..host.options(vec![module(&seen)], sandbox)
        };
        let world = World::open(host, options);
        let lease = world.lease();
        for _ in 0..2 {
            assert_eq!(of_catalog(&lease), said());
            let tools = of_tools(&lease);
            assert!(tools.iter().all(|(name, labels)| said()[name] == *labels), "{tools:?}");
            assert!(world.outcome(&lease).answer.is_ok());
        }
        for (name, labels) in seen.take() {
            assert_eq!(labels, said()[&name]);
            passed += 1;
        }
        for request in person.0.take() {
            let labels = said()[&request.operation];
            assert!(labels.confirm && labels.access == request.access, "{request}");
        }
    }
    assert!(passed > 9 * 2, "calls did pass: {passed}");
}
