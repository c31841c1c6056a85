//! Prepares a release for warming: runs it to see what its work touches.

use std::{collections::BTreeSet, fs, path::Path, process::Stdio};

use serde_json::Value;

use super::{bindings, output, stamp::Stamp, tiering};
use crate::{
    digest::Digest,
    failure::Failure,
    process::Running,
    progress::{note, step},
    setup::Node,
    workspace::Workspace,
};

/// The modules, and what the list of touched functions calls them.
const MODULES: [(&str, &str); 2] = [("host", bindings::MODULE), ("intake", "intake.wasm")];

/// Puts the build in `plain` into `out`, with modules that can be warmed.
pub(super) fn prepare(workspace: &Workspace, plain: &Path, out: &Path) -> Result<(), Failure> {
    let stamp = Stamp {
        path: out.with_extension("warm"),
        recipe: recipe(workspace, plain)?,
        files: MODULES.map(|(_, file)| out.join(file)).to_vec(),
    };
    for file in output::files(plain)? {
        let name = file.strip_prefix(plain).unwrap_or(&file);
        if !MODULES.iter().any(|(_, module)| name == Path::new(module)) {
            let to = out.join(name);
            let folder = to.parent().unwrap_or(out);
            fs::create_dir_all(folder).map_err(|error| Failure::file(folder, &error))?;
            output::copy(&file, &to)?;
        }
    }
    if stamp.holds() {
        return Ok(());
    }
    step("prepare what a run touches", || {
        let touched = touched(workspace, plain)?;
        for (module, file) in MODULES {
            let indexes = indexes(&touched, module)?;
            let prepared = tiering::prepare(&plain.join(file), &indexes, &out.join(file))?;
            note(&format!("{prepared} functions of the {module} module"));
        }
        stamp.keep()
    })
}

/// What an agent's ordinary work touches, as `benches/touched.mjs` tells it.
fn touched(workspace: &Workspace, plain: &Path) -> Result<Value, Failure> {
    let node = Node::ready(workspace)?;
    let mut script = node.script(workspace.root().join("benches").join("touched.mjs"));
    script.arg(plain.file_name().unwrap_or_default());
    script.current_dir(workspace.root()).stdout(Stdio::piped());
    let (status, text) = Running::start(&mut script)?.read()?;
    if !status.success() {
        return Err(Failure::step("see what a run touches", &status));
    }
    serde_json::from_str(&text).map_err(|error| Failure::step("read what a run touches", &error))
}

fn indexes(touched: &Value, module: &str) -> Result<BTreeSet<usize>, Failure> {
    let listed = touched.get(module).and_then(Value::as_array);
    let numbers = listed.map(|listed| {
        listed.iter().filter_map(|index| usize::try_from(index.as_u64()?).ok()).collect()
    });
    numbers.ok_or_else(|| Failure::step("read what a run touches", touched))
}

/// Everything that decides what the prepared modules are.
fn recipe(workspace: &Workspace, plain: &Path) -> Result<Digest, Failure> {
    let programs = workspace.root().join("benches").join("touched.mjs");
    let mut recipe = Digest::of_file(&programs)?.and(include_str!("tiering.rs"));
    for (_, file) in MODULES {
        recipe = recipe.and(&Digest::of_file(&plain.join(file))?.to_string());
    }
    Ok(recipe)
}
