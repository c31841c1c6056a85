//! What a host connects.

pub(crate) mod computer;
mod corpus;
mod dice;
mod files;
mod mcp;
mod patch;
mod ui;
mod visibility;
