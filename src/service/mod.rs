//! What a Worker that is bound to this one may ask, as data: the six methods, and apart from
//! them the setting of session grants.
//!
//! Owns reading a caller's request, with the functions that came in it; what the caller
//! may see and do; and the reply. Doesn't own how values and functions cross: the
//! [`Remote`] port is implemented where they do.
//!
//! A caller sees the modules that it brings, and of the host's own those that the owner
//! grants to services. An id that a caller gives is an authority of its own, under
//! [`AUTHORITY`], so that it can't take a configured module's grants. Everything that goes
//! wrong is an answer, with a code and a message: nothing of the host's is thrown.

mod access;
mod asked;
mod caller;
mod error;
mod execution;
mod fields;
mod grants;
mod module;
mod remote;
mod reply;
mod serve;

pub use access::AUTHORITY;
pub use error::RequestError;
pub use execution::{Execution, begin};
pub use grants::{SetGrants, grants_set};
pub use remote::{Argument, Functions, Remote, RemoteError};
pub use reply::{failed, lost};
pub use serve::{Host, Method, serve};
