//! The Durable Objects' own logic; their classes are in `entry.mjs`.

mod connection;

pub(super) use connection::ConnectionState;
