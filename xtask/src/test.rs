//! placeholder
use crate::{failure::Failure, workspace::Workspace};
pub(crate) fn run(_: &Workspace) -> Result<(), Failure> {
    Ok(())
}
