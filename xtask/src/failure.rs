//! What can go wrong in a build, said so that the reader knows what to do.

use std::{fmt, path::Path};

/// A failed step of the build program.
#[derive(Debug)]
pub(crate) struct Failure {
    message: String,
}

impl Failure {
    /// A command line that can't be understood.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self { message: message.into() }
    }

    /// A file or folder that can't be read or written.
    pub(crate) fn file(path: &Path, error: &dyn fmt::Display) -> Self {
        Self { message: format!("{}: {error}", path.display()) }
    }

    /// A step that a library failed at.
    pub(crate) fn step(step: &str, error: &dyn fmt::Display) -> Self {
        Self { message: format!("couldn't {step}: {error}") }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}
