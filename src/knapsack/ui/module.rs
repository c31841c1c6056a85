//! The module `ui`, as a run has it.

use std::{cell::RefCell, rc::Rc};

use serde_json::{Value, json};

use super::{exchange::Ask, host::BrowserHost};
use crate::{
    failure::Failure,
    operation::{Access, Module, Operation, OperationError},
};

/// The most UTF-16 units of a command's name.
const NAME_UNITS: u64 = 256;

/// What a run holds of its session's browser host, until it returns it.
#[derive(Clone)]
pub(super) struct Lent(Rc<RefCell<Option<Rc<BrowserHost>>>>);

impl Lent {
    pub(super) fn new(host: Rc<BrowserHost>) -> Self {
        Self(Rc::new(RefCell::new(Some(host))))
    }

    /// Returns it.
    pub(super) fn give_back(&self) {
        let host = self.0.borrow_mut().take();
        drop(host);
    }

    async fn ask(self, ask: Ask) -> Result<Value, OperationError> {
        let host = self.0.borrow().clone();
        match host {
            Some(host) => host.ask(ask).await,
            None => Err(OperationError::declared(Failure::LeaseReleased {})),
        }
    }
}

/// The module, over what was lent.
pub(super) fn module(id: &str, name: &str, confirm: bool, lent: &Lent) -> Module {
    Module::new(id, name)
        .operation("discover", discover(lent.clone()))
        .operation("execute", execute(lent.clone()).confirm(confirm))
}

fn discover(lent: Lent) -> Operation {
    Operation::new(
        json!({"type": "object", "additionalProperties": false}),
        move |_: Value, _| lent.clone().ask(Ask::Discover),
    )
    .describe("Lists the commands of the app that the person has open now.")
    .output(json!({
        "type": "object",
        "properties": {
            "commands": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "name": {"type": "string"},
                        "description": {"type": "string"},
                        "effect": {"enum": ["read", "write"]},
                        "requirements": {"type": "array", "items": {"type": "string"}},
                        "input": {"description": "JSON Schema of what it takes."},
                        "output": {"description": "JSON Schema of what it gives."},
                    },
                    "required": ["name", "description", "effect", "requirements", "input", "output"],
                },
            },
        },
        "required": ["commands"],
    }))
    .access(Access::Read)
    .note("Asks the open page itself: the commands may be others a moment later.")
}

fn execute(lent: Lent) -> Operation {
    Operation::new(
        json!({
            "type": "object",
            "properties": {
                "command": {"type": "string", "minLength": 1, "maxLength": NAME_UNITS},
                "input": {"description": "What the command takes; left out, an empty object."},
            },
            "required": ["command"],
            "additionalProperties": false,
        }),
        move |input: Value, _| lent.clone().ask(asked(input)),
    )
    .describe("Runs one command of the app that the person has open, and gives its result.")
    .note("One page runs it, once. The person sees what it does.")
    .instructions("Call discover first: it says what each command takes.")
}

fn asked(mut input: Value) -> Ask {
    let mut field = |name: &str| input.get_mut(name).map(Value::take);
    let command = field("command").as_ref().and_then(Value::as_str).unwrap_or_default().to_owned();
    Ask::Execute { command, input: field("input").unwrap_or_else(|| json!({})) }
}
