//! What a bound Worker asks, and what it is answered.

mod access;
mod disposal;
mod grants;
mod replies;
mod requests;
mod world;
