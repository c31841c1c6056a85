//! The protocol's official conformance suite, against the build with the fixture's tools.

use crate::{
    build::{self, Plan},
    failure::Failure,
    process, setup,
    workspace::Workspace,
};

/// Builds that build and runs the suite; it ends with what passed and failed of each set.
pub(crate) fn run(workspace: &Workspace) -> Result<(), Failure> {
    let node = setup::run(workspace)?;
    build::run(workspace, &Plan::tested(workspace, true))?;
    let mut suite = node.script("miniflare-tests/conformance/run.mjs");
    suite.current_dir(workspace.root());
    process::run(&mut suite)
}
