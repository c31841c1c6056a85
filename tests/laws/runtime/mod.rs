//! The laws of the runtime, over its public surface.

mod calls;
mod cancelling;
mod closing;
mod direct;
mod evidence;
mod execution;
mod leases;
mod limits;
mod requeue;
mod shelf;
mod tool;
mod world;
