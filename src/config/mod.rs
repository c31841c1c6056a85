//! What the owner of a deployment chooses.
//!
//! Owns decoding `mycelium.toml` and the variables that stand over single keys of it,
//! strictly and all errors at once, and what a page and an editor are told of its keys.
//! Doesn't own opening connections: the Worker does, of what stands here as data.
//!
//! Every value is read by a type that is also what docs/CONFIGURATION.md and
//! `mycelium.schema.json` are made of.

mod auth;
mod connections;
mod error;
mod form;
mod grants;
mod host;
mod node;
mod page;
mod rule;
mod settings;
mod status;
mod variables;

pub use connections::{Computer, Connection, Files, Mcp, OpenApi, Pen, PenWriter, Reached, Ui};
pub use error::ConfigError;
pub use form::Row;
pub use grants::{GrantRules, SessionRule};
pub use page::{rows, schema, variables};
pub use settings::{Given, Settings};
pub use status::{ConnectionRow, start_table};
