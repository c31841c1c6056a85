//! What a host connects.

mod corpus;
mod patch;
