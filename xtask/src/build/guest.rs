//! Bundles the guest runtime into the text that each isolate is loaded with.
//!
//! Every isolate compiles it anew, so its size is paid for at every run: it is one
//! minified module, and there is a smaller one for programs that print nothing.

use std::{
    fs,
    path::{Path, PathBuf},
};

use serde_json::json;

use super::output;
use crate::{failure::Failure, process, setup::Node, workspace::Workspace};

/// The module with everything behind `console`.
const FULL: &str = "console.js";
/// What stands in its place for a program whose text doesn't say `console`.
const PLAIN: &str = "console-plain.js";

/// Writes both bundles, as `{"console": text, "plain": text}`, to `out`.
pub(crate) fn bundle(workspace: &Workspace, out: &Path) -> Result<(), Failure> {
    let bundles = json!({
        "console": variant(workspace, "console", FULL)?,
        "plain": variant(workspace, "plain", PLAIN)?,
    });
    output::write(out, bundles.to_string().as_bytes())
}

/// The runtime with `console` as its console, as one module.
fn variant(workspace: &Workspace, name: &str, console: &str) -> Result<String, Failure> {
    let sources = workspace.root().join("guest-runtime");
    let staged = workspace.wasm_target_dir("guest").join(name);
    output::empty(&staged)?;
    for source in modules(&sources)? {
        output::copy(&source, &staged.join(source.file_name().unwrap_or_default()))?;
    }
    output::copy(&sources.join(console), &staged.join(FULL))?;
    let bundled = staged.join("bundle.mjs");
    let mut script = Node::ready(workspace)?.script(sources.join("bundle.mjs"));
    process::run(script.arg(staged.join("harness.js")).arg(&bundled))?;
    fs::read_to_string(&bundled).map_err(|error| Failure::file(&bundled, &error))
}

fn modules(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let entries = fs::read_dir(folder).map_err(|error| Failure::file(folder, &error))?;
    let paths = entries.map(|entry| entry.map(|entry| entry.path()));
    let paths = paths.collect::<Result<Vec<_>, _>>();
    let mut paths = paths.map_err(|error| Failure::file(folder, &error))?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "js"));
    Ok(paths)
}
