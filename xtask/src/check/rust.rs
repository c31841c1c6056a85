//! Form, lints and documentation of the Rust code.

use std::process::Command;

use super::MANIFESTS;
use crate::{
    build::compile::{TARGET, unwinding},
    failure::Failure,
    process,
    workspace::Workspace,
};

/// Formatting, also of the packages that are workspaces by themselves.
pub(super) fn format(workspace: &Workspace) -> Result<String, Failure> {
    for manifest in MANIFESTS {
        let mut cargo = cargo(workspace, "fmt");
        cargo.args(["--all", "--check", "--manifest-path", manifest]);
        process::run(&mut cargo).map_err(|_| {
            let remedy = format!("`cargo fmt --all --manifest-path {manifest}` does it");
            Failure::verdict(format!("not formatted, see above: {remedy}"))
        })?;
    }
    Ok(String::new())
}

/// `mycelium.toml` and the tables, as the Worker will read them.
pub(super) fn configuration(workspace: &Workspace) -> Result<String, Failure> {
    let mut cargo = cargo(workspace, "test");
    cargo.args(["--quiet", "--locked", "--test", "laws", "config::shipped"]);
    process::run(&mut cargo)?;
    Ok(String::new())
}

/// Clippy over everything that runs natively: libraries, tests, this program.
pub(super) fn lints(workspace: &Workspace) -> Result<String, Failure> {
    let mut cargo = cargo(workspace, "clippy");
    cargo.args(["--locked", "--workspace", "--all-targets", "--", "-D", "warnings"]);
    process::run(&mut cargo)?;
    Ok(String::new())
}

/// Clippy over both modules as they are built for the Worker.
pub(super) fn wasm_lints(workspace: &Workspace) -> Result<String, Failure> {
    let mut host = wasm_clippy(workspace, "mycelium", "host");
    unwinding(workspace, &mut host)?;
    host.args(["--features", "faults,bench", "--", "-D", "warnings"]);
    process::run(&mut host)?;
    let mut intake = wasm_clippy(workspace, "mycelium-intake", "intake");
    process::run(intake.args(["--", "-D", "warnings"]))?;
    Ok(String::new())
}

fn wasm_clippy(workspace: &Workspace, package: &str, folder: &str) -> Command {
    let mut cargo = cargo(workspace, "clippy");
    cargo
        .args(["--locked", "--lib", "--package", package, "--target", TARGET])
        .arg("--target-dir")
        .arg(workspace.wasm_target_dir(folder));
    cargo
}

/// Documentation without a broken link.
pub(super) fn docs(workspace: &Workspace) -> Result<String, Failure> {
    let mut cargo = cargo(workspace, "doc");
    cargo
        .args(["--locked", "--workspace", "--no-deps", "--document-private-items"])
        .env("RUSTDOCFLAGS", "-D warnings");
    process::run(&mut cargo)?;
    Ok(String::new())
}

fn cargo(workspace: &Workspace, command: &str) -> Command {
    let mut cargo = Command::new(process::cargo());
    cargo.arg(command).current_dir(workspace.root());
    cargo
}
