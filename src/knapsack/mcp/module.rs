//! A server's tools as a module of a runtime.

use std::rc::Rc;

use super::{
    Listing, McpPorts, McpServer, Tool, ToolRule, Upstream, UpstreamError, call::Call, line::Line,
    result::declared,
};
use crate::operation::{Access, Catalog, Module, Operation, Replay};

/// The namespace of all servers.
const NAMESPACE: &str = "mcp";

/// The module `env.mcp.<name>` of the tools in `listing`, which calls them by the names that
/// the server has for them. `changed` is told when the server says that they aren't what they
/// were.
///
/// # Errors
///
/// There is no tool to offer, or the server's own name can't be said.
pub fn module(
    server: &Rc<McpServer>,
    listing: &Listing,
    upstream: &Rc<dyn Upstream>,
    ports: &McpPorts,
    changed: &Rc<dyn Fn()>,
) -> Result<Module, UpstreamError> {
    let mut module = Module::new(&server.id, &server.name).namespace([NAMESPACE]);
    let mut offered = false;
    let line = Line { server: Rc::clone(server), ports: ports.clone() };
    for (name, tool) in &listing.tools {
        let rule = server.tools.get(&tool.name).copied().unwrap_or_default();
        if rule.hidden {
            continue;
        }
        offered = true;
        let call = Call {
            tool: Rc::clone(tool),
            replay: labels(server, tool, rule).1,
            line: line.clone(),
            upstream: Rc::clone(upstream),
            changed: Rc::clone(changed),
        };
        module = module.operation(name.as_str(), operation(server, name, rule, call));
    }
    if !offered {
        return Err(UpstreamError::unusable("it lists no tools"));
    }
    let sound = Catalog::new([module.clone()]);
    sound.map_err(|error| UpstreamError::unusable(&error.to_string()))?;
    Ok(module)
}

/// What a tool does to the world: what its owner says, else what it says of itself where it is
/// trusted, else that it writes.
fn labels(server: &McpServer, tool: &Tool, rule: ToolRule) -> (Access, Replay) {
    let trusted = server.trust_annotations && tool.hints.read_only;
    match (rule.access, trusted) {
        (Some(Access::Read), _) | (None, true) => (Access::Read, Replay::Safe),
        (Some(Access::Write) | None, _) => (Access::Write, Replay::Unsafe),
    }
}

fn operation(server: &McpServer, name: &str, rule: ToolRule, call: Call) -> Operation {
    let tool = Rc::clone(&call.tool);
    let (access, replay) = labels(server, &tool, rule);
    let call = Rc::new(call);
    let run = move |input, context| {
        let call = Rc::clone(&call);
        async move { call.run(input, context).await }
    };
    let mut operation = Operation::new(tool.input.clone(), run)
        .describe(tool.description.as_str())
        .access(access)
        .replay(replay)
        .confirm(rule.confirm)
        .third_party();
    if let Some(output) = declared(&tool) {
        operation = operation.output(output);
    }
    for note in notes(name, &tool) {
        operation = operation.note(note);
    }
    match &tool.outside {
        Some(outside) if !outside.shown.is_empty() => {
            operation.instructions(format!("The server alone checks the input. {}", outside.shown))
        }
        _ => operation,
    }
}

fn notes(name: &str, tool: &Tool) -> Vec<String> {
    let mut notes = Vec::new();
    if tool.name != name {
        notes.push(format!("The server calls it {:?}.", tool.name));
    }
    if tool.hints.destructive {
        notes.push("It may destroy something, by its own account.".to_owned());
    }
    if let Some(outside) = &tool.outside {
        notes.push(format!("Its input is an object that the server checks: {}.", outside.why));
    }
    notes.push(match tool.output {
        Some(_) => "Gives what it declares, or { isError, content } where it failed.".to_owned(),
        None => "Gives { isError, content }, or the server's structuredContent.".to_owned(),
    });
    notes
}
