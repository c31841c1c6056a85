//! A table as a module of a runtime.

use std::rc::Rc;

use super::{
    BigIntegers, ConnectError, ConnectionOptions, ConnectionPorts, big_integer, call::Call,
};
use crate::{
    forage::openapi::{Entry, Method, Table, path::Template},
    operation::{Module, Operation, Replay},
    schema::subset::{self, Formats},
};

/// The module that calls the operations of `table` at the server that `options` choose.
///
/// Every text in it is marked as a third party's. GET, HEAD and OPTIONS are reads, the
/// rest are writes.
///
/// # Errors
///
/// The table and the options don't go together.
pub fn module(
    id: &str,
    name: &str,
    table: &Table,
    options: &ConnectionOptions,
    ports: &ConnectionPorts,
) -> Result<Module, ConnectError> {
    options.credential.check(table)?;
    let mut module = Module::new(id, name);
    for entry in table.entries() {
        module = module.operation(&entry.name, operation(entry, options, ports)?);
    }
    Ok(module)
}

fn operation(
    entry: &Entry,
    options: &ConnectionOptions,
    ports: &ConnectionPorts,
) -> Result<Operation, ConnectError> {
    let wrong = |problem: String| ConnectError::new(format!("{}: {problem}", entry.selector()));
    let template = Template::parse(&entry.path)
        .ok_or_else(|| wrong("its path could lead elsewhere".to_owned()))?;
    let formats = if entry.unchecked_formats { Formats::Annotate } else { Formats::Refuse };
    let schema = |document: serde_json::Value| {
        subset::decode(document, formats).map_err(|error| wrong(error.to_string()))
    };
    let input = schema(entry.input.clone())?;
    let output = entry.output.as_ref().map(|output| match options.big_integers {
        BigIntegers::Refuse => schema(output.clone()),
        BigIntegers::Text => schema(big_integer::widened(output)),
    });
    let call = Rc::new(Call {
        entry: entry.clone(),
        template,
        options: options.clone(),
        ports: ports.clone(),
    });
    let run = move |input, context| {
        let call = Rc::clone(&call);
        async move { call.run(input, context).await }
    };
    let mut operation = Operation::new(input, run)
        .describe(described(entry))
        .access(entry.method.access())
        .replay(replay(entry.method))
        .third_party();
    if let Some(output) = output.transpose()? {
        operation = operation.output(output);
    }
    for note in notes(entry, options) {
        operation = operation.note(note);
    }
    Ok(operation)
}

/// RFC 9110, section 9.2.2.
fn replay(method: Method) -> Replay {
    match method {
        Method::Get | Method::Head | Method::Options => Replay::Safe,
        Method::Delete | Method::Patch | Method::Post | Method::Put => Replay::Unsafe,
    }
}

fn described(entry: &Entry) -> String {
    let said = [entry.title.as_str(), entry.description.as_str()];
    let said: Vec<_> = said.into_iter().filter(|text| !text.is_empty()).collect();
    said.join("\n\n")
}

fn notes(entry: &Entry, options: &ConnectionOptions) -> Vec<String> {
    let mut notes = vec![entry.selector()];
    if !entry.tags.is_empty() {
        notes.push(format!("Tags: {}.", entry.tags.join(", ")));
    }
    if entry.deprecated {
        notes.push("Deprecated.".to_owned());
    }
    if entry.unchecked_formats {
        notes.push("Formats and patterns aren't checked here.".to_owned());
    }
    if options.big_integers == BigIntegers::Text {
        notes.push("Integers beyond 2^53 - 1 come as texts.".to_owned());
    }
    notes
}
