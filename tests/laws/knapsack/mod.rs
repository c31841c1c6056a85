//! What a host connects.

mod corpus;
mod dice;
mod files;
mod patch;
mod visibility;
