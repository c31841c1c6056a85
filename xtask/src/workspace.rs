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

    /// Where the sources are broken on purpose.
    pub(crate) fn mutants(&self) -> PathBuf {
        self.root.join("target").join("mutants")
    }

    /// Where builds of the Worker are put, each in a folder of its own.
    pub(crate) fn builds(&self) -> PathBuf {
        self.root.join("build")
    }

    /// The build that wrangler runs and deploys.
    pub(crate) fn worker_build(&self) -> PathBuf {
        self.builds().join("worker")
    }

    /// Programs that were brought because the machine lacks them.
    pub(crate) fn tools(&self) -> PathBuf {
        self.root.join(".tools")
    }

    /// The npm packages.
    pub(crate) fn node_modules(&self) -> PathBuf {
        self.root.join("node_modules")
    }

    /// A program that an npm package brings.
    pub(crate) fn node_program(&self, name: &str) -> PathBuf {
        self.node_modules().join(".bin").join(name)
    }

    /// The files that real workerd is tested and shown with.
    pub(crate) fn workerd_scripts(&self) -> PathBuf {
        self.root.join("miniflare-tests")
    }

    /// What wrangler keeps between runs.
    pub(crate) fn wrangler_state(&self) -> PathBuf {
        self.root.join(".wrangler")
    }
}
