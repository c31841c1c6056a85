//! What a session remembers, and how many of them a principal may have at work.
//!
//! Owns the record, the journal of streams, the schedule and the principal's table,
//! as rules over a [`Storage`](crate::port::Storage). Doesn't own transport or methods.
//!
//! Spec: 000 and 003, "MCP".

mod journal;
mod memory;
mod record;
mod schedule;
mod seats;
mod table;

pub(in crate::mcp) use journal::Journal;
pub use memory::MemoryStorage;
pub(in crate::mcp) use record::Record;
pub(in crate::mcp) use schedule::{Due, Schedule};
pub use seats::{Neighbours, Parking, Seating, Seats};
pub use table::{Admitted, Table};
