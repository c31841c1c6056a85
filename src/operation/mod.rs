//! What an author declares: operations, and the modules that hold them.
//!
//! Owns the declaration and its rules. Doesn't own when an operation may run:
//! that is the [`runtime`](crate::runtime).
//!
//! Spec: 000 and 003, "Operations and discovery".

mod catalog;
mod context;
mod declare;
mod label;
mod module;
mod name;

pub use catalog::{Catalog, Entry};
pub use context::Context;
pub use declare::{Operation, OperationError};
pub use label::{Access, LabelError, Labels, Replay};
pub use module::Module;
pub use name::DefinitionError;
