//! A program that was read before it is run.

use std::{cell::Cell, rc::Rc};

use futures::{FutureExt, future::LocalBoxFuture};
use serde_json::Value;

use crate::{
    failure::Failure,
    pen::{
        Persona,
        ledger::{Ledger, Order},
    },
    port::Clock,
    program::{Intake, Program},
    sandbox::{LoadError, Loader, SandboxRequest, Transport},
};

/// Gives the one program it knows, whatever it is asked to read.
pub(super) struct Known(Program);

impl Known {
    /// `program` with `input` in its scope. Its lines stay where they are, and so do its
    /// columns: all that is added stands before it on a line of the wrapper's own.
    pub(super) fn with_input(mut program: Program, input: &Value) -> Self {
        // A string of JSON is one of JavaScript too.
        let text = Value::from(input.to_string());
        program.module = format!("const input = JSON.parse({text}); {}", program.module);
        Self(program)
    }
}

impl Intake for Known {
    fn read(&self, _: &str) -> Result<Program, Failure> {
        Ok(self.0.clone())
    }
}

/// Tells the pen's book that the program starts when there is an isolate for it, and not
/// before: a pen without one stays a draft.
pub(super) struct Announced {
    pub(super) loader: Rc<dyn Loader>,
    pub(super) ledger: Rc<dyn Ledger>,
    pub(super) persona: Persona,
    pub(super) clock: Rc<dyn Clock>,
    pub(super) start: Rc<dyn Fn(u64) -> Order>,
    /// When it started, in milliseconds since 1970.
    pub(super) started_ms: Rc<Cell<Option<u64>>>,
}

impl Loader for Announced {
    fn load(
        &self,
        request: &SandboxRequest,
    ) -> LocalBoxFuture<'static, Result<Box<dyn Transport>, LoadError>> {
        let loading = self.loader.load(request);
        let (ledger, persona) = (Rc::clone(&self.ledger), self.persona.clone());
        let (clock, start) = (Rc::clone(&self.clock), Rc::clone(&self.start));
        let started_ms = Rc::clone(&self.started_ms);
        async move {
            let transport = loading.await?;
            let told = ledger.ask(&persona, start(clock.now_ms())).await;
            told.map_err(|error| LoadError::Platform(format!("the pens' book: {error:?}")))?;
            started_ms.set(Some(clock.now_ms()));
            Ok(transport)
        }
        .boxed_local()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::Known;
    use crate::program::{Intake, NativeIntake};

    #[test]
    fn an_input_changes_no_line_and_no_column_of_the_program() {
        let program = NativeIntake
            .read("return input.a\nmore")
            .unwrap_or_else(|_| NativeIntake.read("const a = input.a;\nreturn a").unwrap());
        let input = json!({"a": "x\u{2028}\n\"`${1}</script>"});
        let known = Known::with_input(program.clone(), &input).read("").unwrap();
        let lines = |module: &str| module.lines().skip(1).map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(lines(&known.module), lines(&program.module));
        assert!(known.module.starts_with("const input = JSON.parse(\"{"));
        assert_eq!(known.map, program.map);
    }
}
