//! The one link between what a model is told and what the operator can look up.

use std::fmt;

/// A random name for one occurrence of a failure, as 16 hexadecimal digits.
///
/// It stands in the model's text and in the operator's log line, and nothing
/// else connects the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reference(u64);

impl Reference {
    /// A reference made of random bits.
    #[must_use]
    pub fn new(random: u64) -> Self {
        Self(random)
    }
}

impl fmt::Display for Reference {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:016x}", self.0)
    }
}
