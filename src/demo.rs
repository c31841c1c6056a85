//! The module that a fresh deployment answers with.

use schemars::JsonSchema;
use serde::Serialize;

use crate::operation::{Access, Module, NoInput, Operation, Replay};

/// What `ping` answers.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Pong {
    value: &'static str,
}

/// The module `demo` with its one operation `ping`, which answers `{"value":"pong"}`.
///
/// ```
/// assert_eq!(mycelium::demo().name(), "demo");
/// ```
#[must_use]
pub fn demo() -> Module {
    let ping = Operation::typed(|_: NoInput, _| async { Ok(Pong { value: "pong" }) })
        .describe("Answers {\"value\":\"pong\"}.")
        .access(Access::Read)
        .replay(Replay::Safe);
    Module::new("demo", "demo").operation("ping", ping)
}
