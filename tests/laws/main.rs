//! The laws of the library that need no platform: one binary, a module a subject.
//!
//! The host is the one that the library gives to everybody's tests, whose time the
//! test moves.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stderr,
    clippy::print_stdout,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "a test that fails is a test that panics, and one with dice says its seed"
)]

mod access;
mod admission;
mod arrow;
mod config;
mod failures;
mod forage;
mod knapsack;
mod mcp;
mod openapi;
mod pages;
mod pen;
mod runtime;
mod sandbox;
mod schema;
mod service;
mod spec;
mod typescript;
