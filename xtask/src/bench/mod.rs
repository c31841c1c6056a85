//! What there is to measure, measured on the release build and printed.

mod goals;
pub(crate) mod mcp;

use std::process::Command;

use crate::{
    build::{self, Plan, Profile},
    failure::Failure,
    measure, process,
    progress::note,
    setup,
    workspace::Workspace,
};

/// How many starts are measured.
const STARTS: u32 = 21;

/// The build in `build/` that can be asked for the runtime's own work.
const ASKED: &str = "bench-runtime";

/// Measures and prints; what is over its goal fails in the end.
pub(crate) fn run(workspace: &Workspace) -> Result<(), Failure> {
    let node = setup::run(workspace)?;
    build::run(workspace, &Plan::worker(workspace, Profile::Release))?;
    note("measure the Worker");
    let sizes = measure::sizes(workspace, &node)?;
    println!("host module    {}", sizes.host);
    println!("intake module  {}", sizes.intake);
    println!("start          {}", measure::start(workspace, &node, STARTS)?);
    build::run(workspace, &Plan::measured(workspace))?;
    measure::executes(workspace, &node)?;
    note("measure MCP beside agents' handler");
    let rates = mcp::rates(workspace, &node)?;
    println!("\n{}", mcp::table(&rates));
    note("measure the runtime natively");
    println!("\nnatively");
    let runtime = native(workspace, "runtime");
    println!();
    let discovery = native(workspace, "forage");
    println!("\n@cloudflare/codemode searches the same, in Node");
    println!("{}", measure::rival_search(workspace, &node)?);
    note("measure the runtime in an isolate");
    build::run(workspace, &Plan::asked(workspace, Profile::Release, ASKED))?;
    let work = measure::runtime(workspace, &node, ASKED)?;
    println!("\nin an isolate, processor time of its thread");
    println!("{}", goals::table(&work));
    runtime.and(discovery).and(goals::verdict(&work)).and(mcp::verdict(&rates))
}

/// Runs a bench of the library, which fails where it is over its own goals.
fn native(workspace: &Workspace, bench: &str) -> Result<(), Failure> {
    let mut cargo = Command::new(process::cargo());
    cargo.args(["bench", "--locked", "--bench", bench]).current_dir(workspace.root());
    process::shown(&mut cargo)
}
