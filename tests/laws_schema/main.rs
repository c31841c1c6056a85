//! What schemas and values promise, over texts from outside and at the bounds.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::panic,
    clippy::print_stderr,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a test fails by panicking, and says what it ran"
)]

mod stack;
mod suite;
mod tools;
