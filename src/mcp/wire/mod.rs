//! JSON-RPC messages and the revisions they come in, as strictly as the protocol has them.
//!
//! Owns what a single message says. Doesn't own what is answered to it, nor HTTP.

mod envelope;
mod error;
mod field;
mod meta;
mod reply;
mod revision;

pub use envelope::{Fault, Id, Message};
pub use error::RpcError;
pub use field::{field_text, field_value};
pub use meta::{CLIENT_CAPABILITIES, CLIENT_INFO, Meta, PROTOCOL_VERSION, SERVER_INFO, is_modern};
pub(in crate::mcp) use meta::{asks_by_form, progress_token};
pub use reply::{coded, error, failure, host_failure, notification, request, success};
pub use revision::{MODERN, Revision, SUPPORTED};

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
    /// Header fields and body say different things.
    pub const HEADER_MISMATCH: i32 = -32_020;
    /// The client hasn't declared a capability that the request needs.
    pub const MISSING_CAPABILITY: i32 = -32_021;
    /// The revision isn't served.
    pub const UNSUPPORTED_VERSION: i32 = -32_022;
}
