//! The laws of admission: who runs, who waits, who is refused and why.

mod interleavings;
mod model;
mod policy;
mod queue;
mod refused_by_the_platform;
mod rules;
mod world;
