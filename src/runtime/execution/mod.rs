//! The life of one execution, from the program's text to its outcome.
//!
//! Owns the order of its stages: intake, admission, run, settlement. Doesn't own
//! the rules of any of them.

mod custody;
mod engine;
mod result;

pub(crate) use engine::{Engine, Order};
