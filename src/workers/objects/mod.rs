//! The Durable Objects' own logic; their classes are in `entry.mjs`.

mod catalog;
mod connection;
mod pen;
mod principal;
mod upstream;

pub(super) use catalog::{ObjectCatalog, set_grants};
pub(super) use connection::ConnectionState;
pub(super) use pen::{PENS, PenOrder, PenState};
pub(super) use principal::PrincipalState;
pub(super) use upstream::UpstreamState;
