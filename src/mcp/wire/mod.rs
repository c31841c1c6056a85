//! JSON-RPC messages, as strictly as the protocol has them.

mod envelope;
mod reply;

pub use envelope::{Fault, Id, Message};
pub use reply::{coded, failure, host_failure, success};

/// The revision this server speaks.
pub const REVISION: &str = "2025-11-25";

/// JSON-RPC error codes.
pub mod code {
    /// The body isn't JSON.
    pub const PARSE_ERROR: i32 = -32_700;
    /// The JSON isn't a message.
    pub const INVALID_REQUEST: i32 = -32_600;
    /// There is no such method.
    pub const METHOD_NOT_FOUND: i32 = -32_601;
    /// The method doesn't take these parameters.
    pub const INVALID_PARAMS: i32 = -32_602;
    /// This server failed.
    pub const INTERNAL_ERROR: i32 = -32_603;
}
