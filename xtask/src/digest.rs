//! Tells whether a file changed, by its content.

use std::{fmt, fs, path::Path};

use sha2::{Digest as _, Sha256};

use crate::failure::Failure;

/// The SHA-256 of some content.
#[derive(Clone, Debug)]
pub(crate) struct Digest(Sha256);

impl Digest {
    /// The digest of a file's bytes.
    pub(crate) fn of_file(path: &Path) -> Result<Self, Failure> {
        let bytes = fs::read(path).map_err(|error| Failure::file(path, &error))?;
        Ok(Self(Sha256::new_with_prefix(bytes)))
    }

    /// The digest of that content followed by `more`.
    pub(crate) fn and(self, more: &str) -> Self {
        Self(self.0.chain_update(more))
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.clone().finalize().iter().try_for_each(|byte| write!(formatter, "{byte:02x}"))
    }
}
