//! A coherent set of operations, held for as long as somebody works with it.
//!
//! Owns building graphs from modules and sources, sharing them, and giving them
//! back. Doesn't own what is done with the operations.
//!
//! Spec: 000 and 003, "Changing capabilities and lifetime".

mod graph;
mod graphs;
mod held;

pub(super) use graphs::Graphs;
pub(super) use held::HeldGraph;
