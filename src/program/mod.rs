//! What a model sent, read as a program before any isolate is spent on it.
//!
//! Owns the port to the intake, which is a WebAssembly module of its own: reading
//! deep text may overflow the stack, and the instance that does is thrown away.
//! Doesn't own running the program: that is the [`sandbox`](crate::sandbox).

mod reply;

use crate::failure::{Failure, Place};

pub use reply::read_reply;

/// A program that can be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    module: String,
}

impl Program {
    /// A program from the text of its module, whose default export gives the answer.
    #[must_use]
    pub fn new(module: String) -> Self {
        Self { module }
    }

    /// The text of the module.
    #[must_use]
    pub fn module(&self) -> &str {
        &self.module
    }

    /// Where a position in the module stands in what the model sent.
    #[must_use]
    pub fn source_place(&self, line: u32, column: u32) -> Place {
        Place::at(line.saturating_sub(1), column)
    }
}

/// Reads programs.
pub trait Intake {
    /// The program that `code` is.
    ///
    /// # Errors
    ///
    /// The reason why it is none, with its place and the way out.
    fn read(&self, code: &str) -> Result<Program, Failure>;
}
