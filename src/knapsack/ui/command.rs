//! What an app declares of its commands, held to the rules that every App's declaration keeps.

use serde_json::{Value, json};

use super::wire::Said;
use crate::{
    failure::{Failure, MESSAGE_BYTES, bounded},
    forage::{
        ForageError,
        app::{AppApi, MethodSchemas, app_method_schemas, app_tool_schemas},
    },
    operation::OperationError,
    schema::Schema,
};

/// The names that a failure lists at most.
const NAMES: usize = 12;

/// The commands that an app shows to agents, as a program gets them.
///
/// # Errors
///
/// The rule that the declaration breaks.
pub(super) fn shown(declaration: &Value) -> Result<Value, String> {
    let api = AppApi::parse(declaration).map_err(|error| error.to_string())?;
    let commands: Vec<Value> = app_tool_schemas(&api).iter().map(command).collect();
    Ok(json!({ "commands": commands }))
}

fn command(declared: &MethodSchemas) -> Value {
    json!({
        "name": declared.name,
        "description": declared.description,
        "effect": declared.effect.to_string(),
        "requirements": declared.requirements,
        "input": declared.input.document(),
        "output": declared.output.document(),
    })
}

/// Holds what a command is to be given to what the page that wants to run it says of it:
/// what its result must look like.
///
/// # Errors
///
/// What the program is told instead: nothing was run.
pub(super) fn admitted(name: &str, input: &Value, said: Said) -> Result<Schema, OperationError> {
    let declaration = match said {
        Said::Declares(declaration) => declaration,
        Said::Knows(names) => return Err(OperationError::declared(unknown(name, &names))),
        Said::Nothing => return Err(OperationError::declared(unknown(name, &[]))),
    };
    let refused = |error: ForageError| {
        let problem = format!("the app's declaration is refused, and nothing was run: {error}");
        OperationError::new(problem)
    };
    let api = AppApi::parse(&json!({"methods": {name: declaration}})).map_err(refused)?;
    let declared = app_method_schemas(&api).into_iter().next();
    let declared = declared.ok_or_else(|| OperationError::declared(unknown(name, &[])))?;
    declared
        .input
        .validate(input)
        .map_err(|error| OperationError::input(format!("the command {name}: {error}")))?;
    Ok(declared.output)
}

fn unknown(name: &str, known: &[String]) -> Failure {
    let nearest = if known.is_empty() {
        "; ui.discover lists the app's commands".to_owned()
    } else {
        let listed: Vec<&str> = known.iter().take(NAMES).map(String::as_str).collect();
        format!("; the app has {}: ui.discover lists its commands", listed.join(", "))
    };
    let name = format!("{:?} in the app", bounded(name, 128));
    Failure::OperationUnknown { name, nearest: bounded(&nearest, MESSAGE_BYTES / 4) }
}
