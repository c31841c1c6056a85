//! OpenAPI documents, taken in: what of them can be called safely, and a table of what
//! an owner selected.
//!
//! Owns reading a document within bounds, the reasons why an operation can't be offered,
//! and the [table](Table) that is stored. Fetches nothing, holds no credential and
//! executes nothing: no port is in reach here. A deployed host reads tables; reading
//! documents is the feature `intake-openapi`.
//!
//! ```text
//! text ─ Document ─ Preview ─ select ─ Table ─ stored text ─ Table ─ a connection
//!         refused    offered or        checked               checked again
//!         whole      with reasons
//! ```
//!
//! Spec: 001, "OpenAPI intake".

pub(crate) mod header;
pub(crate) mod media;
mod name;
pub(crate) mod path;
mod table;
mod text;

#[cfg(feature = "intake-openapi")]
mod body;
#[cfg(feature = "intake-openapi")]
mod compose;
#[cfg(feature = "intake-openapi")]
mod document;
#[cfg(feature = "intake-openapi")]
mod finding;
#[cfg(feature = "intake-openapi")]
mod operation;
#[cfg(feature = "intake-openapi")]
mod options;
#[cfg(feature = "intake-openapi")]
mod parameter;
#[cfg(feature = "intake-openapi")]
mod pointer;
#[cfg(feature = "intake-openapi")]
mod preview;
#[cfg(feature = "intake-openapi")]
mod reason;
#[cfg(feature = "intake-openapi")]
mod remark;
#[cfg(feature = "intake-openapi")]
mod response;
#[cfg(feature = "intake-openapi")]
mod schema;
#[cfg(feature = "intake-openapi")]
mod security;
#[cfg(feature = "intake-openapi")]
mod server;
#[cfg(feature = "intake-openapi")]
mod walk;

pub use table::{
    Answer, Body, Entry, Form, Method, Parameter, Part, Place, Style, Table, TableError,
    parse_open_api_table,
};
#[cfg(feature = "intake-openapi")]
pub use {
    document::{Refusal, Version},
    options::{Formats, Options, Serialization},
    preview::{Offered, Preview, SelectError, Unsupported, normalize_open_api},
    reason::{Code, Reason},
    remark::{Kind, Remark},
    security::AuthHint,
    server::ServerHint,
};
