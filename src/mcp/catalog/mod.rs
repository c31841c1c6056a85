//! What a principal may use over MCP, and where it comes from.
//!
//! Owns the contract of a host's catalog and one over ordinary sources. Doesn't own
//! transport.
//!
//! Spec: 000 and 003, "MCP".

mod access;
mod listed;
mod peer;
mod provider;
mod result;
mod runtime;

pub(in crate::mcp) use access::{Access, access};
pub use access::{McpAccess, McpExecutionContext};
pub use listed::{Loaded, Loader, McpCatalog, McpCatalogOptions, create_mcp_catalog};
pub use peer::{Asked, McpTool, Peer, Question};
pub use provider::{Authority, Listing, McpCatalogProvider, McpSession, NotOpen};
pub use result::CallResult;
pub use runtime::RuntimeSession;
