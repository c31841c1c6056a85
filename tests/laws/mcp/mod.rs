//! The server: what it answers to whom, and what it keeps to itself.

mod approvals;
mod authority;
mod http;
mod lifecycle;
mod opening;
mod seats;
mod stateless;
mod streams;
mod tokens;
mod traces;
mod world;
