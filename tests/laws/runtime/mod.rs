//! The laws of the runtime, over its public surface.

mod accounts;
mod calls;
mod cancelling;
mod closing;
mod direct;
mod evidence;
mod execution;
mod labels;
mod leases;
mod limits;
mod progress;
mod requeue;
mod shelf;
mod tool;
pub(crate) mod world;
