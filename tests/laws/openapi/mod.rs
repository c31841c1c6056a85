//! Documents of others, taken in and called.

mod connection;
mod corpus;
mod echo;
mod intake;
mod peers;
mod removal;
mod table;
mod world;
