//! MCP servers over Streamable HTTP, of which any may be missing.
//!
//! Owns the client's side of the protocol, in both of its eras; how tools become operations of
//! `env.mcp.<name>`; and what a call came to. Doesn't own what is allowed, nor what a single
//! message says: that is [`mcp::wire`](crate::mcp::wire). The host supplies every request's
//! way out, its `fetch`.
//!
//! ```text
//! McpServers ── a source: connects all in six slots, leaves out and reports ── Module
//!     │ kept tools, at once                                                      │ call
//! Upstream ──── one owner a server: session, token, tools ──── standing ──────── Line ── fetch
//! ```
//!
//! | what came of a call | what the program gets |
//! | --- | --- |
//! | `structuredContent`, no error | exactly that |
//! | an error, or no `structuredContent` | `{ isError, content }`, with what else there is |
//! | `structuredContent` against its own schema | `output-invalid`, and the value with it |
//! | turned away before anything ran (401, 404 of a session, 4xx) | sent again once where that can help, else a failure that says that nothing was done |
//! | no usable answer | `outcome-unknown`; a tool that only reads is asked once more |
//!
//! Spec: 004, `Knapsack.mcpServers`.

mod answer;
mod call;
mod endpoint;
mod error;
mod flight;
mod line;
mod listing;
mod local;
mod mask;
mod missed;
mod module;
mod name;
mod open;
mod owner;
mod result;
mod server;
mod sign_in;
mod source;
mod sse;
mod standing;
mod tokens;
mod tool;
mod turned_away;
mod upstream;

use std::rc::Rc;

pub use endpoint::Endpoint;
pub use error::{ServerError, UpstreamError};
pub use listing::Listing;
pub use local::LocalUpstream;
pub use module::module;
pub use owner::{Known, Owner, RemoteUpstream, answer};
pub use server::{McpServer, Protocol, SecretHeader, ToolRule};
pub use sign_in::{SignIn, SignInGrant};
pub use source::{McpConnection, McpServers};
pub use standing::{Era, Stale, Standing, Token};
pub use tokens::{Granted, Step, Tokens};
pub use tool::{Hints, Outside, Tool};
pub use upstream::Upstream;

use crate::port::{Fetch, Ports, Secrets};

/// What the client needs of its host.
#[derive(Clone)]
pub struct McpPorts {
    /// Asking the server.
    pub fetch: Rc<dyn Fetch>,
    /// Reading credentials.
    pub secrets: Rc<dyn Secrets>,
    /// Time, random bits, the operator's log, work in the background.
    pub host: Ports,
}
