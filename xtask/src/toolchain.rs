//! The parts of the Rust toolchain that the project needs, and whether they are here.
//!
//! Owns the list; [`crate::setup`] brings what is missing, the build refuses without it.

use std::{path::PathBuf, process::Command};

use crate::{failure::Failure, process, workspace::Workspace};

/// A part of the toolchain that rustup brings.
#[derive(Debug)]
pub(crate) struct Part {
    /// What it is called.
    pub(crate) name: &'static str,
    /// Where it lies under the toolchain's folder.
    file: &'static str,
    /// What rustup is told.
    pub(crate) rustup: [&'static str; 3],
}

impl Part {
    /// The command that brings it, as a person types it.
    pub(crate) fn remedy(&self) -> String {
        format!("rustup {}", self.rustup.join(" "))
    }
}

/// What the build needs.
const BUILD: [Part; 2] = [
    Part {
        name: "the Rust target wasm32-unknown-unknown",
        file: "lib/rustlib/wasm32-unknown-unknown/lib",
        rustup: ["target", "add", "wasm32-unknown-unknown"],
    },
    Part {
        name: "the source of Rust's standard library",
        file: "lib/rustlib/src/rust/library/std/Cargo.toml",
        rustup: ["component", "add", "rust-src"],
    },
];

/// What the checks need besides.
const CHECK: [Part; 2] = [
    Part { name: "clippy", file: "bin/cargo-clippy", rustup: ["component", "add", "clippy"] },
    Part { name: "rustfmt", file: "bin/rustfmt", rustup: ["component", "add", "rustfmt"] },
];

/// The parts that aren't here.
pub(crate) fn missing(workspace: &Workspace) -> Result<Vec<&'static Part>, Failure> {
    let folder = sysroot(workspace)?;
    Ok(BUILD.iter().chain(&CHECK).filter(|part| !folder.join(part.file).exists()).collect())
}

/// Fails with the command to run when the build can't succeed.
pub(crate) fn require(workspace: &Workspace) -> Result<(), Failure> {
    let folder = sysroot(workspace)?;
    match BUILD.iter().find(|part| !folder.join(part.file).exists()) {
        None => Ok(()),
        Some(part) => {
            let remedy = format!("run `{}`, or `cargo xtask setup`", part.remedy());
            Err(Failure::missing(part.name, &remedy))
        }
    }
}

/// The target that this machine's own programs are compiled for.
pub(crate) fn host(workspace: &Workspace) -> Result<String, Failure> {
    let mut rustc = Command::new("rustc");
    rustc.arg("-vV").current_dir(workspace.root());
    let told = process::probe(&mut rustc).unwrap_or_default();
    let line = told.lines().find_map(|line| line.strip_prefix("host: "));
    line.map(str::to_owned)
        .ok_or_else(|| Failure::missing("rustc", "install Rust with rustup, https://rustup.rs"))
}

/// The folder of the toolchain that this checkout uses.
pub(crate) fn sysroot(workspace: &Workspace) -> Result<PathBuf, Failure> {
    let mut rustc = Command::new("rustc");
    rustc.args(["--print", "sysroot"]).current_dir(workspace.root());
    process::probe(&mut rustc)
        .map(PathBuf::from)
        .ok_or_else(|| Failure::missing("rustc", "install Rust with rustup, https://rustup.rs"))
}
