//! Builds the Worker: two WebAssembly modules and the JavaScript between them and workerd.
//!
//! The output folder holds everything `src/workers/entry.mjs` imports: the host
//! module with its bindings, the intake module, and the guest runtime as text.

mod bindings;
mod compile;
mod guard;
mod guest;

use std::{fs, path::PathBuf};

use crate::{failure::Failure, workspace::Workspace};

/// How the Worker is compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Profile {
    /// Quick to rebuild: for tests and `make dev`.
    WorkerTest,
    /// As it is deployed.
    Release,
}

impl Profile {
    /// Reads a profile by its name in `Cargo.toml`.
    pub(crate) fn parse(name: &str) -> Result<Self, Failure> {
        match name {
            "worker-test" => Ok(Self::WorkerTest),
            "release" => Ok(Self::Release),
            other => {
                Err(Failure::usage(format!("no profile `{other}`: use `worker-test` or `release`")))
            }
        }
    }

    /// The profile's name in `Cargo.toml`, which is also its folder under the target directory.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::WorkerTest => "worker-test",
            Self::Release => "release",
        }
    }
}

/// What to build and where to put it.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// How to compile.
    pub(crate) profile: Profile,
    /// Whether fault injection is compiled in.
    pub(crate) faults: bool,
    /// The folder that `entry.mjs` will find the output in.
    pub(crate) out: PathBuf,
}

/// Builds `plan` and returns when its folder is complete.
pub(crate) fn run(workspace: &Workspace, plan: &Plan) -> Result<(), Failure> {
    fs::create_dir_all(&plan.out).map_err(|error| Failure::file(&plan.out, &error))?;
    let host = compile::host(workspace, plan)?;
    bindings::generate(&host, &plan.out)?;
    guard::patch(&plan.out.join(bindings::GLUE))?;
    let intake = compile::intake(workspace, plan)?;
    let target = plan.out.join("intake.wasm");
    fs::copy(&intake, &target).map_err(|error| Failure::file(&intake, &error))?;
    guest::bundle(&workspace.root().join("guest-runtime"), &plan.out.join("guest.json"))
}
