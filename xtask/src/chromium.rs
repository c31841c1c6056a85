//! The browser that apps' pages are tried in: a Chromium of the machine's own.
//!
//! It is the machine's because it needs what the machine's packages bring with it. Where
//! everything must be tried (`CI` is set) and Debian's packages can be installed, it is
//! brought; elsewhere the machine is left as it is, and the tests say what wasn't tried.

use std::{env, path::Path, process::Command};

use crate::{
    failure::Failure,
    process,
    progress::{note, step},
};

/// Names the browser where it is in no usual place.
const VARIABLE: &str = "CHROMIUM";

/// Where packages put it; `miniflare-tests/host/chromium.mjs` looks there too.
const PLACES: [&str; 4] = [
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
    "/usr/bin/google-chrome-stable",
    "/usr/bin/google-chrome",
];

/// Brings it where that is wanted and it isn't there.
///
/// # Errors
///
/// It is wanted and can't be brought.
pub(crate) fn bring() -> Result<(), Failure> {
    if is_here() {
        return Ok(());
    }
    if env::var_os("CI").is_none() {
        note("no Chromium: apps' pages aren't tried in a real browser (apt-get install chromium)");
        return Ok(());
    }
    step("install Chromium", || {
        apt(&["update", "--quiet"])?;
        apt(&["install", "--quiet", "--yes", "--no-install-recommends", "chromium"])
    })?;
    if is_here() {
        return Ok(());
    }
    let remedy = format!("install it, or set {VARIABLE} to its path");
    Err(Failure::missing("a Chromium", &remedy))
}

fn is_here() -> bool {
    let named = env::var_os(VARIABLE);
    named.is_some_and(|path| Path::new(&path).exists())
        || PLACES.iter().any(|path| Path::new(path).exists())
}

fn apt(arguments: &[&str]) -> Result<(), Failure> {
    let mut apt = Command::new("apt-get");
    process::run(apt.args(arguments).env("DEBIAN_FRONTEND", "noninteractive"))
}
