//! The time, by `Date.now()`: the standard library's clock panics here.

use crate::port::Clock;

pub(super) struct PlatformClock;

impl Clock for PlatformClock {
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "milliseconds since 1970 are whole, positive and below 2^53"
    )]
    fn now_ms(&self) -> u64 {
        js_sys::Date::now() as u64
    }
}
