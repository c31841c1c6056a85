//! What a host connects.

mod corpus;
mod dice;
mod patch;
mod visibility;
