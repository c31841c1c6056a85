//! The Model Context Protocol: how agents reach the runtime.
//!
//! Owns the messages, the methods and the rules of a connection. Doesn't own how
//! HTTP requests arrive or where a connection's record is kept.
//!
//! Spec: 000 and 003, "MCP"; protocol revision 2025-11-25.

mod connection;
mod http;
mod methods;
pub mod wire;

pub use connection::{Connection, Posted, RecordError, RecordStore};
pub use http::{BODY_BYTES, Head, Reply, SESSION_HEADER, admit, is_foreign};
