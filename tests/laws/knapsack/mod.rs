//! What a host connects.

pub(crate) mod computer;
mod corpus;
mod dice;
pub(crate) mod files;
mod mcp;
mod patch;
mod ui;
mod visibility;
