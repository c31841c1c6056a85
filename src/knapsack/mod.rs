//! What a host connects: the providers behind other protocols.
//!
//! Owns how a provider's operations become modules of a runtime. Doesn't own what a call
//! is allowed, nor what the operations do.
//!
//! Spec: 004.

pub mod openapi;
