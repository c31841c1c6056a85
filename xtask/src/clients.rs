//! Brings the real clients that the tests drive and that aren't JavaScript packages of
//! this checkout: without them their tests are skipped, but not where `CI` is set.

use std::{fs, process::Command};

use crate::{failure::Failure, process, setup, workspace::Workspace};

/// What the Python clients are.
const PYTHON: [&str; 2] = ["mcp==2.3.0", "fastmcp==4.2.3"];

/// The Inspector: by itself, for it brings a browser's worth of packages.
const INSPECTOR: &str = "@modelcontextprotocol/inspector@2.12.0";

/// Installs all of them under `.tools` and `target`.
pub(crate) fn run(workspace: &Workspace) -> Result<(), Failure> {
    let node = setup::run(workspace)?;
    let tools = workspace.root().join(".tools");
    let python = tools.join("python");
    process::run(Command::new("python3").args(["-m", "venv"]).arg(&python))?;
    let mut pip = Command::new(python.join("bin").join("pip"));
    process::run(pip.args(["install", "--quiet"]).args(PYTHON))?;
    let inspector = tools.join("inspector");
    fs::create_dir_all(&inspector).map_err(|error| Failure::file(&inspector, &error))?;
    let manifest = inspector.join("package.json");
    fs::write(&manifest, "{\"private\":true}\n")
        .map_err(|error| Failure::file(&manifest, &error))?;
    let mut npm = node.command("npm");
    process::run(
        npm.args(["install", "--no-audit", "--no-fund", INSPECTOR]).current_dir(inspector),
    )?;
    let mut cargo = Command::new(process::cargo());
    cargo
        .args(["build", "--locked", "--manifest-path", "tests/clients/Cargo.toml"])
        .args(["--target-dir", "target/clients"])
        .current_dir(workspace.root());
    process::run(&mut cargo)
}
