//! When an invocation's time is over.

/// The end of one invocation's time, fixed when it arrives.
///
/// Waiting in a queue counts against it; nothing starts it again.
///
/// ```
/// use mycelium::runtime::admission::Deadline;
///
/// let deadline = Deadline::new(1_000, 500);
/// assert_eq!(deadline.at_ms(), 1_500);
/// assert_eq!(deadline.remaining_ms(1_450), 50);
/// assert_eq!(deadline.remaining_ms(9_000), 0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deadline {
    at_ms: u64,
    timeout_ms: u64,
}

impl Deadline {
    /// The end of an invocation that arrived at `arrived_ms` and has `timeout_ms`.
    #[must_use]
    pub fn new(arrived_ms: u64, timeout_ms: u64) -> Self {
        Self { at_ms: arrived_ms.saturating_add(timeout_ms), timeout_ms }
    }

    /// The first moment that is too late, in milliseconds of the host's clock.
    #[must_use]
    pub fn at_ms(self) -> u64 {
        self.at_ms
    }

    /// The whole time that the invocation was given, in milliseconds.
    #[must_use]
    pub fn timeout_ms(self) -> u64 {
        self.timeout_ms
    }

    /// What is left of it: the most that a program admitted now may use.
    #[must_use]
    pub fn remaining_ms(self, now_ms: u64) -> u64 {
        self.at_ms.saturating_sub(now_ms)
    }
}
