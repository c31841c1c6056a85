//! The Model Context Protocol: how agents reach the runtime.
//!
//! Owns the messages, the methods, the rules of HTTP and of sessions, and how a person
//! is asked. Doesn't own how HTTP requests arrive, where rows are kept, or who a
//! credential belongs to: those are ports.
//!
//! [`create_mcp`] is the whole server over a [`McpCatalogProvider`];
//! [`create_mcp_catalog`] makes one of ordinary sources. A host that keeps each
//! connection somewhere else uses their parts: [`Gate`], [`Connection`] and
//! [`Stateless`].
//!
//! Spec: 000 and 003, "MCP"; protocol revisions 2025-06-18, 2025-11-25, 2026-07-28.

mod authenticate;
mod catalog;
mod http;
mod principal;
mod server;
mod session;
pub mod wire;

pub use authenticate::{Admission, Authenticate, Denial};
pub use catalog::{
    Asked, Authority, CallResult, Listing, Loaded, Loader, McpAccess, McpCatalog,
    McpCatalogOptions, McpCatalogProvider, McpExecutionContext, McpSession, McpTool, NotOpen, Peer,
    Question, RuntimeSession, create_mcp_catalog,
};
pub use http::{
    Answering, Body, Era, EventStream, FIELDS, Head, Origins, Reply, SESSION_HEADER, admit,
    classify, needs_body,
};
pub use principal::{Actor, Caller, Credential, Principal};
pub use server::{
    Challenge, Connection, Gate, Mcp, McpOptions, Modern, Posted, Routed, ServerParts, Stateless,
    SuspendedCall, create_mcp, is_session_id, suspended_in,
};
pub use session::{Admitted, MemoryStorage, Neighbours, Parking, Seating, Seats, Table};

pub use crate::limits::BODY_BYTES;
