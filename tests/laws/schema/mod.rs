//! What schemas and values promise, over texts from outside and at the bounds.

mod stack;
pub(crate) mod suite;
mod tools;
