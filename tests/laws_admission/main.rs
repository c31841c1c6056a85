//! The laws of admission: who runs, who waits, who is refused and why.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test may fail loudly, and prints its seed"
)]

mod interleavings;
mod model;
mod policy;
mod queue;
mod refused_by_the_platform;
mod rules;
mod world;
