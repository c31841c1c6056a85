//! Documents of others, taken in and called.

mod corpus;
mod removal;
