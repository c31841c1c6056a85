//! A copy of the checkout that may be broken.

use std::{fs, path::PathBuf};

use crate::{build::output, failure::Failure, workspace::Workspace};

/// What native tests are made of.
const FILES: [&str; 4] = ["ARCHITECTURE.md", "Cargo.toml", "Cargo.lock", "rust-toolchain.toml"];
const FOLDERS: [&str; 8] =
    ["src", "tests", "benches", "docs", "examples", "guest-runtime", "intake", "xtask"];

/// The copy.
#[derive(Debug)]
pub(super) struct Tree {
    root: PathBuf,
    target: PathBuf,
}

impl Tree {
    /// A copy of the checkout as it is now. Files that haven't changed aren't touched, so
    /// that they aren't compiled again.
    pub(super) fn of(workspace: &Workspace) -> Result<Self, Failure> {
        let home = workspace.mutants();
        let tree = Self { root: home.join("tree"), target: home.join("target") };
        for folder in FOLDERS {
            let (from, to) = (workspace.root().join(folder), tree.root.join(folder));
            output::copy_folder(&from, &to)?;
            for file in output::files(&to)? {
                if !from.join(file.strip_prefix(&to).unwrap_or(&file)).exists() {
                    fs::remove_file(&file).map_err(|error| Failure::file(&file, &error))?;
                }
            }
        }
        for file in FILES {
            output::copy(&workspace.root().join(file), &tree.root.join(file))?;
        }
        Ok(tree)
    }

    /// Where it lies.
    pub(super) fn root(&self) -> &PathBuf {
        &self.root
    }

    /// Where what is compiled of it lies.
    pub(super) fn target(&self) -> &PathBuf {
        &self.target
    }

    /// A file's text.
    pub(super) fn read(&self, file: &str) -> Result<String, Failure> {
        let path = self.root.join(file);
        fs::read_to_string(&path).map_err(|error| Failure::file(&path, &error))
    }

    /// Gives a file another text.
    pub(super) fn write(&self, file: &str, text: &str) -> Result<(), Failure> {
        output::write(&self.root.join(file), text.as_bytes())
    }
}
