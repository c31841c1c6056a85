//! Knowing what is still at work, and waiting for its end.
//!
//! Owns two small meeting points over the [`Handoff`](crate::port::Handoff) port,
//! so that waiting works across requests. Doesn't own what is waited for.

mod latch;
mod tally;

pub(super) use latch::Latch;
pub(super) use tally::{Entered, Tally};
