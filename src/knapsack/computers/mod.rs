//! A host's list of computers, of which any may be missing.
//!
//! Owns the list, asking all of them at once, and telling the host which were left out.
//! Doesn't own what one computer is: that is [`computer`](super::computer).
//!
//! Spec: 004, `Knapsack.computers`.

mod list;
mod source;

pub use super::unavailable::{Unavailable, UnavailableObserver, WhyUnavailable};
pub use list::ComputerList;
pub use source::Computers;
