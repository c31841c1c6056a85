//! One computer: a provider that says what it can do and does it.
//!
//! Owns the contract of a [provider](Computer), reading what it advertises, and the module
//! that this becomes. Doesn't own what the operations do, where they keep things, or who may
//! call them: the provider admits each call by itself.
//!
//! An advertisement is an object with `operations`: by key, an object with `input`, a JSON
//! Schema, and perhaps `output`, another one, `description`, `notes` and `instructions`.
//! Anything else makes the whole of it unusable. It can't say that an operation only reads,
//! so all of them are writes, and none is ever sent twice.
//!
//! Spec: 004, `Knapsack.computer`.

mod advertisement;
mod connection;
mod https;
mod provider;
mod source;
mod wire;

pub use advertisement::{Advertised, Advertisement, AdvertisementError};
pub use connection::Connection;
pub use https::{EndpointError, HttpsComputer, is_endpoint};
pub use provider::{Computer, ComputerError};
pub use source::ComputerSource;
pub(super) use source::described;
pub use wire::{answer, call_body};
