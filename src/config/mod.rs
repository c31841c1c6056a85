//! What the owner of a deployment chooses.
//!
//! Owns decoding, strictly and all errors at once. Values come as the Worker's
//! variables, each named `MYCELIUM_` and a key.

mod error;
mod settings;
mod tokens;

pub use error::ConfigError;
pub use settings::Settings;
