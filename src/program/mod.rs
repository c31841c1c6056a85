//! What a model sent, read as a program before any isolate is spent on it.
//!
//! Owns the port to the intake, which is a WebAssembly module of its own: reading
//! deep text may overflow the stack, and the instance that does is thrown away.
//! Doesn't own running the program: that is the [`sandbox`](crate::sandbox).

#[cfg(not(target_arch = "wasm32"))]
mod native;
mod reply;

use mycelium_intake::Position;
pub use mycelium_intake::Program;

#[cfg(not(target_arch = "wasm32"))]
pub use native::NativeIntake;
pub use reply::read_reply;

use crate::failure::{Failure, Place};

/// Reads programs.
pub trait Intake {
    /// The program that `code` is.
    ///
    /// # Errors
    ///
    /// The reason why it is none, with its place and the way out.
    fn read(&self, code: &str) -> Result<Program, Failure>;
}

/// Where a position in `program`'s module stands in what the model sent.
#[must_use]
pub fn sent_place(program: &Program, line: u32, column: u32) -> Place {
    program
        .map
        .sent(Position { line, column })
        .map_or_else(Place::default, |sent| Place::at(sent.line, sent.column))
}
