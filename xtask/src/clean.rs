//! Forgets everything that was built or brought into the checkout.

use std::{fs, io::ErrorKind};

use crate::{failure::Failure, progress::note, workspace::Workspace};

/// Deletes it.
pub(crate) fn run(workspace: &Workspace) -> Result<(), Failure> {
    let folders = [
        workspace.builds(),
        workspace.node_modules(),
        workspace.tools(),
        workspace.wrangler_state(),
        workspace.root().join("target"),
    ];
    for folder in folders {
        match fs::remove_dir_all(&folder) {
            Ok(()) => note(&format!("deleted {}", folder.display())),
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(Failure::file(&folder, &error)),
        }
    }
    Ok(())
}
