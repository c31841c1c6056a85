//! Builds the Worker: two WebAssembly modules and the JavaScript between them and workerd.
//!
//! The output folder holds everything `src/workers/entry.mjs` imports: the host
//! module with its bindings, the intake module, and the guest runtime as text. A
//! build with nothing to do touches no file there, so that whoever watches the
//! folder isn't woken.

mod bindings;
pub(crate) mod compile;
mod configuration;
mod guard;
mod guest;
mod names;
pub(crate) mod output;
mod plan;
mod stamp;
mod tiering;
mod warm;

use std::{fs, path::Path};

use plan::Library;
pub(crate) use plan::{Plan, Profile};
use stamp::Stamp;

use crate::{digest::Digest, failure::Failure, progress::step, toolchain, workspace::Workspace};

/// Builds `plan` and returns when its folder is complete.
///
/// A release is built twice, in a way: what was compiled is run, and what that run
/// touches is prepared to be compiled well.
pub(crate) fn run(workspace: &Workspace, plan: &Plan) -> Result<(), Failure> {
    toolchain::require(workspace)?;
    if plan.profile != Profile::Release || plan.library.is_some() {
        return assemble(workspace, plan);
    }
    let plain = plan.plain();
    assemble(workspace, &plain)?;
    warm::prepare(workspace, &plain.out, &plan.out)
}

/// Compiles, and puts the output folder together.
fn assemble(workspace: &Workspace, plan: &Plan) -> Result<(), Failure> {
    fs::create_dir_all(&plan.out).map_err(|error| Failure::file(&plan.out, &error))?;
    let profile = plan.profile.name();
    let host =
        step(&format!("compile the host module ({profile})"), || compile::host(workspace, plan))?;
    bind(workspace, &host, &plan.out)?;
    let intake = step(&format!("compile the intake module ({profile})"), || {
        compile::intake(workspace, plan)
    })?;
    output::copy(&intake, &plan.out.join("intake.wasm"))?;
    guest::bundle(workspace, &plan.out.join("guest.json"))?;
    let configured = plan.library.as_ref().map_or(workspace.root(), |library| &library.folder);
    configuration::bundle(configured, &plan.out.join("configuration.json"))?;
    plan.library.as_ref().map_or(Ok(()), |library| script(workspace, library))
}

/// Lays the host's own JavaScript beside the output, for an `entry.mjs` elsewhere.
fn script(workspace: &Workspace, library: &Library) -> Result<(), Failure> {
    let (from, to) = (workspace.root(), library.build());
    let workers = Path::new("src").join("workers");
    fs::create_dir_all(to.join(&workers)).map_err(|error| Failure::file(&to, &error))?;
    for file in ["entry.mjs", "warming.mjs"].map(|name| workers.join(name)) {
        output::copy(&from.join(&file), &to.join(&file))?;
    }
    Ok(())
}

/// Generates and patches the bindings, unless those in `out` come from this very module.
fn bind(workspace: &Workspace, host: &Path, out: &Path) -> Result<(), Failure> {
    let stamp = Stamp {
        path: out.with_extension("stamp"),
        recipe: recipe(host)?,
        files: [bindings::GLUE, bindings::MODULE].map(|file| out.join(file)).to_vec(),
    };
    if stamp.holds() {
        return Ok(());
    }
    step("generate the bindings", || {
        let fresh = workspace.wasm_target_dir("bindings").join(out.file_name().unwrap_or_default());
        output::empty(&fresh)?;
        bindings::generate(host, &fresh)?;
        guard::patch(&fresh.join(bindings::GLUE))?;
        output::copy_folder(&fresh, out)?;
        stamp.keep()
    })
}

/// Everything that decides what the bindings are: the module, and how they are made.
fn recipe(host: &Path) -> Result<Digest, Failure> {
    Ok(Digest::of_file(host)?
        .and(include_str!("bindings.rs"))
        .and(include_str!("guard.rs"))
        .and(include_str!("../../../Cargo.lock")))
}
