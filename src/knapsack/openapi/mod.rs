//! A server described by OpenAPI, called by a stored table.
//!
//! Owns the requests that are made of a table's shapes, and what becomes of the answers.
//! The owner chooses the server and the credential; neither a document nor a program
//! does. Doesn't read documents: see [`forage::openapi`](crate::forage::openapi).
//!
//! ```text
//! input ─ checked by the table's schema ─ request ─ server, no redirect ─ answer ─ output
//!         refused: nothing is sent        URL checked again   bounded     checked again
//! ```
//!
//! Spec: 001, "OpenAPI intake".

mod answer;
mod big_integer;
mod call;
mod credential;
mod error;
mod module;
mod request;
mod server;

use std::rc::Rc;

pub use credential::Credential;
pub use error::ConnectError;
pub use module::module;
pub use server::Server;

use crate::{
    limits::{FRAME_BYTES, OPENAPI_TIMEOUT_MS},
    port::{Clock, Fetch, Secrets, Timer},
};

/// What a connection needs of its host.
#[derive(Clone)]
pub struct ConnectionPorts {
    /// Asking the server.
    pub fetch: Rc<dyn Fetch>,
    /// Reading the credential.
    pub secrets: Rc<dyn Secrets>,
    /// Waiting no longer than is allowed.
    pub timer: Rc<dyn Timer>,
    /// What is left of a call's time.
    pub clock: Rc<dyn Clock>,
}

/// What an owner chooses for a connection.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ConnectionOptions {
    /// Where every request goes.
    pub server: Server,
    /// What every request carries.
    pub credential: Credential,
    /// Milliseconds that the server has for one answer.
    pub timeout_ms: u64,
    /// The most bytes of one answer.
    pub answer_bytes: usize,
    /// What becomes of integers that JavaScript would lose digits of.
    pub big_integers: BigIntegers,
}

impl ConnectionOptions {
    /// The usual options for `server`, and no credential.
    #[must_use]
    pub fn new(server: Server) -> Self {
        Self {
            server,
            credential: Credential::None,
            timeout_ms: OPENAPI_TIMEOUT_MS,
            answer_bytes: FRAME_BYTES,
            big_integers: BigIntegers::Refuse,
        }
    }
}

/// What becomes of integers beyond ±(2^53 − 1) in an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BigIntegers {
    /// The answer is refused, and the integer named.
    #[default]
    Refuse,
    /// A program gets them as texts, and the described types say so.
    Text,
}
