//! What there is to measure, measured on the release build and printed.

use crate::{
    build::{self, Plan, Profile},
    failure::Failure,
    measure,
    progress::note,
    setup,
    workspace::Workspace,
};

/// How many starts are measured.
const STARTS: u32 = 21;

/// Measures and prints.
pub(crate) fn run(workspace: &Workspace) -> Result<(), Failure> {
    let node = setup::run(workspace)?;
    build::run(workspace, &Plan::worker(workspace, Profile::Release))?;
    build::run(workspace, &Plan::measured(workspace))?;
    note("measure");
    let sizes = measure::sizes(workspace, &node)?;
    println!("host module    {}", sizes.host);
    println!("intake module  {}", sizes.intake);
    println!("start          {}", measure::start(workspace, &node, STARTS)?);
    measure::executes(workspace, &node)
}
