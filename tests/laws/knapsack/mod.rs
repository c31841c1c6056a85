//! What a host connects.

mod computer;
mod corpus;
mod dice;
mod files;
mod patch;
mod ui;
mod visibility;
