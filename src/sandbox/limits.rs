//! How much of everything one runtime lets its executions use.

use std::{fmt, ops::RangeInclusive};

use crate::limits::{
    CALLS, CODE_BYTES, DESCRIPTION_BYTES, FRAME_BYTES, GRACE_MS, LOG_BYTES, LOG_LINES,
    LONGEST_TIMEOUT_MS, RESULT_BYTES, SNAPSHOT_OPERATIONS, TIMEOUT_MS,
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
    /// Bytes of the program's text.
    pub code_bytes: usize,
    /// Calls of operations.
    pub calls: u64,
    /// Bytes of one frame on the wire, and so of one input or output.
    pub frame_bytes: usize,
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

    /// The default bounds with another time.
    #[must_use]
    pub fn with_timeout(timeout_ms: u64) -> Self {
        Self {
            timeout_ms,
            grace_ms: GRACE_MS,
            cpu_ms: timeout_ms.min(Self::PLATFORM_CPU_MS),
            code_bytes: CODE_BYTES,
            calls: CALLS,
            frame_bytes: FRAME_BYTES,
            result_bytes: RESULT_BYTES,
            log_bytes: LOG_BYTES,
            log_lines: LOG_LINES,
            snapshot_operations: SNAPSHOT_OPERATIONS,
            description_bytes: DESCRIPTION_BYTES,
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
