//! Files: one port, the module that programs call, and the tool beside `execute`.
//!
//! Owns the contract of a [port](FilesPort), the operations over it and their schemas, and
//! two ports: [memory](MemoryFiles), for tests and scratch space, and [objects](StoredFiles),
//! such as an R2 bucket. Doesn't own where the root of a port is or what a caller may do
//! there: paths are checked by their form, and the port confines them.
//!
//! There is no module of files that nobody asked for: a host makes one over each port it
//! admits.
//!
//! ```
//! use std::rc::Rc;
//! use mycelium::{Catalog, knapsack::files::{Files, MemoryFiles}};
//!
//! let files = Files::new(Rc::new(MemoryFiles::new()));
//! let catalog = Catalog::new([files.module("example-files", "files")])?;
//! assert!(catalog.find("files.read").is_some());
//! assert_eq!(files.tools()?[0].name(), "apply_patch");
//! # Ok::<(), mycelium::operation::DefinitionError>(())
//! ```
//!
//! Spec: 004, `Knapsack.files`.

mod content;
mod engine;
mod error;
mod memory;
mod module;
mod object;
mod port;
mod schema;
mod search;
mod stored;
mod whole;

pub use content::{Content, Encoding};
pub use engine::{PatchEngine, TextPatches};
pub use error::FileError;
pub use memory::MemoryFiles;
pub use module::{Files, TOOL};
pub use object::{Condition, Object, ObjectPage, ObjectStore, Objects, StoreError};
pub use port::{
    ByteRange, Entry, EntryKind, Expected, FileFuture, FilesPort, Listing, Page, Part, Search,
};
pub use schema::{Found, FoundLine};
pub use search::search_by_reading;
pub use stored::StoredFiles;
