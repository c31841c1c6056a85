//! Isolates from the Worker Loader, reached through the `Runner` loopback only.

mod runner;

pub(super) use runner::{Outbound, RunnerLoader};
