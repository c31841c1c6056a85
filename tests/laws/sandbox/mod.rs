//! The laws of a guest's session: what it may say, hear and cost.
//!
//! The guest is a test's own hand on the other end of the wire.

mod calls;
mod cancellation;
mod contract;
mod exits;
mod flight;
mod forage;
mod guest;
mod outcome;
mod protocol;
pub(crate) mod scripted;
mod world;
