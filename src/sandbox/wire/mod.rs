//! The frames between host and guest: JSON arrays, version 1.
//!
//! | from | frame | meaning |
//! | --- | --- | --- |
//! | host | `["run", 1, {operations, hidden?, limits, forage?}]` | start; an operation's index is its position |
//! | guest | `["call", ordinal, index, input?]` | call an operation |
//! | guest | `["void", ordinal, index, {path, found, remedy}]` | a call whose input JSON can't say |
//! | guest | `["forage", "f<id>", helper, input?]` | ask a helper of discovery; it has no ordinal |
//! | guest | `["log", level, text]` | a printed line |
//! | guest | `["done", value?]` | the answer; absent when there is none |
//! | guest | `["failed", {kind, …}]` | the program failed |
//! | host | `["value", ordinal, value]` | a call's output |
//! | host | `["error", ordinal, {code, message}]` | a call's failure |
//! | host | `["value", "f<id>", value]`, `["error", "f<id>", …]` | what a helper answers |
//!
//! Values cross as JSON text: a frame is scanned once, and the text of a value
//! is handed on without being built.

mod from_guest;
mod to_guest;

pub use from_guest::{Broken, FromGuest, GuestFailure, Unsayable};
pub use to_guest::{answer, error, run, unanswered, value};

/// Bytes of a frame's name and numbers, beside its one bounded value.
pub const FRAME_OVERHEAD: usize = 128;

/// The version of the frames.
pub const VERSION: u32 = 1;
