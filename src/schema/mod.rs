//! JSON Schemas: what a value must look like.
//!
//! Owns compiling and validating. Doesn't own decoding into an author's types:
//! that is the operation's own business.
//!
//! Spec: 000 and 003, "Operations and discovery".

mod compile;

pub use compile::{Schema, SchemaError};
