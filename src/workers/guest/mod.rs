//! Isolates from the Worker Loader, reached through the `Runner` loopback only.

mod platform;
mod runner;

pub(super) use runner::RunnerLoader;
