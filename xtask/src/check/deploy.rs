//! What `wrangler deploy` would send, for each environment: put together and not sent.

use std::process::Stdio;

use crate::{
    build::{self, Plan, Profile},
    failure::Failure,
    process::Running,
    progress::step,
    server,
    setup::{self, Node},
    workspace::Workspace,
};

/// The environments of `wrangler.toml`; the first is what stands before them.
const ENVIRONMENTS: [&str; 4] = ["", "dev", "staging", "production"];

/// What each must have bound. None is inherited by an environment.
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
    build::run(workspace, &Plan::worker(workspace, Profile::Release))?;
    let mut wrong = Vec::new();
    for environment in ENVIRONMENTS {
        let name = if environment.is_empty() { "no environment" } else { environment };
        let told = step(&format!("put together {name}"), || sent(workspace, node, environment))?;
        wrong.extend(faults(&told).into_iter().map(|fault| format!("{name}: {fault}")));
    }
    if wrong.is_empty() {
        Ok(format!("{} environments", ENVIRONMENTS.len()))
    } else {
        Err(Failure::verdict(wrong.join("; ")))
    }
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

/// What is wrong with that.
fn faults(told: &str) -> Vec<String> {
    let bound = |name: &str| told.lines().find(|line| is_of(line, name));
    let missing = BINDINGS.iter().filter(|name| bound(name).is_none());
    let mut faults: Vec<String> =
        missing.map(|name| format!("{name} is not bound: add it in wrangler.toml")).collect();
    if bound(DEV).is_some_and(|line| line.contains("true")) {
        faults.push(format!("{DEV} is on: it belongs into .dev.vars alone"));
    }
    faults
}

/// Whether a line of wrangler's table is about this binding: `env.NAME (…)`.
fn is_of(line: &str, name: &str) -> bool {
    line.trim_start().strip_prefix("env.").is_some_and(|rest| {
        rest.strip_prefix(name).is_some_and(|rest| rest.starts_with([' ', '\u{a0}']))
    })
}

#[cfg(test)]
mod tests {
    use super::faults;

    const GOOD: &str = "Binding                             Resource\n\
        env.CONNECTIONS (ConnectionObject)  Durable Object\n\
        env.PRINCIPALS (PrincipalObject)    Durable Object\n\
        env.FILES (mycelium-files)          R2 Bucket\n\
        env.LOADER                          Worker Loader\n\
        env.VERSION                         Worker Version Metadata\n";

    #[test]
    fn what_is_bound_everywhere_is_well() {
        assert_eq!(faults(GOOD), Vec::<String>::new());
        let off = format!("{GOOD}env.MYCELIUM_AUTH_DEV (\"false\")   Environment Variable\n");
        assert_eq!(faults(&off), Vec::<String>::new());
    }

    #[test]
    fn an_environment_that_lacks_a_binding_or_lets_anyone_in_is_named() {
        let without = GOOD.replace("env.LOADER ", "env.LOADER_2 ");
        assert_eq!(faults(&without), ["LOADER is not bound: add it in wrangler.toml"]);
        let open = format!("{GOOD}env.MYCELIUM_AUTH_DEV (\"true\")    Environment Variable\n");
        assert_eq!(faults(&open), ["MYCELIUM_AUTH_DEV is on: it belongs into .dev.vars alone"]);
        assert_eq!(faults("").len(), 5);
    }
}
