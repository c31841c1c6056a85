//! MCP servers as connections.

mod calls;
mod connecting;
mod fake;
mod faults;
mod owner;
mod sign_in;
mod speaking;
mod tools;
