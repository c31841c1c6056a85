//! The app that is open in a session's browser: its way through the Worker, and its place
//! in the session's object.
//!
//! A session is one of the protocol's, and its object holds the streams of its pages beside
//! its own: whoever reaches the object by the session's name has been let in as its owner.

mod route;
mod session;

pub(super) use route::serve;
pub(super) use session::{SessionUi, Slot};

use crate::config::{Connection, Settings, Ui};

/// How many operations the module has.
pub(super) const OPERATIONS: usize = 2;

/// Whether this deployment offers it.
pub(super) fn is_offered(settings: &Settings) -> bool {
    configured(settings).is_some()
}

/// The connection, and its name.
fn configured(settings: &Settings) -> Option<(&str, Ui)> {
    settings.connections.iter().find_map(|(name, connection)| match connection {
        Connection::Ui(ui) => Some((name.as_str(), *ui)),
        _ => None,
    })
}
