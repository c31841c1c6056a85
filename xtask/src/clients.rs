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
    let lists = workspace.workerd_scripts().join("clients");
    python(workspace, &lists.join("requirements.txt"), "python")?;
    // It brings a browser's worth of packages.
    apart(workspace, node, &lists.join("inspector"), "inspector")?;
    rust(workspace)
}

/// Brings the published servers that tests connect; without a Python only its servers are
/// left out.
pub(crate) fn bring_servers(workspace: &Workspace, node: &Node) -> Result<(), Failure> {
    let lists = workspace.workerd_scripts().join("servers");
    python(workspace, &lists.join("requirements.txt"), "servers-python")?;
    apart(workspace, node, &lists.join("node"), "servers")
}

/// What a list of Python packages names, in an environment of this name.
fn python(workspace: &Workspace, list: &Path, name: &str) -> Result<(), Failure> {
    if process::probe(Command::new("python3").args(["-c", PYTHON])).is_none() {
        note(&format!("no python3 of 3.11 or newer with venv: {name} isn't tried"));
        return Ok(());
    }
    let folder = workspace.tools().join(name);
    once(&folder, list, &format!("install what {name} needs"), || {
        process::run(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&folder))?;
        let mut pip = Command::new(folder.join("bin").join("python"));
        pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"])
            .args(["--require-hashes", "--requirement"])
            .arg(list);
        process::run(&mut pip)
    })
}

/// What the lists in a folder name, into a folder of this name: apart from the other
/// packages, for it brings many.
pub(crate) fn apart(
    workspace: &Workspace,
    node: &Node,
    lists: &Path,
    name: &str,
) -> Result<(), Failure> {
    const LOCK: &str = "package-lock.json";
    let folder = workspace.tools().join(name);
    once(&folder, &lists.join(LOCK), &format!("install what {name} needs"), || {
        for name in ["package.json", LOCK] {
            let copy = folder.join(name);
            fs::copy(lists.join(name), &copy).map_err(|error| Failure::file(&copy, &error))?;
        }
        let mut npm = node.command("npm");
        npm.args(["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]);
        process::run(npm.current_dir(&folder))
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
