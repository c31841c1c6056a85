//! What `wrangler deploy` would send, for each environment: put together and not sent.

use std::{
    collections::BTreeSet,
    process::{Command, Stdio},
};

use crate::{
    build::{self, Plan, Profile},
    failure::Failure,
    process::{self, Running},
    progress::step,
    server,
    setup::{self, Node},
    workspace::Workspace,
};

/// The environments of `wrangler.toml`; the first is what stands before them.
const ENVIRONMENTS: [&str; 4] = ["", "dev", "staging", "production"];

/// What each must have bound, and further what the first has. None is inherited.
const BINDINGS: [&str; 5] = ["LOADER", "CONNECTIONS", "PRINCIPALS", "FILES", "VERSION"];

/// A variable that lets anyone in over loopback, which a tunnel can pretend.
const DEV: &str = "MYCELIUM_AUTH_DEV";

/// Builds the Worker and checks every environment.
pub(crate) fn run(workspace: &Workspace) -> Result<(), Failure> {
    let node = setup::run(workspace)?;
    println!("{}", check(workspace, &node)?);
    Ok(())
}

/// The same, where there is a Node already.
pub(super) fn check(workspace: &Workspace, node: &Node) -> Result<String, Failure> {
    step("read the configuration", || configuration(workspace))?;
    build::run(workspace, &Plan::worker(workspace, Profile::Release))?;
    let (mut wrong, mut first) = (Vec::new(), None);
    for environment in ENVIRONMENTS {
        let name = if environment.is_empty() { "no environment" } else { environment };
        let told = step(&format!("put together {name}"), || sent(workspace, node, environment))?;
        let bound = bound(&told);
        let expected = first.get_or_insert_with(|| bound.clone());
        let faults = faults(&told, &bound, expected);
        wrong.extend(faults.into_iter().map(|fault| format!("{name}: {fault}")));
    }
    if wrong.is_empty() {
        Ok(format!("{} environments", ENVIRONMENTS.len()))
    } else {
        Err(Failure::verdict(wrong.join("; ")))
    }
}

/// Reads `mycelium.toml` as the Worker will.
fn configuration(workspace: &Workspace) -> Result<(), Failure> {
    let mut cargo = Command::new(process::cargo());
    cargo.args(["run", "--quiet", "--locked", "--example", "configuration", "--"]);
    process::run(cargo.arg(workspace.root()).current_dir(workspace.root()))
}

/// What wrangler says that it would send.
fn sent(workspace: &Workspace, node: &Node, environment: &str) -> Result<String, Failure> {
    let mut wrangler = node.command(workspace.node_program("wrangler"));
    wrangler
        .args(["deploy", "--dry-run", &format!("--env={environment}")])
        .current_dir(workspace.root())
        .env(Profile::VARIABLE, Profile::Release.name())
        .stdout(Stdio::piped());
    server::quiet(&mut wrangler);
    let (status, told) = Running::start(&mut wrangler)?.read()?;
    if status.success() {
        return Ok(told);
    }
    eprintln!("{told}");
    Err(Failure::step(&format!("deploy {environment:?} without sending"), &status))
}

/// What is wrong with that. `expected` is what the first environment has bound.
fn faults(told: &str, bound: &BTreeSet<String>, expected: &BTreeSet<String>) -> Vec<String> {
    let needed = BINDINGS.iter().copied().chain(expected.iter().map(String::as_str));
    let missing: BTreeSet<&str> = needed.filter(|name| !bound.contains(*name)).collect();
    let mut faults: Vec<String> = missing
        .into_iter()
        .map(|name| format!("{name} is not bound: add it in wrangler.toml"))
        .collect();
    let on = |line: &str| named(line) == Some(DEV) && line.contains("true");
    if told.lines().any(on) {
        faults.push(format!("{DEV} is on: it belongs into .dev.vars alone"));
    }
    faults
}

/// The names in wrangler's table, but for variables.
fn bound(told: &str) -> BTreeSet<String> {
    let bindings = told.lines().filter(|line| !line.contains("Environment Variable"));
    bindings.filter_map(named).map(str::to_owned).collect()
}

/// The name in a line of that table: `env.NAME (…)  …`.
fn named(line: &str) -> Option<&str> {
    line.trim_start().strip_prefix("env.")?.split_whitespace().next()
}

#[cfg(test)]
mod tests {
    use super::{bound, faults};

    const GOOD: &str = "Binding                             Resource\n\
        env.CONNECTIONS (ConnectionObject)  Durable Object\n\
        env.PRINCIPALS (PrincipalObject)    Durable Object\n\
        env.FILES (mycelium-files)          R2 Bucket\n\
        env.LOADER                          Worker Loader\n\
        env.VERSION                         Worker Version Metadata\n";

    fn wrong(told: &str) -> Vec<String> {
        faults(told, &bound(told), &bound(GOOD))
    }

    #[test]
    fn what_is_bound_everywhere_is_well() {
        assert_eq!(wrong(GOOD), Vec::<String>::new());
        let off = format!("{GOOD}env.MYCELIUM_AUTH_DEV (\"false\")   Environment Variable\n");
        assert_eq!(wrong(&off), Vec::<String>::new());
    }

    #[test]
    fn an_environment_that_lacks_a_binding_or_lets_anyone_in_is_named() {
        let without = GOOD.replace("env.LOADER ", "env.LOADER_2 ");
        assert_eq!(wrong(&without), ["LOADER is not bound: add it in wrangler.toml"]);
        let open = format!("{GOOD}env.MYCELIUM_AUTH_DEV (\"true\")    Environment Variable\n");
        assert_eq!(wrong(&open), ["MYCELIUM_AUTH_DEV is on: it belongs into .dev.vars alone"]);
        assert_eq!(wrong("").len(), 5);
        let more = format!("{GOOD}env.BROWSERS (BrowserObject)   Durable Object\n");
        let lacking = faults(GOOD, &bound(GOOD), &bound(&more));
        assert_eq!(lacking, ["BROWSERS is not bound: add it in wrangler.toml"]);
    }
}
