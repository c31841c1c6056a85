//! The intake outside the Worker.

use mycelium_intake::{Program, read_on_own_stack};

use super::Intake;
use crate::failure::Failure;

/// Reads programs on a thread of their own, which is awaited.
#[derive(Clone, Copy, Debug, Default)]
pub struct NativeIntake;

impl Intake for NativeIntake {
    fn read(&self, code: &str) -> Result<Program, Failure> {
        read_on_own_stack(code).map_err(Failure::from)
    }
}
