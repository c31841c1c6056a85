//! What can go wrong in a build, said so that the reader knows what to do.

use std::{fmt, path::Path};

/// A failed step of the build program.
#[derive(Clone, Debug)]
pub(crate) struct Failure {
    message: String,
    interrupted: bool,
}

impl Failure {
    /// A command line that can't be understood.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::new(message.into())
    }

    /// A file or folder that can't be read or written.
    pub(crate) fn file(path: &Path, error: &dyn fmt::Display) -> Self {
        Self::new(format!("{}: {error}", path.display()))
    }

    /// A step that a library or another program failed at.
    pub(crate) fn step(step: &str, error: &dyn fmt::Display) -> Self {
        Self::new(format!("couldn't {step}: {error}"))
    }

    /// Something that the machine lacks, and what brings it.
    pub(crate) fn missing(what: &str, remedy: &str) -> Self {
        Self::new(format!("{what} is missing: {remedy}"))
    }

    /// Something that was looked at and isn't as it must be.
    pub(crate) fn verdict(message: impl Into<String>) -> Self {
        Self::new(message.into())
    }

    /// The reader asked for the end.
    pub(crate) fn interrupted() -> Self {
        Self { message: "stopped".to_owned(), interrupted: true }
    }

    /// The exit code that says this failure to a shell.
    pub(crate) fn exit_code(&self) -> u8 {
        if self.interrupted { 130 } else { 1 }
    }

    fn new(message: String) -> Self {
        Self { message, interrupted: false }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}
