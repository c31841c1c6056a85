//! The pen's parts on the platform: its books in objects, its isolates, Workers AI.

mod ai;
mod books;
mod isolates;

pub(super) use ai::AiWriter;
pub(super) use books::ObjectBooks;
pub(super) use isolates::RunnerIsolates;
