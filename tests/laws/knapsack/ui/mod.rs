//! The app that is open in a session's browser.

mod authority;
mod closing;
mod commands;
mod page;
mod times;

use std::{cell::RefCell, collections::BTreeSet, rc::Rc};

use futures::{FutureExt, StreamExt, future::LocalBoxFuture};
use mycelium::{
    Failure, Mycelium,
    knapsack::ui::{Sessions, Ui, UiOptions},
    runtime::{LastPart, Part, ToolCall},
    testing::{DirectBindings, Host, Started, direct_sandbox},
};
use serde_json::{Value, json};

use self::page::Page;

/// The session of most tests.
pub(super) const SESSION: &str = "s1";

/// The sessions that there are.
#[derive(Clone)]
pub(super) struct Stored(pub(super) Rc<RefCell<BTreeSet<String>>>);

impl Sessions for Stored {
    fn has_session(&self, session: &str) -> LocalBoxFuture<'static, Result<bool, String>> {
        let has = match session {
            "unknowable" => Err("canary of the store".to_owned()),
            session => Ok(self.0.borrow().contains(session)),
        };
        async move { has }.boxed_local()
    }
}

/// A host with the connection, and a runtime of session [`SESSION`].
pub(super) struct World {
    pub(super) host: Host,
    pub(super) ui: Ui,
    pub(super) stored: Stored,
    pub(super) runtime: Mycelium,
}

impl World {
    /// Whose programs call `path` with `input`, as they are told to.
    pub(super) fn new() -> Self {
        let host = Host::new();
        let names = [SESSION, "s2"].map(str::to_owned).into_iter().collect();
        let stored = Stored(Rc::new(RefCell::new(names)));
        let ui = Ui::new(UiOptions::new("test-ui", Rc::new(stored.clone())), host.ports());
        let sandbox = direct_sandbox(|bindings: DirectBindings, _| async move {
            bindings
                .call("ui.execute", json!({"command": "list.add", "input": {"text": "milk"}}))
                .await
        });
        let mut options = host.options(Vec::new(), sandbox);
        options.sources = vec![Rc::new(ui.source(SESSION))];
        let runtime = Mycelium::open(options).unwrap();
        Self { host, ui, stored, runtime }
    }

    /// A call of one of the module's operations, as a run makes it.
    pub(super) fn calling(&self, operation: &str, input: Value) -> Started<Result<Value, Failure>> {
        let (runtime, operation) = (self.runtime.clone(), operation.to_owned());
        self.host.start(async move {
            let lease = runtime.acquire(None).await?;
            let found =
                lease.catalog().find(&format!("ui.{operation}")).unwrap().operation().clone();
            let context = mycelium::operation::Context::builder().build();
            let answer = match found.decode(input) {
                Ok(decoded) => decoded.run(context).await,
                Err(fault) => Err(fault),
            };
            lease.release().await;
            answer.map_err(|fault| fault.failure(&format!("ui.{operation}")).0)
        })
    }

    /// `ui.execute` of the command that most pages have.
    pub(super) fn adding(&self, text: &str) -> Started<Result<Value, Failure>> {
        self.calling("execute", json!({"command": "list.add", "input": {"text": text}}))
    }

    /// A whole `execute` of the program that adds milk.
    pub(super) fn executing(&self) -> Started<LastPart> {
        let runtime = self.runtime.clone();
        self.host.start(async move {
            let lease = runtime.acquire(None).await.unwrap();
            let call = ToolCall {
                id: "test-call".to_owned(),
                name: "execute".to_owned(),
                arguments: json!({"code": "return ui.execute({})"}),
            };
            let prepared = lease.execute_tool().prepare(&call).unwrap();
            let mut parts: Vec<Part> = prepared.execute(runtime.cancellation()).collect().await;
            lease.release().await;
            parts.pop().and_then(Part::last).unwrap()
        })
    }

    /// Opens a page of [`SESSION`].
    pub(super) fn page(&self) -> Page {
        Page::open(&self.host, &self.ui, SESSION, None).unwrap()
    }
}

/// What a page says of `list.add`.
pub(super) fn declaration() -> Value {
    json!({
        "description": "Adds a line to the list.",
        "input": {
            "type": "object",
            "properties": {"text": {"type": "string", "minLength": 1}},
            "required": ["text"],
            "additionalProperties": false,
        },
        "output": {"type": "integer"},
    })
}

/// What went wrong, by its code.
pub(super) fn code(end: Option<Result<Value, Failure>>) -> &'static str {
    end.unwrap().unwrap_err().code()
}
