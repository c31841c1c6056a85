//! Brings the real clients and servers that the tests drive and that aren't npm packages of
//! this checkout: each is pinned with all that it needs, and what is here already is left alone.

use std::{fs, path::Path, process::Command};

use crate::{
    digest::Digest,
    failure::Failure,
    process,
    progress::{note, step},
    setup::Node,
    workspace::Workspace,
};

/// Names the list that a folder was filled from. It goes with the folder.
const STAMP: &str = ".mycelium-lock";

/// The oldest Python that the pinned packages are for.
const PYTHON: &str = "import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))";

/// Brings all clients; without a Python only its clients are left out.
pub(crate) fn bring(workspace: &Workspace, node: &Node) -> Result<(), Failure> {
    let (lists, tools) = (workspace.workerd_scripts().join("clients"), workspace.tools());
    python(&tools.join("python"), &lists.join("requirements.txt"), "the Python clients")?;
    packages(node, &tools.join("inspector"), &lists.join("inspector"), "the MCP Inspector")?;
    rust(workspace)
}

/// Brings the published servers that are connected in tests; without a Python only its servers
/// are left out.
pub(crate) fn bring_servers(workspace: &Workspace, node: &Node) -> Result<(), Failure> {
    let (lists, tools) = (workspace.workerd_scripts().join("servers"), workspace.tools());
    let list = lists.join("requirements.txt");
    python(&tools.join("servers-python"), &list, "the Python servers")?;
    packages(node, &tools.join("servers"), &lists.join("node"), "the published servers")
}

/// Python packages, in an environment of their own.
fn python(folder: &Path, list: &Path, what: &str) -> Result<(), Failure> {
    if process::probe(Command::new("python3").args(["-c", PYTHON])).is_none() {
        note(&format!("no python3 of 3.11 or newer with venv: {what} aren't tried"));
        return Ok(());
    }
    once(folder, list, &format!("install {what}"), || {
        process::run(Command::new("python3").args(["-m", "venv", "--clear"]).arg(folder))?;
        let mut pip = Command::new(folder.join("bin").join("python"));
        pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"])
            .args(["--require-hashes", "--requirement"])
            .arg(list);
        process::run(&mut pip)
    })
}

/// npm packages apart from those of the checkout, for they bring many others.
fn packages(node: &Node, folder: &Path, lists: &Path, what: &str) -> Result<(), Failure> {
    const LOCK: &str = "package-lock.json";
    once(folder, &lists.join(LOCK), &format!("install {what}"), || {
        for name in ["package.json", LOCK] {
            let copy = folder.join(name);
            fs::copy(lists.join(name), &copy).map_err(|error| Failure::file(&copy, &error))?;
        }
        let mut npm = node.command("npm");
        npm.args(["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]);
        process::run(npm.current_dir(folder))
    })
}

/// The official Rust SDK's client, which cargo itself compiles once.
fn rust(workspace: &Workspace) -> Result<(), Failure> {
    let mut cargo = Command::new(process::cargo());
    cargo
        .args(["build", "--locked", "--manifest-path", "tests/clients/Cargo.toml"])
        .args(["--target-dir", "target/clients"])
        .current_dir(workspace.root());
    step("compile the Rust client", || process::run(&mut cargo))
}

/// Fills `folder` from `list`, unless that was done.
fn once(
    folder: &Path,
    list: &Path,
    name: &str,
    fill: impl FnOnce() -> Result<(), Failure>,
) -> Result<(), Failure> {
    let wanted = Digest::of_file(list)?.to_string();
    let stamp = folder.join(STAMP);
    if fs::read_to_string(&stamp).is_ok_and(|found| found == wanted) {
        return Ok(());
    }
    fs::create_dir_all(folder).map_err(|error| Failure::file(folder, &error))?;
    step(name, fill)?;
    fs::write(&stamp, wanted).map_err(|error| Failure::file(&stamp, &error))
}
