//! Operations that say what they are told, and note what they live through.

use std::{cell::RefCell, rc::Rc};

use serde_json::{Value, json};

use super::super::ports::PlatformTimer;
use crate::{
    operation::{Access, Context, Module, Operation},
    port::Timer,
};

/// What the operations of one object have noted, in order.
#[derive(Clone, Default)]
struct Notes(Rc<RefCell<Vec<String>>>);

impl Notes {
    fn add(&self, input: &Value, what: &str) {
        if let Some(note) = input.get("note").and_then(Value::as_str) {
            self.0.borrow_mut().push(format!("{note}: {what}"));
        }
    }
}

/// The modules `witness` and `bystander`, whose notes are those of one object.
pub(super) fn modules() -> [Module; 2] {
    let notes = Notes::default();
    let witness = Module::new("test-witness", "witness")
        .operation("see", see(notes.clone()))
        .operation("watch", watch(notes.clone()))
        .operation("notes", read(notes.clone()));
    [witness, Module::new("test-bystander", "bystander").operation("see", see(notes))]
}

/// Answers the facts of its call, after `ms` if it is told to take that long.
fn see(notes: Notes) -> Operation {
    Operation::new(json!({}), move |input, context| {
        let notes = notes.clone();
        async move {
            notes.add(&input, "began");
            take(&input, "ms").await;
            notes.add(&input, "ended");
            Ok(facts(&context))
        }
    })
}

/// Ends only after it was cancelled, and `linger` milliseconds later.
fn watch(notes: Notes) -> Operation {
    Operation::new(json!({}), move |input, context| {
        let notes = notes.clone();
        async move {
            notes.add(&input, "began");
            context.cancellation().cancelled().await;
            notes.add(&input, "heard");
            take(&input, "linger").await;
            notes.add(&input, "ended");
            Ok(Value::Null)
        }
    })
}

fn read(notes: Notes) -> Operation {
    Operation::new(json!({}), move |_, _| {
        let noted = json!(*notes.0.borrow());
        async move { Ok(noted) }
    })
    .access(Access::Read)
}

async fn take(input: &Value, key: &str) {
    if let Some(ms) = input.get(key).and_then(Value::as_u64) {
        PlatformTimer.sleep(ms).await;
    }
}

fn facts(context: &Context) -> Value {
    json!({
        "ordinal": context.operation_ordinal(),
        "execution": context.execution_id(),
        "toolCall": context.tool_call_id(),
        "principal": context.principal(),
        "deadline": context.deadline_ms(),
    })
}
