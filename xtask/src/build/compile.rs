//! Runs cargo for the two WebAssembly modules.
//!
//! The host module unwinds on panic, so that a panic fails one request and not
//! the instance. The shipped std for the target aborts, hence std is built from
//! `rust-src`; `RUSTC_BOOTSTRAP` allows that on the pinned stable compiler and
//! goes no further than the commands here. The intake module keeps the shipped
//! std: its instance is thrown away when it traps.

use std::{
    env,
    path::{Path, PathBuf},
    process::Command,
};

use super::Plan;
use crate::{failure::Failure, process, toolchain, workspace::Workspace};

/// The target of both modules.
pub(crate) const TARGET: &str = "wasm32-unknown-unknown";

/// Compiles the host module and returns the path of the raw WebAssembly.
pub(crate) fn host(workspace: &Workspace, plan: &Plan) -> Result<PathBuf, Failure> {
    let mut cargo = cargo(workspace, plan, "host");
    let stem = match &plan.library {
        None => {
            cargo.args(["--package", "mycelium"]);
            "mycelium".to_owned()
        }
        Some(library) => {
            cargo.arg("--manifest-path").arg(library.manifest());
            library.stem()?
        }
    };
    unwinding(workspace, &mut cargo)?;
    if let Some(feature) = plan.extra.feature() {
        cargo.args(["--features", feature]);
    }
    process::run(&mut cargo)?;
    Ok(artifact(workspace, plan, "host", &stem))
}

/// Makes a cargo command compile as the host module is: with std, and unwinding.
///
/// Flags of the reader's own would replace these.
pub(crate) fn unwinding(workspace: &Workspace, cargo: &mut Command) -> Result<(), Failure> {
    let mut flags = vec!["-Cpanic=unwind".to_owned(), "-Cembed-bitcode=yes".to_owned()];
    flags.extend(without_this_machine(workspace)?);
    cargo
        .args(["-Z", "build-std=std,panic_unwind"])
        .env("RUSTC_BOOTSTRAP", "1")
        .env("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}"))
        .env_remove("RUSTFLAGS");
    Ok(())
}

/// Where a file was on this machine says nothing, and mustn't be in what is deployed:
/// a panic names the file within its crate.
fn without_this_machine(workspace: &Workspace) -> Result<[String; 3], Failure> {
    let home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(PathBuf::from(env::var_os("HOME")?).join(".cargo")));
    let sysroot = toolchain::sysroot(workspace)?;
    Ok([
        remap(&home.unwrap_or_default().join("registry").join("src"), "crates"),
        remap(&sysroot.join("lib").join("rustlib").join("src").join("rust"), "rust"),
        remap(workspace.root(), "mycelium"),
    ])
}

fn remap(from: &Path, to: &str) -> String {
    format!("--remap-path-prefix={}={to}", from.display())
}

/// Compiles the intake module and returns its path.
pub(crate) fn intake(workspace: &Workspace, plan: &Plan) -> Result<PathBuf, Failure> {
    let mut cargo = cargo(workspace, plan, "intake");
    cargo.args(["--package", "mycelium-intake"]);
    // Its names are of no use to anyone, and a third of it.
    cargo.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", "-Clink-arg=--strip-all");
    process::run(&mut cargo)?;
    Ok(artifact(workspace, plan, "intake", "mycelium_intake"))
}

/// One target directory per module: they differ in flags for the same crates.
fn cargo(workspace: &Workspace, plan: &Plan, folder: &str) -> Command {
    let mut cargo = Command::new(process::cargo());
    cargo
        .current_dir(workspace.root())
        .args(["build", "--locked", "--lib"])
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
