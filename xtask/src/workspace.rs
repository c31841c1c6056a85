//! Where things are.

use std::path::{Path, PathBuf};

/// The checkout this program was built from.
#[derive(Clone, Debug)]
pub(crate) struct Workspace {
    root: PathBuf,
}

impl Workspace {
    /// The checkout that holds this program's own manifest.
    pub(crate) fn current() -> Self {
        let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
        Self { root: manifest.parent().unwrap_or(manifest).to_path_buf() }
    }

    /// The top of the checkout.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// The target directory of one WebAssembly module.
    pub(crate) fn wasm_target_dir(&self, module: &str) -> PathBuf {
        self.root.join("target").join("wasm").join(module)
    }
}
