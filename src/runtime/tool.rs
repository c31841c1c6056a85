//! The one tool a model is given: `execute`.

use std::fmt::{self, Write as _};

use serde_json::{Value, json};

use crate::operation::{Catalog, Entry};

/// How many operations the description names; the rest is counted.
const OPERATIONS_NAMED: usize = 40;

/// Why the tool's arguments aren't a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArgumentError(&'static str);

impl fmt::Display for ArgumentError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: call execute with {{\"code\": \"return …\"}}", self.0)
    }
}

impl std::error::Error for ArgumentError {}

/// Name, description and input of the `execute` tool over one catalog.
#[derive(Clone, Debug, PartialEq)]
pub struct ExecuteTool {
    description: String,
}

impl ExecuteTool {
    /// The tool's name.
    pub const NAME: &'static str = "execute";

    pub(super) fn new(catalog: &Catalog) -> Self {
        Self { description: describe(catalog) }
    }

    /// What the model is told.
    #[must_use]
    pub fn description(&self) -> &str {
        &self.description
    }

    /// A closed object with the program's text.
    #[must_use]
    pub fn input_schema() -> Value {
        json!({
            "type": "object",
            "properties": {
                "code": { "type": "string", "description": "The body of an async function." },
            },
            "required": ["code"],
            "additionalProperties": false,
        })
    }

    /// The program in a call's arguments; nothing has run yet.
    ///
    /// # Errors
    ///
    /// An [`ArgumentError`] that says what to send.
    pub fn prepare(arguments: Option<&Value>) -> Result<&str, ArgumentError> {
        let Some(Value::Object(arguments)) = arguments else {
            return Err(ArgumentError("the arguments are an object"));
        };
        if arguments.keys().any(|key| key != "code") {
            return Err(ArgumentError("there is no argument but code"));
        }
        match arguments.get("code") {
            Some(Value::String(code)) => Ok(code),
            Some(_) => Err(ArgumentError("code is a string")),
            None => Err(ArgumentError("code is missing")),
        }
    }
}

fn describe(catalog: &Catalog) -> String {
    let mut text = String::from(
        "Runs a JavaScript or TypeScript program, the body of an async function, and gives back \
         what it returns as JSON. Each call runs in a fresh sandbox, not a REPL: no variable, \
         function or global survives between calls. There is no network and there are no imports; \
         the operations below are all there is.\n",
    );
    for entry in catalog.entries().iter().take(OPERATIONS_NAMED) {
        // Writing to a string can't fail.
        let description = entry.operation().description();
        let _ = write!(text, "\nawait {}(input): {description}", callee(entry));
    }
    let more = catalog.entries().len().saturating_sub(OPERATIONS_NAMED);
    if more > 0 {
        let _ = write!(text, "\nand {more} more operations");
    }
    if let Some(entry) = catalog.entries().first() {
        let _ = write!(text, "\n\nExample: return await {}({{}})", callee(entry));
    }
    text
}

/// What code says to call it.
fn callee(entry: &Entry) -> String {
    let env = if entry.has_short_form() { "" } else { "env." };
    format!("{env}{}", entry.path())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::ExecuteTool;
    use crate::operation::{Catalog, Module, Operation};

    #[test]
    fn a_root_that_is_a_keyword_is_described_through_env() {
        let run = || Operation::new(json!({}), |_, _| async { Ok(json!(null)) });
        let modules = ["delete", "demo"].map(|name| Module::new(name, name).operation("x", run()));
        let tool = ExecuteTool::new(&Catalog::new(modules).unwrap());
        for callee in ["\nawait env.delete.x(", "\nawait demo.x(", "return await env.delete.x("] {
            assert!(tool.description().contains(callee), "{callee}");
        }
    }

    #[test]
    fn arguments_that_are_no_program_say_what_to_send() {
        let cases = [
            (None, "the arguments are an object"),
            (Some(json!([])), "the arguments are an object"),
            (Some(json!({})), "code is missing"),
            (Some(json!({"code": 1})), "code is a string"),
            (Some(json!({"code": "1", "timeout": 1})), "no argument but code"),
        ];
        for (arguments, expected) in cases {
            let error = ExecuteTool::prepare(arguments.as_ref()).unwrap_err().to_string();
            assert!(error.contains(expected) && error.contains("return …"), "{error}");
        }
        assert_eq!(ExecuteTool::prepare(Some(&json!({"code": "x"}))), Ok("x"));
    }
}
