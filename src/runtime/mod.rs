//! Mycelium itself: one program in, one outcome out.
//!
//! Owns the life of an execution: intake, deadline, calls, settlement. Doesn't
//! own how guest code is run (a [`Sandbox`](crate::sandbox::Sandbox) does) or how
//! callers reach it (the MCP server and the entry points do).
//!
//! Spec: 000 and 003.

pub mod admission;
mod calls;
mod execute;
mod notice;
mod outcome;
mod tool;

pub use calls::{Call, CallOutcome};
pub use execute::{Mycelium, Parts};
pub use notice::{Notices, UnenforcedLimit};
pub use outcome::Outcome;
pub use tool::{ArgumentError, ExecuteTool};
