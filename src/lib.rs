//! A code-mode host for Cloudflare Workers: typed operations behind one `execute` tool.
//!
//! An author declares operations and groups them in modules; a model sends a
//! program that calls them; each program runs in a fresh isolate.
//!
//! ```
//! use mycelium::{Catalog, Module, Operation, Schema};
//! use serde_json::json;
//!
//! let add = Operation::new(
//!     Schema::new(json!({
//!         "type": "object",
//!         "properties": {"a": {"type": "number"}, "b": {"type": "number"}},
//!         "required": ["a", "b"],
//!     }))?,
//!     |input, _context| async move {
//!         let sum = input["a"].as_f64().unwrap_or(0.0) + input["b"].as_f64().unwrap_or(0.0);
//!         Ok(json!(sum))
//!     },
//! )
//! .describe("Adds two numbers.");
//!
//! let catalog = Catalog::new([Module::new("example-math", "math").operation("add", add)])?;
//! assert_eq!(catalog.entries()[0].path(), "math.add");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The parts, each knowing only those before it: [`limits`], [`failure`], [`port`], [`json`],
//! [`schema`], [`operation`], [`forage`], [`program`], [`sandbox`], [`runtime`], [`mcp`],
//! [`knapsack`], [`pen`], [`auth`], [`config`], [`service`], and on WebAssembly the Worker itself.

pub mod auth;
pub mod config;
mod demo;
pub mod failure;
pub mod forage;
pub mod json;
pub mod knapsack;
pub mod limits;
pub mod mcp;
pub mod operation;
pub mod pen;
pub mod port;
pub mod program;
pub mod runtime;
pub mod sandbox;
pub mod schema;
pub mod service;
#[cfg(feature = "testing")]
pub mod testing;
#[cfg(target_arch = "wasm32")]
pub mod workers;

pub use demo::demo;
pub use failure::Failure;
pub use operation::{Catalog, Module, Operation};
pub use runtime::Mycelium;
pub use schema::Schema;
