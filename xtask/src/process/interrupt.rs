//! An end that the reader asks for: Ctrl-C, a closed terminal, `kill`.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::Duration,
};

use signal_hook::{
    consts::{SIGHUP, SIGINT, SIGTERM},
    iterator::Signals,
};

use super::group;
use crate::failure::Failure;

static ASKED: AtomicBool = AtomicBool::new(false);

/// How long programs have to end by themselves.
const GRACE: Duration = Duration::from_secs(5);

/// Takes such signals over: what runs is ended, and nothing new is started.
pub(crate) fn watch() -> Result<(), Failure> {
    let mut signals = Signals::new([SIGHUP, SIGINT, SIGTERM])
        .map_err(|error| Failure::step("listen for Ctrl-C", &error))?;
    thread::spawn(move || {
        for _ in signals.forever() {
            if ASKED.swap(true, Ordering::SeqCst) {
                group::signal_all("KILL");
            } else {
                group::signal_all("TERM");
                thread::spawn(|| {
                    thread::sleep(GRACE);
                    group::signal_all("KILL");
                });
            }
        }
    });
    Ok(())
}

/// Fails once an end was asked for.
pub(crate) fn check() -> Result<(), Failure> {
    if ASKED.load(Ordering::SeqCst) { Err(Failure::interrupted()) } else { Ok(()) }
}
