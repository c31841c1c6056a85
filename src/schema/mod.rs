//! JSON Schemas: what a value must look like.
//!
//! Owns the rules a schema keeps, compiling and validating. Doesn't own
//! decoding into an author's types: that is the operation's own business.
//!
//! A schema is checked when it is defined: its draft (2020-12, or draft-07 when
//! `$schema` says so), its shape by the draft's meta-schema, its references, and
//! its bounds, which hold for trusted schemas too:
//!
//! | bound | value | why |
//! | --- | --- | --- |
//! | levels of the document | [`DEPTH`] | readers and validators recurse as deep |
//! | nodes with every reference expanded | [`NODES`] | validating takes as many steps for each value |
//! | schemas that apply to one value, nested | [`NESTED`], in a schema that refers to itself [`NESTED_IN_CYCLE`] | each is a frame of the stack |
//!
//! What is left for the first value: compiling, and with it a `pattern` that the
//! regular expression engine can't take. `format`, `contentEncoding` and
//! `contentMediaType` describe and never refuse.
//!
//! A text that is plainly right is told so in one pass over its bytes (`certain`), without the
//! validator; whatever that doesn't know is read and validated.
//!
//! Spec: 000 and 003, "Operations and discovery".

mod cache;
mod certain;
mod compile;
mod document;
mod effort;
mod error;
mod extent;
mod fault;
mod keyword;
mod meta;
mod plain;
mod reference;
mod rewrite;
pub mod subset;
pub mod typescript;

pub use document::Schema;
pub use error::{SchemaError, Subject};

/// The most levels of lists and maps in a schema's document.
pub const DEPTH: usize = 32;

/// The most nodes (maps, lists and scalars) of a schema, each reference's target counted
/// wherever it is referred to, up to where a cycle closes.
pub const NODES: usize = 50_000;

/// The most schemas that apply to one value, one within the other.
pub const NESTED: usize = 64;

/// The same bound where a schema refers to itself: it counts for every level of the value.
pub const NESTED_IN_CYCLE: usize = 8;
