//! A caller's modules: its declarations, over its functions.

use serde_json::{Map, Value};

use super::{
    Functions, RemoteError, RequestError,
    access::authority,
    fields::{Fields, at},
};
use crate::{
    limits::SNAPSHOT_OPERATIONS,
    operation::{Context, Labels, Module, Operation, OperationError},
};

const MODULE: &[&str] = &["id", "name", "description", "operations"];
const OPERATION: &[&str] =
    &["description", "input", "output", "access", "confirm", "replay", "execute"];

/// A module, and the id that its caller knows it by.
pub(super) struct OwnModule {
    pub(super) id: String,
    pub(super) module: Module,
}

/// The modules that a request brings.
pub(super) fn modules(
    path: &str,
    value: Option<Value>,
    functions: &mut Functions,
) -> Result<Vec<OwnModule>, RequestError> {
    let list = match value {
        None => return Ok(Vec::new()),
        Some(Value::Array(list)) => list,
        Some(_) => return Err(RequestError::new(path, "give a list of modules")),
    };
    let (mut modules, mut operations) = (Vec::new(), 0_usize);
    for (index, value) in list.into_iter().enumerate() {
        let own = module(&at(path, &index.to_string()), value, functions)?;
        operations = operations.saturating_add(own.module.operation_count());
        if operations > SNAPSHOT_OPERATIONS {
            let problem = format!(
                "they have more than {SNAPSHOT_OPERATIONS} operations: bring those that are needed"
            );
            return Err(RequestError::new(path, problem));
        }
        modules.push(own);
    }
    Ok(modules)
}

fn module(path: &str, value: Value, functions: &mut Functions) -> Result<OwnModule, RequestError> {
    let mut fields = Fields::of(path, value, MODULE)?;
    let (id, name) = (fields.required("id")?, fields.required("name")?);
    let description = fields.text("description")?;
    let operations = match fields.take("operations") {
        Some(Value::Object(operations)) => operations,
        _ => return Err(fields.wrong("operations", "give an object of operations by their names")),
    };
    let mut module = Module::new(authority(&id), name);
    let path = fields.at("operations");
    for (key, value) in operations {
        let operation = operation(&at(&path, &key), value, functions)?;
        let operation = match &description {
            Some(description) => operation.note(description.as_str()),
            None => operation,
        };
        module = module.operation(key, operation);
    }
    Ok(OwnModule { id, module })
}

fn operation(
    path: &str,
    value: Value,
    functions: &mut Functions,
) -> Result<Operation, RequestError> {
    let mut fields = Fields::of(path, value, OPERATION)?;
    let execute = fields.function("execute", functions)?;
    let execute =
        execute.ok_or_else(|| fields.wrong("execute", "it is missing: give a function"))?;
    let missing = "it is missing: give a JSON Schema, {} for an operation that takes anything";
    let input = fields.take("input").ok_or_else(|| fields.wrong("input", missing))?;
    let labels = labels(path, &mut fields)?;
    let mut operation = Operation::new(input, move |input, context| {
        let answer = execute.call(vec![input, told(&context)]);
        async move { answer.await.map_err(failed) }
    })
    .labels(labels);
    if let Some(description) = fields.text("description")? {
        operation = operation.describe(description);
    }
    if let Some(output) = fields.take("output") {
        operation = operation.output(output);
    }
    Ok(operation)
}

/// As strictly as any author's labels.
fn labels(path: &str, fields: &mut Fields) -> Result<Labels, RequestError> {
    let given = ["access", "confirm", "replay"]
        .into_iter()
        .filter_map(|key| Some((key.to_owned(), fields.take(key)?)));
    Labels::parse(&Value::Object(given.collect()))
        .map_err(|error| RequestError::new(path, error.to_string()))
}

/// What the caller's function is told of its call: the facts there are, and no others.
pub(super) fn told(context: &Context) -> Value {
    let facts = [
        ("executionId", context.execution_id().map(Value::from)),
        ("toolCallId", context.tool_call_id().map(Value::from)),
        ("operationOrdinal", context.operation_ordinal().map(Value::from)),
        ("deadlineMs", context.deadline_ms().map(Value::from)),
    ];
    let facts = facts.into_iter().filter_map(|(name, fact)| Some((name.to_owned(), fact?)));
    Value::Object(facts.collect::<Map<_, _>>())
}

fn failed(error: RemoteError) -> OperationError {
    match error {
        RemoteError::Answer(problem) => OperationError::output(problem),
        error => OperationError::new(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Functions, modules};

    fn refused(module: serde_json::Value) -> String {
        let read = modules("/modules", Some(json!([module])), &mut Functions::default());
        read.err().unwrap().to_string()
    }

    #[test]
    fn what_is_wrong_in_a_module_is_named_with_its_place() {
        let wrong = [
            (json!(1), "at /modules/0: give an object with id, name, description, operations"),
            (json!({"name": "x"}), "at /modules/0/id: it is missing: give a string"),
            (json!({"id": 1}), "at /modules/0/id: give a string"),
            (json!({"id": "x", "Name": "x"}), "at /modules/0: there is no key \"Name\""),
            (json!({"id": "x", "name": "x"}), "at /modules/0/operations: give an object"),
            (
                json!({"id": "x", "name": "x", "operations": {"a/b": {"input": {}}}}),
                "at /modules/0/operations/a~1b/execute: it is missing: give a function",
            ),
            (
                json!({"id": "x", "name": "x", "operations": {"a": {"execute": "return 1"}}}),
                "at /modules/0/operations/a/execute: give a function",
            ),
        ];
        for (module, expected) in wrong {
            let said = refused(module);
            assert!(said.starts_with(expected), "{said}");
        }
    }
}
