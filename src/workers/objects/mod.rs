//! The Durable Objects' own logic; their classes are in `entry.mjs`.

mod catalog;
mod connection;
mod principal;
mod upstream;

pub(super) use catalog::ObjectCatalog;
pub(super) use connection::ConnectionState;
pub(super) use principal::PrincipalState;
pub(super) use upstream::UpstreamState;
