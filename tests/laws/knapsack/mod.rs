//! What a host connects.

mod computer;
mod corpus;
mod dice;
pub(crate) mod files;
mod patch;
mod visibility;
