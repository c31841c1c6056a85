//! How much of everything one execution may use.

use serde::{Deserialize, Serialize};

/// The bounds of one execution. A host may change them, a guest can't.
///
/// Source of the numbers: laws D22.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// The whole time in milliseconds, from 1 to 900 000.
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
}

impl Limits {
    /// The most CPU milliseconds that the platform gives an isolate.
    pub const PLATFORM_CPU_MS: u64 = 300_000;

    /// The default bounds with another time.
    #[must_use]
    pub fn with_timeout(timeout_ms: u64) -> Self {
        let timeout_ms = timeout_ms.clamp(1, 900_000);
        Self {
            timeout_ms,
            grace_ms: 5_000,
            cpu_ms: timeout_ms.min(Self::PLATFORM_CPU_MS),
            code_bytes: 256 * 1_024,
            calls: 10_000,
            frame_bytes: 8 * 1_024 * 1_024,
            result_bytes: 1_024 * 1_024,
            log_bytes: 64 * 1_024,
            log_lines: 1_000,
        }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self::with_timeout(180_000)
    }
}
