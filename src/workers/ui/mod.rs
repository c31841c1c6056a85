//! The app that is open in a session's browser: its way through the Worker, and its place
//! in the session's object.
//!
//! A session is one of the protocol's, and its object holds the streams of its pages beside
//! its own: whoever reaches the object by the session's name has been let in as its owner.

mod route;
mod session;

pub(super) use route::serve;
pub(super) use session::{SessionUi, Slot};

use crate::config::Settings;

/// Whether this deployment offers it.
pub(super) fn is_offered(_: &Settings) -> bool {
    cfg!(feature = "faults")
}
