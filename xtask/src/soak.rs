//! Long loads: a mixed one with restarts in one ledger, many executions in one Worker, and many
//! on each of eight connections.

use std::env;

use crate::{
    build::{self, Plan, Profile},
    failure::Failure,
    process::Running,
    progress::note,
    setup::{self, Node},
    workspace::Workspace,
};

/// How many executions there are in one Worker, unless a number is given.
const RUNS: &str = "10000";

/// How many calls each of eight connections makes.
const CALLS: &str = "1000";

/// How many minutes the mixed load takes, unless `MINUTES` says.
const MINUTES: &str = "30";

/// Runs all of them: `[N]` executions, the connections, and the mixed load of `MINUTES`, whose
/// choices `SEED` makes again.
pub(crate) fn run(workspace: &Workspace, arguments: &[String]) -> Result<(), Failure> {
    let runs = arguments.first().map_or(RUNS, String::as_str);
    if runs.parse::<u32>().is_err() {
        return Err(Failure::usage(format!("`{runs}` is no number of executions")));
    }
    let minutes = env::var("MINUTES").unwrap_or_else(|_| MINUTES.to_owned());
    if !minutes.parse::<f64>().is_ok_and(|minutes| minutes > 0.0 && minutes.is_finite()) {
        return Err(Failure::usage(format!(
            "MINUTES is `{minutes}`, which is no number of minutes"
        )));
    }
    let node = setup::run(workspace)?;
    build::run(workspace, &Plan::tested(workspace, true))?;
    executions(workspace, &node, runs)?;
    connections(workspace, &node)?;
    build::run(workspace, &Plan::worker(workspace, Profile::Release))?;
    mixed(workspace, &node, &minutes)
}

/// Many executions in one Worker, to see what its memory does.
fn executions(workspace: &Workspace, node: &Node, runs: &str) -> Result<(), Failure> {
    let mut soak = node.script(workspace.workerd_scripts().join("soak").join("soak.mjs"));
    soak.arg(runs).current_dir(workspace.root());
    let status = Running::start(&mut soak)?.wait()?;
    if status.success() {
        return Ok(());
    }
    Err(Failure::verdict("the soak found what it says above"))
}

/// A thousand calls on each of eight connections at once.
fn connections(workspace: &Workspace, node: &Node) -> Result<(), Failure> {
    let mut load = node.script(workspace.workerd_scripts().join("load.test.mjs"));
    load.env("LOAD_CALLS", CALLS).env("LOAD_BUILD", "faults").current_dir(workspace.root());
    let status = Running::start(&mut load)?.wait()?;
    if status.success() { Ok(()) } else { Err(Failure::verdict("calls were lost or doubled")) }
}

/// Asks of every kind at once, with restarts, on the build that is deployed.
fn mixed(workspace: &Workspace, node: &Node, minutes: &str) -> Result<(), Failure> {
    note(&format!("soak the release for {minutes} minutes"));
    let mut mixed = node.script(workspace.workerd_scripts().join("soak").join("mixed.mjs"));
    mixed.arg(minutes).args(env::var("SEED")).current_dir(workspace.root());
    let status = Running::start(&mut mixed)?.wait()?;
    if status.success() {
        return Ok(());
    }
    Err(Failure::verdict("the ledger doesn't add up: see its problems above"))
}
