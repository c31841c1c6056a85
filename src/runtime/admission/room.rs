//! How much the platform was last seen to take.

/// The pause before the first program is tried again, in milliseconds.
const FIRST_PAUSE_MS: u64 = 50;
/// Pauses double with every refusal up to this: a full platform is asked some hundred
/// times in the longest wait, not tens of thousands of times.
const LONGEST_PAUSE_MS: u64 = 2_000;

/// What bounds the programs that run at once, beside the capacity.
///
/// After a refusal by the platform no more run than ran beside the refused one, and
/// one more is tried after each pause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Room {
    /// Nothing was refused lately.
    Free,
    /// The platform refused one more than `limit`.
    Narrowed { limit: u64, probe_ms: u64, pause_ms: u64 },
}

impl Room {
    /// How many may run.
    pub(super) fn limit(self, capacity: u64) -> u64 {
        match self {
            Self::Free => capacity,
            Self::Narrowed { limit, .. } => limit.min(capacity),
        }
    }

    /// When one more is tried.
    pub(super) fn probe_ms(self) -> Option<u64> {
        match self {
            Self::Free => None,
            Self::Narrowed { probe_ms, .. } => Some(probe_ms),
        }
    }

    /// After a refusal while `running` others ran.
    pub(super) fn narrowed(self, now_ms: u64, running: u64) -> Self {
        let pause_ms = match self {
            Self::Free => FIRST_PAUSE_MS,
            Self::Narrowed { pause_ms, .. } => pause_ms.saturating_mul(2).min(LONGEST_PAUSE_MS),
        };
        Self::Narrowed { limit: running, probe_ms: now_ms.saturating_add(pause_ms), pause_ms }
    }

    /// With one more for every pause that has passed. It is free again when the pause
    /// after the last one brought no refusal: until then the pauses stay as long.
    pub(super) fn widened(self, now_ms: u64, capacity: u64) -> Self {
        let Self::Narrowed { limit, probe_ms, pause_ms } = self else { return self };
        let Some(late_ms) = now_ms.checked_sub(probe_ms) else { return self };
        let pauses = late_ms.checked_div(pause_ms).unwrap_or(0).saturating_add(1);
        let limit = limit.saturating_add(pauses);
        if limit > capacity {
            return Self::Free;
        }
        let probe_ms = probe_ms.saturating_add(pauses.saturating_mul(pause_ms));
        Self::Narrowed { limit, probe_ms, pause_ms }
    }
}
