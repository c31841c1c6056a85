//! Many executions in one Worker, to see what its memory does, and many on each of eight
//! connections, to see that none is lost.

use crate::{
    build::{self, Plan},
    failure::Failure,
    process::Running,
    setup::{self, Node},
    workspace::Workspace,
};

/// How many executions there are, unless a number is given.
const RUNS: &str = "10000";

/// How many calls each of eight connections makes.
const CALLS: &str = "1000";

/// Builds the Worker with the operations that count, and runs `[N]` executions in it.
pub(crate) fn run(workspace: &Workspace, arguments: &[String]) -> Result<(), Failure> {
    let runs = arguments.first().map_or(RUNS, String::as_str);
    if runs.parse::<u32>().is_err() {
        return Err(Failure::usage(format!("`{runs}` is no number of executions")));
    }
    let node = setup::run(workspace)?;
    build::run(workspace, &Plan::tested(workspace, true))?;
    let mut soak = node.script(workspace.workerd_scripts().join("soak").join("soak.mjs"));
    soak.arg(runs).current_dir(workspace.root());
    let status = Running::start(&mut soak)?.wait()?;
    if !status.success() {
        return Err(Failure::verdict("the soak found what it says above"));
    }
    load(workspace, &node)
}

/// A thousand calls on each of eight connections at once.
fn load(workspace: &Workspace, node: &Node) -> Result<(), Failure> {
    let mut load = node.script(workspace.workerd_scripts().join("load.test.mjs"));
    load.env("LOAD_CALLS", CALLS).env("LOAD_BUILD", "faults").current_dir(workspace.root());
    let status = Running::start(&mut load)?.wait()?;
    if status.success() { Ok(()) } else { Err(Failure::verdict("calls were lost or doubled")) }
}
