//! Many executions in one Worker, to see what its memory does.

use crate::{
    build::{self, Plan},
    failure::Failure,
    process::Running,
    setup,
    workspace::Workspace,
};

/// How many executions there are, unless a number is given.
const RUNS: &str = "10000";

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
    if status.success() {
        return Ok(());
    }
    Err(Failure::verdict("the soak found what it says above"))
}
