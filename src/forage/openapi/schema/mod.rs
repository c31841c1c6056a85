//! The schemas of a document: looked at without expanding them, and expanded for what
//! is stored.

mod data;
mod expand;
mod keyword;
mod kinds;
mod simplify;
mod survey;
mod write;

pub(super) use data::is_reserved;
pub(super) use expand::expand;
pub(super) use kinds::Kinds;
pub(super) use survey::Survey;
pub(super) use write::Direction;

/// The most references that are followed one within the other.
pub(super) const HOPS: usize = 64;
