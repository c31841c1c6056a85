//! HTTP in and out: the stateless side of the Worker.

mod body;
mod forward;
mod gate;
mod hold;
mod respond;

pub(super) use body::text;
pub(super) use forward::Order;
pub(super) use gate::{CONNECTIONS, authenticator, gate};
pub(super) use hold::{Hold, Holds};
pub(super) use respond::{config_text, response};
