//! The Worker: everything that touches the platform.
//!
//! Owns the ports' implementations, the connection to isolates, the objects and
//! the entry points. Decides nothing that could be decided without the platform.

mod app;
#[cfg(feature = "bench")]
pub mod bench;
mod bundle;
mod connections;
#[cfg(feature = "entry")]
mod deployed;
pub mod entry;
#[cfg(feature = "faults")]
mod faults;
mod guest;
mod http;
mod objects;
mod pen;
mod ports;
mod runtime;
mod service;
mod status;
mod ui;

pub use app::{App, Build};

/// Answers a request as the host does: MCP at `/mcp`, the status, and 404 to all else.
///
/// # Errors
///
/// What the platform throws where it shouldn't.
pub async fn gate(
    request: worker::Request,
    env: worker::Env,
    context: &worker::Context,
) -> worker::Result<worker::Response> {
    http::gate(request, env, context.as_ref().into()).await
}
