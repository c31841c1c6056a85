//! Runs cargo for the two WebAssembly modules.
//!
//! The host module unwinds on panic, so that a panic fails one request and not
//! the instance. The shipped std for the target aborts, hence std is built from
//! `rust-src`; `RUSTC_BOOTSTRAP` allows that on the pinned stable compiler and
//! goes no further than the commands here. The intake module keeps the shipped
//! std: its instance is thrown away when it traps.

use std::{path::PathBuf, process::Command};

use super::Plan;
use crate::{failure::Failure, process, workspace::Workspace};

/// The target of both modules.
pub(crate) const TARGET: &str = "wasm32-unknown-unknown";

/// Compiles the host module and returns the path of the raw WebAssembly.
pub(crate) fn host(workspace: &Workspace, plan: &Plan) -> Result<PathBuf, Failure> {
    let mut cargo = cargo(workspace, plan, "mycelium", "host");
    unwinding(&mut cargo);
    if plan.faults {
        cargo.args(["--features", "faults"]);
    }
    process::run(&mut cargo)?;
    Ok(artifact(workspace, plan, "host", "mycelium"))
}

/// Makes a cargo command compile as the host module is: with std, and unwinding.
///
/// Flags of the reader's own would replace these.
pub(crate) fn unwinding(cargo: &mut Command) {
    cargo
        .args(["-Z", "build-std=std,panic_unwind"])
        .env("RUSTC_BOOTSTRAP", "1")
        .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", "-Cpanic=unwind -Cembed-bitcode=yes")
        .env_remove("RUSTFLAGS")
        .env_remove("CARGO_ENCODED_RUSTFLAGS");
}

/// Compiles the intake module and returns its path.
pub(crate) fn intake(workspace: &Workspace, plan: &Plan) -> Result<PathBuf, Failure> {
    let mut cargo = cargo(workspace, plan, "mycelium-intake", "intake");
    // Its names are of no use to anyone, and a third of it.
    cargo.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", "-Clink-arg=--strip-all");
    process::run(&mut cargo)?;
    Ok(artifact(workspace, plan, "intake", "mycelium_intake"))
}

/// One target directory per module: they differ in flags for the same crates.
fn cargo(workspace: &Workspace, plan: &Plan, package: &str, folder: &str) -> Command {
    let mut cargo = Command::new(process::cargo());
    cargo
        .current_dir(workspace.root())
        .args(["build", "--locked", "--lib", "--package", package])
        .args(["--target", TARGET, "--profile", plan.profile.name()])
        .arg("--target-dir")
        .arg(workspace.wasm_target_dir(folder));
    cargo
}

fn artifact(workspace: &Workspace, plan: &Plan, folder: &str, stem: &str) -> PathBuf {
    workspace
        .wasm_target_dir(folder)
        .join(TARGET)
        .join(plan.profile.name())
        .join(format!("{stem}.wasm"))
}
