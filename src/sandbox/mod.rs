//! The contract that every executor of guest code meets.
//!
//! Owns what goes into a sandbox and what comes out, the frames between host and
//! guest, and the session that holds a guest to them. Doesn't own access or
//! operations: it reaches those through [`Bindings`] only.
//!
//! Spec: 000 and 003, "Sandbox admission"; the frames are our own.

mod bindings;
mod forage;
mod guest;
mod limits;
mod logs;
pub mod platform;
mod request;
mod session;
mod transport;
pub mod wire;

pub use crate::operation::Cancellation;
pub use bindings::{Bindings, CallFuture};
pub use guest::GuestSandbox;
pub use limits::{IsolateLimits, LimitError, Limits};
pub use logs::{Line, Logs};
pub use request::{Ended, Sandbox, SandboxRequest};
pub use transport::{LoadError, Loader, Lost, Transport, TransportClosed};
