//! The rules of HTTP: what a request's head must say, and how answers are said.
//!
//! Owns status codes, header fields and the form of event streams. Doesn't own
//! sessions, nor what a message means.
//!
//! Spec: protocol revision 2025-11-25, "Transports"; 2026-07-28, "Transports".

mod era;
mod head;
mod origin;
mod reply;
mod rules;
mod sse;

pub use era::{Era, classify, needs_body};
pub(in crate::mcp) use era::{id, same};
pub use head::{FIELDS, Head};
pub use origin::Origins;
pub use reply::{Body, EventStream, Reply};
pub use rules::{Answering, admit};
pub(in crate::mcp) use rules::{admit_method, admit_revision};
pub(in crate::mcp) use sse::{Event, EventId, Keeping, body, single};

/// The header field that names a session.
pub const SESSION_HEADER: &str = "mcp-session-id";
