//! The npm packages of the lock file, installed once per lock file.

use std::{fs, os::unix::fs::symlink, path::Path};

use super::Node;
use crate::{digest::Digest, failure::Failure, process, progress::step, workspace::Workspace};

/// Names the lock file that the packages were installed from. It goes with them.
const STAMP: &str = ".mycelium-lock";

/// Installs what the lock file names, unless that was done.
pub(crate) fn install(workspace: &Workspace, node: &Node) -> Result<(), Failure> {
    let folder = workspace.node_modules();
    let wanted = Digest::of_file(&workspace.root().join("package-lock.json"))?.to_string();
    let stamp = folder.join(STAMP);
    if fs::read_to_string(&stamp).is_ok_and(|found| found == wanted) {
        return Ok(());
    }
    step("install the npm packages", || {
        let mut npm = node.command("npm");
        npm.args(["ci", "--no-audit", "--no-fund", "--loglevel=error"]);
        process::run(npm.current_dir(workspace.root()))?;
        offer(node, &folder)?;
        verify(workspace, node)?;
        fs::write(&stamp, wanted).map_err(|error| Failure::file(&stamp, &error))
    })
}

/// Lets `npx` find the Node that was brought: it looks among the packages' programs first.
fn offer(node: &Node, packages: &Path) -> Result<(), Failure> {
    let Some(executable) = node.brought() else { return Ok(()) };
    let link = packages.join(".bin").join("node");
    symlink(executable, &link).map_err(|error| Failure::file(&link, &error))
}

/// Packages that carry executables can be installed and still not run.
fn verify(workspace: &Workspace, node: &Node) -> Result<(), Failure> {
    for program in ["workerd", "wrangler"] {
        let mut command = node.command(workspace.node_program(program));
        if process::probe(command.arg("--version")).is_none() {
            return Err(Failure::missing(
                &format!("a {program} that starts"),
                "delete node_modules, see that npm installs optional packages for this \
                 platform (`npm config get omit` is empty), and run `cargo xtask setup`",
            ));
        }
    }
    Ok(())
}
