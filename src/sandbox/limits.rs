//! How much of everything one runtime lets its executions use.

use std::{fmt, ops::RangeInclusive};

use serde::Serialize;

use crate::limits::{
    CALLS, CODE_BYTES, DESCRIPTION_BYTES, FLIGHT_BYTES, FRAME_BYTES, GRACE_MS, LOG_BYTES,
    LOG_LINES, LONGEST_TIMEOUT_MS, RESULT_BYTES, SNAPSHOT_OPERATIONS, SUBREQUESTS, TIMEOUT_MS,
};

/// The bounds of a runtime. A host may change them, a guest can't.
///
/// Each begins as its number in the [table](crate::limits).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The whole time in milliseconds, from 1 to [`LONGEST_TIMEOUT_MS`].
    pub timeout_ms: u64,
    /// How long a sandbox has to acknowledge a cancellation, in milliseconds.
    pub grace_ms: u64,
    /// CPU milliseconds the isolate gets, forwarded to the loader.
    pub cpu_ms: u64,
    /// Requests the isolate may make, forwarded to the loader.
    pub subrequests: u64,
    /// Bytes of the program's text.
    pub code_bytes: usize,
    /// Calls of operations.
    pub calls: u64,
    /// Bytes of one frame on the wire, and so of one input or output.
    pub frame_bytes: usize,
    /// Bytes of the inputs of all calls under way at once. What a hostile guest makes wait
    /// besides is bounded by this and one frame more.
    pub flight_bytes: usize,
    /// Bytes of the answer as JSON.
    pub result_bytes: usize,
    /// Bytes of all log lines together.
    pub log_bytes: usize,
    /// Log lines.
    pub log_lines: usize,
    /// Operations in one source's snapshot.
    pub snapshot_operations: usize,
    /// Bytes of the execute tool's description.
    pub description_bytes: usize,
}

impl Limits {
    /// The most CPU milliseconds that the platform gives an isolate.
    pub const PLATFORM_CPU_MS: u64 = 300_000;

    /// The times there are, in milliseconds.
    pub const TIMEOUTS_MS: RangeInclusive<u64> = 1..=LONGEST_TIMEOUT_MS;
    /// The most subrequests that the platform can be told: it takes a 32-bit number.
    pub const PLATFORM_SUBREQUESTS: u64 = u32::MAX as u64;

    /// The default bounds with another time.
    #[must_use]
    pub fn with_timeout(timeout_ms: u64) -> Self {
        Self {
            timeout_ms,
            grace_ms: GRACE_MS,
            cpu_ms: timeout_ms.min(Self::PLATFORM_CPU_MS),
            subrequests: SUBREQUESTS,
            code_bytes: CODE_BYTES,
            calls: CALLS,
            frame_bytes: FRAME_BYTES,
            flight_bytes: FLIGHT_BYTES,
            result_bytes: RESULT_BYTES,
            log_bytes: LOG_BYTES,
            log_lines: LOG_LINES,
            snapshot_operations: SNAPSHOT_OPERATIONS,
            description_bytes: DESCRIPTION_BYTES,
        }
    }

    /// The same with so many milliseconds left: time that has passed is no CPU time either.
    #[must_use]
    pub fn within(mut self, remaining_ms: u64) -> Self {
        self.timeout_ms = self.timeout_ms.min(remaining_ms);
        self.cpu_ms = self.cpu_ms.min(remaining_ms);
        self
    }

    /// What the loader is told, each within what the platform takes.
    #[must_use]
    pub fn of_isolate(&self) -> IsolateLimits {
        IsolateLimits {
            cpu_ms: self.cpu_ms.min(self.timeout_ms).clamp(1, Self::PLATFORM_CPU_MS),
            subrequests: self.subrequests.min(Self::PLATFORM_SUBREQUESTS),
        }
    }

    /// Whether a runtime can be held to them.
    ///
    /// # Errors
    ///
    /// A [`LimitError`] for a time of 0 or over [`LONGEST_TIMEOUT_MS`].
    pub fn check(&self) -> Result<(), LimitError> {
        match self.timeout_ms {
            known if Self::TIMEOUTS_MS.contains(&known) => Ok(()),
            found => Err(LimitError { key: "timeout_ms", found }),
        }
    }
}

/// The limits that the platform holds an isolate to, where it holds it to any.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct IsolateLimits {
    /// CPU milliseconds, from 1 to [`Limits::PLATFORM_CPU_MS`].
    #[serde(rename = "cpuMs")]
    pub cpu_ms: u64,
    /// Requests, at most [`Limits::PLATFORM_SUBREQUESTS`].
    #[serde(rename = "subRequests")]
    pub subrequests: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self::with_timeout(TIMEOUT_MS)
    }
}

/// A bound that can't be kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LimitError {
    key: &'static str,
    found: u64,
}

impl fmt::Display for LimitError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { key, found } = self;
        write!(
            formatter,
            "{key} is {found}: a whole number from 1 to {LONGEST_TIMEOUT_MS} is accepted"
        )
    }
}

impl std::error::Error for LimitError {}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Limits;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn an_isolate_gets_the_tightest_of_its_limits_and_the_platforms(
            cpu_ms: u64, timeout_ms in 1..900_001_u64, remaining_ms: u64, subrequests: u64,
        ) {
            let limits = Limits { cpu_ms, subrequests, ..Limits::with_timeout(timeout_ms) };
            let told = limits.within(remaining_ms).of_isolate();
            let tightest = cpu_ms.min(timeout_ms).min(remaining_ms).min(300_000);
            prop_assert_eq!(told.cpu_ms, tightest.max(1));
            prop_assert_eq!(told.subrequests, subrequests.min(4_294_967_295));
        }
    }
}
