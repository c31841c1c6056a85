//! HTTP in and out: the stateless side of the Worker.

mod body;
mod forward;
mod gate;
mod respond;

pub(super) use forward::Forwarded;
pub(super) use gate::gate;
pub(super) use respond::{config_text, response};
