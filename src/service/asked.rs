//! What each method is asked for.

use serde_json::{Map, Value};

use super::{
    Argument, Functions, Host, RequestError,
    caller::{self, Caller},
    fields::Fields,
};
use crate::{forage::Helper, sandbox::Limits};

/// A program to run.
pub(super) struct Program {
    pub(super) caller: Caller,
    pub(super) code: String,
    pub(super) tool_call_id: Option<String>,
    pub(super) timeout_ms: Option<u64>,
}

/// One known operation to call.
pub(super) struct Invocation {
    pub(super) caller: Caller,
    pub(super) module: String,
    pub(super) operation: String,
    pub(super) input: Value,
    pub(super) tool_call_id: Option<String>,
    pub(super) operation_ordinal: Option<u64>,
}

/// A question to discovery.
pub(super) struct Question {
    pub(super) caller: Caller,
    pub(super) input: Value,
}

/// The functions of a request, and what it asks for; with the first they are let go.
pub(super) type Read<T> = Result<(Functions, T), RequestError>;

impl Program {
    pub(super) fn read(argument: Argument, host: &Host) -> Read<Self> {
        read(argument, host, &["code", "toolCallId", "timeoutMs"], |caller, fields| {
            let limit = host.options.limits.timeout_ms;
            let timeout_ms = fields.number("timeoutMs")?;
            if timeout_ms.is_some_and(|ms| !(1..=limit).contains(&ms)) {
                let problem = format!("give a whole number from 1 to {limit}");
                return Err(fields.wrong("timeoutMs", problem));
            }
            Ok(Self {
                caller,
                code: fields.required("code")?,
                tool_call_id: fields.text("toolCallId")?,
                timeout_ms,
            })
        })
    }

    /// Opens a runtime for it, within its own time.
    pub(super) fn limits(&self, limits: Limits) -> Limits {
        match self.timeout_ms {
            Some(timeout_ms) => limits.within(timeout_ms),
            None => limits,
        }
    }
}

impl Invocation {
    pub(super) fn read(argument: Argument, host: &Host) -> Read<Self> {
        let own = ["module", "operation", "input", "toolCallId", "operationOrdinal"];
        read(argument, host, &own, |caller, fields| {
            let module = caller.key(&fields.required("module")?);
            let missing = fields.wrong("input", "it is missing: give what the operation takes");
            Ok(Self {
                caller,
                module,
                operation: fields.required("operation")?,
                input: fields.take("input").ok_or(missing)?,
                tool_call_id: fields.text("toolCallId")?,
                operation_ordinal: fields.number("operationOrdinal")?,
            })
        })
    }
}

impl Question {
    /// What isn't the caller's is the helper's own to read.
    pub(super) fn read(argument: Argument, host: &Host, helper: Helper) -> Read<Self> {
        let own: &[&str] = match helper {
            Helper::Search => &["query", "limit", "namespace"],
            Helper::List => &["limit", "cursor", "namespace"],
            Helper::Describe => &["path", "methods"],
        };
        read(argument, host, own, |caller, fields| {
            let input = own.iter().filter_map(|key| Some(((*key).to_owned(), fields.take(key)?)));
            let input = Value::Object(input.collect::<Map<_, _>>());
            Ok(Self { caller, input })
        })
    }
}

/// A status is asked for with nothing.
pub(super) fn status(argument: Argument, host: &Host) -> Read<Caller> {
    let Argument { value, functions } = argument;
    if !value.is_null() {
        Fields::of("", value, &[])?;
    }
    all_taken(functions, Caller::without_modules(host))
}

fn read<T>(
    argument: Argument,
    host: &Host,
    own: &[&str],
    rest: impl FnOnce(Caller, &mut Fields) -> Result<T, RequestError>,
) -> Read<T> {
    let Argument { value, mut functions } = argument;
    let keys: Vec<&str> = own.iter().chain(&caller::KEYS).copied().collect();
    let mut fields = Fields::of("", value, &keys)?;
    let caller = Caller::read(&mut fields, &mut functions, host)?;
    let asked = rest(caller, &mut fields)?;
    all_taken(functions, asked)
}

/// A function anywhere else would be lost without a word.
pub(super) fn all_taken<T>(functions: Functions, asked: T) -> Read<T> {
    match functions.untaken() {
        None => Ok((functions, asked)),
        Some(path) => Err(RequestError::new(path, "a function is no data: give JSON here")),
    }
}
