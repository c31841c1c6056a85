//! The magic pen.

mod book;
mod decide;
mod sandbox;
mod state;
mod world;
mod write;
mod writer;
