//! What an author declares: operations, and the modules that hold them.
//!
//! Owns the declaration and its rules, the facts a call is told, and the two steps
//! of a call, decoding and running. Doesn't own when an operation may run: that is
//! the [`runtime`](crate::runtime).
//!
//! # Names
//!
//! A segment of a path is a JavaScript identifier without `$`, of at most 64
//! UTF-16 code units, and none that JavaScript objects answer to themselves
//! (`then`, `toJSON`, `constructor`, …). `env` and `forage` are reserved as roots.
//! Keywords are names, because members may be called so (`env.files.delete(…)`);
//! a root that is a keyword is reached through `env` alone.
//!
//! Spec: 000 and 003, "Operations and discovery".

mod alias;
mod callable;
mod cancel;
mod catalog;
mod context;
mod declare;
mod error;
mod fault;
mod gate;
#[cfg(test)]
mod identity_laws;
mod label;
mod lossless;
mod module;
mod name;
mod report;
mod trace;
mod typed;

pub(crate) use alias::{Wanted, allot};
pub(crate) use callable::Given;
pub use callable::{Callable, Decoded};
pub use cancel::{Cancellation, Signal};
pub use catalog::{Catalog, Entry};
pub use context::{Context, ContextBuilder};
pub use declare::{IntoSchema, Operation};
pub use error::DefinitionError;
pub use fault::{Fault, OperationError};
pub use gate::{Gate, GateCall, GateRefusal};
pub use label::{Access, LabelError, Labels, Replay};
pub use module::Module;
pub(crate) use name::{key as relative_path, root as root_name, utf16_order, whole_path};
pub use report::{Report, Reporter};
pub use trace::Trace;
pub use typed::NoInput;
