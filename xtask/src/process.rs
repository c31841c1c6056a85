//! Runs other programs.

use std::{env, ffi::OsString, process::Command};

use crate::failure::Failure;

/// The cargo that runs this program.
pub(crate) fn cargo() -> OsString {
    env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

/// Runs `command` to its end with its output shown.
pub(crate) fn run(command: &mut Command) -> Result<(), Failure> {
    let status = command
        .status()
        .map_err(|error| Failure::step(&format!("start {:?}", command.get_program()), &error))?;
    if status.success() {
        return Ok(());
    }
    Err(Failure::step(
        &format!("run {:?}", command.get_program()),
        &format!("{status}; see the output above"),
    ))
}
