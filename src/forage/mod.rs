//! Discovery: which operations there are, which one does what, and how it is called.
//!
//! Owns an immutable catalog of operations that can be listed, searched and described.
//! Doesn't own running them or who may: nothing here calls an operation, and an answer
//! of a search grants nothing.
//!
//! ```
//! use mycelium::forage::{OperationDefinition, SearchQuery, create_catalog};
//! use serde_json::json;
//!
//! let read = OperationDefinition::new(
//!     "files.read",
//!     json!({"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}),
//! )
//! .describe("Reads a file.");
//!
//! let catalog = create_catalog("run-1", [read])?;
//! let found = catalog.search(&SearchQuery::new("read a file"))?;
//! assert_eq!(found.results[0].path, "files.read");
//! assert!(catalog.describe("files.read")?.types.contains("declare const env"));
//! assert_eq!(catalog.list(&Default::default())?.total, 1);
//! # Ok::<(), mycelium::forage::ForageError>(())
//! ```
//!
//! | part | what it owns |
//! | --- | --- |
//! | catalog | the operations, their order and bounds, and views of some of them |
//! | stamp | the identity of what a view shows |
//! | list, cursor | pages |
//! | search | words, the index, ranking |
//! | describe | TypeScript declarations |
//! | helper | the JSON in and out of `forage.search`, `forage.list`, `forage.describe` |
//! | app | an App's declared methods as operations |
//! | openapi | documents of OpenAPI, taken in, and tables of what was selected |
//!
//! Spec: 001.

pub mod app;
mod catalog;
mod cursor;
mod definition;
mod describe;
mod error;
mod helper;
mod item;
mod list;
pub mod openapi;
mod sample;
mod search;
mod stamp;
mod summary;
mod third_party;

pub use catalog::{Catalog, create_catalog};
pub use cursor::CursorFault;
pub use definition::OperationDefinition;
pub use describe::Description;
pub use error::ForageError;
pub use helper::Helper;
pub use list::{ListQuery, Page};
pub use sample::sample;
pub(crate) use search::nearest;
pub use search::{Found, SearchQuery, words};
pub use summary::Summary;
