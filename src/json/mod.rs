//! The boundary at which bytes from outside become values.
//!
//! Owns bounded parsing. Doesn't own what a value must look like: that is
//! [`schema`](crate::schema).

mod parse;

pub use parse::{JsonError, parse};
