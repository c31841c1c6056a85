//! What can go wrong, declared once.
//!
//! Owns the [table](TABLE) from which code, message and meaning of every failure
//! are derived, so they can't drift apart. Doesn't own what a module's own author
//! may do wrong at definition: that is [`DefinitionError`](crate::operation::DefinitionError).
//!
//! Spec: 000 and 003, "Cancellation and errors".

mod place;
mod raw;
mod reference;
mod refusal;
mod table;

pub use place::Place;
pub use raw::Raw;
pub use reference::Reference;
pub use refusal::{AccessRefusal, REASONS, Reason, ReasonRow};
pub use table::{Failure, Party, Ran, Row, TABLE};

pub use crate::limits::MESSAGE_BYTES;

/// Cuts `text` to at most `limit` bytes at a character boundary and marks the cut.
///
/// ```
/// assert_eq!(mycelium::failure::bounded("short", 10), "short");
/// assert_eq!(mycelium::failure::bounded("a long message", 9), "a long…");
/// ```
#[must_use]
pub fn bounded(text: &str, limit: usize) -> String {
    const MARK: &str = "…";
    if text.len() <= limit {
        return text.to_owned();
    }
    let kept = text.floor_char_boundary(limit.saturating_sub(MARK.len()));
    let mut cut = text.get(..kept).unwrap_or_default().trim_end().to_owned();
    cut.push_str(MARK);
    cut
}
