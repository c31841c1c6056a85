//! What is wrong in a configuration.

use std::fmt;

/// One wrong key: what it is, what was found, what is accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError {
    key: &'static str,
    found: String,
    accepted: String,
}

impl ConfigError {
    pub(super) fn new(key: &'static str, found: &str, accepted: &str) -> Self {
        Self { key, found: crate::failure::bounded(found, 100), accepted: accepted.to_owned() }
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} is {:?}: {} is accepted", self.key, self.found, self.accepted)
    }
}

impl std::error::Error for ConfigError {}
