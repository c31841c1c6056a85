//! Generates the JavaScript bindings of the host module.
//!
//! The generator is a library pinned to the exact version of `wasm-bindgen` in
//! the one lock file, so the two can't drift apart.

use std::{fs, path::Path};

use wasm_bindgen_cli_support::Bindgen;

use super::output;
use crate::failure::Failure;

/// The file of generated bindings, which `entry.mjs` imports.
pub(crate) const GLUE: &str = "host.js";

/// The host module as the bindings use it.
pub(crate) const MODULE: &str = "host_bg.wasm";

/// Writes `host.js` and `host_bg.wasm` into `out`.
///
/// The bindings can start a fresh instance after a lost one (`reset_state`) and
/// notice that one is lost (the abort handler). They are no text of ours, so that
/// the type check is told to take their types and leave their bodies.
pub(crate) fn generate(wasm: &Path, out: &Path) -> Result<(), Failure> {
    let mut bindgen = Bindgen::new();
    bindgen
        .input_path(wasm)
        .out_name("host")
        .web(true)
        .map(|bindgen| {
            bindgen
                .typescript(false)
                .omit_default_module_path(true)
                .reset_state_function(true)
                .force_enable_abort_handler(true)
        })
        .and_then(|bindgen| bindgen.generate(out))
        .map_err(|error| Failure::step("generate the bindings", &error))?;
    output::files(out)?.iter().filter(|file| is_script(file)).try_for_each(|file| unchecked(file))
}

fn is_script(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "js")
}

fn unchecked(file: &Path) -> Result<(), Failure> {
    let text = fs::read_to_string(file).map_err(|error| Failure::file(file, &error))?;
    output::write(file, format!("// @ts-nocheck\n{text}").as_bytes())
}
