//! What a host connects: computers, files, and the providers behind other protocols.
//!
//! Owns how a provider's operations become modules of a runtime. Doesn't own model loops,
//! what a call is allowed, where a provider keeps things, or what its operations do.
//!
//! Spec: 004.

pub mod computer;
pub mod computers;
pub mod files;
pub mod mcp;
pub mod openapi;
pub mod patch;
mod slots;
pub mod ui;
mod unavailable;
pub mod visibility;
