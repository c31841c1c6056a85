//! What only the host's owner knows.

/// Reads secrets by the names that the owner gave them.
///
/// A configuration holds names only; the value is read when it is used, and goes
/// nowhere but to where the owner sends it.
pub trait Secrets {
    /// The secret of this name; none when it isn't set.
    fn secret(&self, name: &str) -> Option<String>;
}
