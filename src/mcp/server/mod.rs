//! The server: what is answered to whom, over sessions and without them.
//!
//! Owns the methods, the streams of a connection and the suspension of a call. Doesn't
//! own the platform's requests and responses.

mod call;
mod connection;
mod gate;
mod methods;
mod pending;
mod rounds;
mod seal;
mod stateless;
mod stream;
mod suspended;
mod whole;

use std::rc::Rc;

pub use connection::{Connection, Posted};
pub use gate::{Challenge, Gate, Routed, is_session_id};
pub use stateless::{Modern, Stateless, suspended_in};
pub use suspended::SuspendedCall;
pub use whole::{Mcp, McpOptions, create_mcp};

use super::{Authenticate, McpCatalogProvider};
use crate::{
    limits::{APPROVAL_MS, CONNECTIONS},
    port::Ports,
};

/// What every part of a server works with.
#[derive(Clone)]
pub struct ServerParts {
    /// Where sessions and what they may use come from.
    pub catalog: Rc<dyn McpCatalogProvider>,
    /// Who calls.
    pub authenticate: Rc<dyn Authenticate>,
    /// The host.
    pub ports: Ports,
    /// How many of a principal's sessions may work at once.
    pub connections: usize,
    /// Milliseconds that a person has to answer.
    pub approval_ms: u64,
}

impl ServerParts {
    /// Over a catalog, with the usual bound.
    #[must_use]
    pub fn new(
        catalog: Rc<dyn McpCatalogProvider>,
        authenticate: Rc<dyn Authenticate>,
        ports: Ports,
    ) -> Self {
        Self { catalog, authenticate, ports, connections: CONNECTIONS, approval_ms: APPROVAL_MS }
    }

    /// With another time for a person to answer; the access policy has the same.
    #[must_use]
    pub fn approval_ms(mut self, approval_ms: u64) -> Self {
        self.approval_ms = approval_ms;
        self
    }

    /// With another bound.
    #[must_use]
    pub fn connections(mut self, connections: usize) -> Self {
        self.connections = connections;
        self
    }
}
