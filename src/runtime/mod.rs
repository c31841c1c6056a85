//! Mycelium itself: leases of operations, and programs run over them.
//!
//! Owns the life of an execution and what it is allowed. Doesn't own how guest code
//! is run (a [`Sandbox`](crate::sandbox::Sandbox) does) or how callers reach it (the
//! MCP server and the entry points do).
//!
//! Spec: 000 and 003.

pub mod access;
mod account;
pub mod admission;
mod calls;
mod custody;
mod disclosure;
mod evidence;
mod execution;
mod lease;
mod mycelium;
mod notice;
mod outcome;
mod progress;
mod source;
mod status;
mod tool;

pub use account::{Account, Bytes, Counted, Durations, ExecutionObserver};
pub use admission::semaphore_transition;
pub use calls::{Call, CallOutcome};
pub use disclosure::{Disclosure, Excerpt, Inputs, ShownInput};
pub use evidence::{Evidence, FailureObserver};
pub use lease::{Acquisition, Answer, DirectTool, Lease, LeasedTool};
pub use mycelium::{Mycelium, OpenError, Options};
pub use notice::{Notices, UnenforcedLimit};
pub use outcome::Outcome;
pub use progress::{Progress, Step};
pub use source::{Invalidation, Release, Snapshot, Source, SourceError};
pub use status::{Bookkeeper, ConnectionStatus, Counters, Counts, Status};
pub use tool::{
    ArgumentError, ExecuteTool, LastPart, Part, Prepared, ToolCall, ToolResult, last_part,
};
