//! The Worker: everything that touches the platform.
//!
//! Owns the ports' implementations, the connection to isolates, the objects and
//! the entry points. Decides nothing that could be decided without the platform.

#[cfg(feature = "bench")]
pub mod bench;
mod bundle;
mod connections;
#[cfg(feature = "entry")]
pub mod entry;
#[cfg(feature = "faults")]
mod faults;
mod guest;
mod http;
mod objects;
mod pen;
mod ports;
mod runtime;
mod service;
mod status;
