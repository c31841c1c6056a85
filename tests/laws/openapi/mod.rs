//! Documents of others, taken in and called.

mod corpus;
mod peers;
mod removal;
mod world;
