//! The boundary at which texts become values and values become texts.
//!
//! Owns bounded reading and printing, and the digest that tells two values
//! apart. Doesn't own what a value must look like: that is
//! [`schema`](crate::schema).
//!
//! | refused | reading | reading an input | printing | printing for a program |
//! | --- | --- | --- | --- | --- |
//! | more than [`DEPTH`] levels | yes | yes | yes | yes |
//! | more bytes than the bound | the reader's matter | yes | yes | yes |
//! | a key twice, a lone surrogate | yes | yes | can't be | can't be |
//! | an integer whose digits would be lost | yes | yes | can't be | beyond ±(2^53 − 1) |
//! | the key `__proto__` | kept | yes | kept | kept |

mod digest;
mod encode;
mod error;
mod number;
mod parse;
mod path;

pub use digest::Digest;
pub(crate) use digest::{canonical, canonical_within, write_string};
pub use encode::{encode, encode_output};
pub use error::JsonError;
pub(crate) use parse::parse_known;
pub use parse::{parse, parse_input};

/// The most levels that lists and maps may be nested.
pub const DEPTH: usize = 128;

/// 2^53 − 1: the largest integer up to which a JavaScript number tells every two apart.
pub const MAX_SAFE_INTEGER: u64 = 9_007_199_254_740_991;
