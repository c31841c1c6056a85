//! Schemas as TypeScript: what a model reads to know how to call an operation.
//!
//! Owns the projection from a [`Schema`] to type declarations, one keyword, one
//! file. Doesn't own names of operations, nor the `env` that they are nested in.
//!
//! A projected type accepts every value that the schema does, and may accept more:
//! what TypeScript can't say becomes a TSDoc tag, never a narrower type. The steps:
//! `definitions` finds what has to be named, `projection` asks each keyword for a
//! form, `form` joins the forms, `print` writes them.
//!
//! Spec: 001, "describe".

mod comment;
mod declaration;
mod definitions;
mod error;
mod form;
mod keyword;
mod place;
mod print;
mod projection;
mod text;

#[cfg(test)]
mod tests;

pub use comment::comment;
pub use declaration::{Declaration, declare, declare_document, inline};
pub use error::ProjectionError;

use super::Schema;
