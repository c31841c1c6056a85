//! The methods that answer at once.

use std::{collections::BTreeMap, rc::Rc};

use serde_json::{Map, Value, json};

use super::{
    Argument, Functions, RequestError,
    asked::{self, Invocation, Question},
    caller::Caller,
    reply,
};
use crate::{
    failure::{Failure, Raw},
    forage::Helper,
    json::{JsonError, encode, encode_output},
    operation::Context,
    runtime::{
        Answer, Lease, Mycelium, Options, Status,
        access::{Grant, Grants},
    },
};

/// The host that requests are served by.
#[derive(Clone)]
pub struct Host {
    /// What its runtimes are opened with; its modules and sources are the host's own.
    pub options: Options,
    /// What the owner grants to callers of these.
    pub granted: Grants,
    /// How the host is doing.
    pub status: Rc<dyn Fn() -> Status>,
}

/// A method beside `execute`, which goes on after its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// `search`, `list` or `describe`.
    Discover(Helper),
    /// `invoke`
    Invoke,
    /// `status`
    Status,
}

impl Method {
    /// The method of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "invoke" => Some(Self::Invoke),
            "status" => Some(Self::Status),
            name => Helper::named(name).map(Self::Discover),
        }
    }
}

/// Serves one request; whatever comes of it is the reply.
pub async fn serve(host: Host, method: Method, argument: Result<Argument, RequestError>) -> String {
    let answered = match method {
        Method::Discover(helper) => discover(host, helper, argument).await,
        Method::Invoke => invoke(host, argument).await,
        Method::Status => status(host, argument).await,
    };
    answered.unwrap_or_else(|failure| reply::failed(&failure, None))
}

async fn discover(
    host: Host,
    helper: Helper,
    argument: Result<Argument, RequestError>,
) -> Result<String, Failure> {
    let (functions, Question { caller, input }) = Question::read(argument?, &host, helper)?;
    let answer = |lease: &Lease| {
        let answer = lease.forage().answer(helper, &input);
        answer.map_err(|error| error.failure(helper.callee()))
    };
    let answer = over(caller, host, functions, answer).await??;
    Ok(reply::value(&answer))
}

async fn status(host: Host, argument: Result<Argument, RequestError>) -> Result<String, Failure> {
    let (functions, caller) = asked::status(argument?, &host)?;
    let limits = host.options.limits.clone();
    let mut value = of_host(&host);
    let modules = over(caller, host, functions, seen).await?;
    let own = json!({
        "modules": modules,
        "limits": {
            "timeoutMs": limits.timeout_ms,
            "codeBytes": limits.code_bytes,
            "calls": limits.calls,
            "frameBytes": limits.frame_bytes,
            "resultBytes": limits.result_bytes,
        },
    });
    for (key, own) in own.as_object().into_iter().flatten() {
        value.insert(key.clone(), own.clone());
    }
    Ok(reply::value(&Value::Object(value)))
}

/// The host's own status, with those connections alone that services are granted.
fn of_host(host: &Host) -> Map<String, Value> {
    let mut status = (host.status)();
    let granted = |name: &str| host.granted.get(name).is_some_and(|grant| grant != Grant::None);
    status.connections.retain(|connection| granted(&connection.name));
    match json!(status) {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}

/// Asks a lease over what the caller may see, and gives everything back.
async fn over<T>(
    caller: Caller,
    host: Host,
    functions: Functions,
    ask: impl FnOnce(&Lease) -> T,
) -> Result<T, Failure> {
    let runtime = caller.open(host)?;
    let lease = runtime.acquire(None).await?;
    let answer = ask(&lease);
    give_back(&runtime, &lease, functions).await;
    Ok(answer)
}

/// The host's modules that services may use, with their operations.
fn seen(lease: &Lease) -> Value {
    let mut modules = BTreeMap::<&str, Vec<&str>>::new();
    for entry in lease.catalog().entries().iter().filter(|entry| lease.shows(entry.module())) {
        modules.entry(entry.module()).or_default().push(entry.path());
    }
    let modules =
        modules.iter().map(|(id, operations)| json!({"id": id, "operations": operations}));
    modules.collect()
}

async fn invoke(host: Host, argument: Result<Argument, RequestError>) -> Result<String, Failure> {
    let (functions, asked) = Invocation::read(argument?, &host)?;
    let bytes = host.options.limits.frame_bytes;
    let Invocation { caller, module, operation, input, tool_call_id, operation_ordinal } = asked;
    let invalid = |error: JsonError| Failure::InputInvalid {
        operation: operation.clone(),
        problem: error.to_string(),
    };
    encode(&input, bytes).map_err(invalid)?;
    let runtime = caller.open(host)?;
    let lease = runtime.acquire(None).await?;
    let context = context(tool_call_id, operation_ordinal);
    let answer = lease.invoke_module_operation(&module, &operation, input, context).await;
    give_back(&runtime, &lease, functions).await;
    match answer? {
        Answer::Refused(refusal) => Ok(reply::refused(&refusal)),
        Answer::Value(value) => {
            let printed = encode_output(&value, bytes);
            let problem = |error: JsonError| error.to_string();
            printed.map_err(|error| Failure::OutputInvalid {
                operation,
                problem: problem(error),
                raw: Raw::default(),
            })?;
            Ok(reply::value(&value))
        }
    }
}

/// What the caller says of its own call, and nothing that it doesn't.
fn context(tool_call_id: Option<String>, operation_ordinal: Option<u64>) -> Context {
    let mut context = Context::builder();
    if let Some(id) = tool_call_id {
        context = context.tool_call_id(id);
    }
    if let Some(ordinal) = operation_ordinal {
        context = context.operation_ordinal(ordinal);
    }
    context.build()
}

/// The caller's functions are let go first: nothing of it runs any more.
async fn give_back(runtime: &Mycelium, lease: &Lease, functions: Functions) {
    drop(functions);
    lease.release().await;
    runtime.close().await;
}
