//! The laws of the library that need no platform: one binary, a module a subject.
//!
//! The ports are fakes that the tests drive by hand, and the guest is a test's
//! own hand on the other end of the wire.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "a test that fails is a test that panics"
)]

mod arrow;
mod calls;
mod cancellation;
mod exits;
mod failures;
mod guest;
mod outcome;
mod ports;
mod protocol;
mod world;
