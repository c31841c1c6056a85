//! Generates the JavaScript bindings of the host module.
//!
//! The generator is a library pinned to the exact version of `wasm-bindgen` in
//! the one lock file, so the two can't drift apart.

use std::path::Path;

use wasm_bindgen_cli_support::Bindgen;

use crate::failure::Failure;

/// The file of generated bindings, which `entry.mjs` imports.
pub(crate) const GLUE: &str = "host.js";

/// The host module as the bindings use it.
pub(crate) const MODULE: &str = "host_bg.wasm";

/// Writes `host.js` and `host_bg.wasm` into `out`.
///
/// The bindings can start a fresh instance after a lost one (`reset_state`) and
/// notice that one is lost (the abort handler).
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
        .map_err(|error| Failure::step("generate the bindings", &error))
}
