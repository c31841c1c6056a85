//! Moments as a pen names them: days of UTC, and ISO 8601.

/// Milliseconds of a day.
const DAY_MS: u64 = 86_400_000;

/// The day in UTC of a moment in milliseconds since 1970, as `yyyymmdd`.
#[must_use]
pub(crate) fn day(at_ms: u64) -> String {
    let (year, month, day) = civil(at_ms / DAY_MS);
    format!("{year:04}{month:02}{day:02}")
}

/// The same moment as ISO 8601 in UTC, with its milliseconds.
#[must_use]
pub(crate) fn iso8601(at_ms: u64) -> String {
    let (year, month, day) = civil(at_ms / DAY_MS);
    let ms = at_ms % DAY_MS;
    let (hours, minutes, seconds) = (ms / 3_600_000, ms / 60_000 % 60, ms / 1_000 % 60);
    let thousandths = ms % 1_000;
    format!("{year:04}-{month:02}-{day:02}T{hours:02}:{minutes:02}:{seconds:02}.{thousandths:03}Z")
}

/// Year, month and day, by counting years and then months: a moment of ours is at most a few
/// hundred years away.
fn civil(mut days: u64) -> (u64, u64, u64) {
    let mut year = 1970_u64;
    while year < 9_999 && days >= length(year) {
        days = days.saturating_sub(length(year));
        year = year.saturating_add(1);
    }
    let february = length(year).saturating_sub(337);
    let months = [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 1_u64;
    for length in months {
        if days < length {
            break;
        }
        days = days.saturating_sub(length);
        month = month.saturating_add(1);
    }
    (year, month, days.saturating_add(1))
}

fn length(year: u64) -> u64 {
    let leap = year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400);
    if leap { 366 } else { 365 }
}

#[cfg(test)]
mod tests {
    use super::{day, iso8601};

    #[test]
    fn a_moment_has_the_day_of_utc() {
        for (at_ms, expected) in [
            (0, "19700101"),
            (951_782_400_000, "20000229"),
            (1_709_164_800_000 - 1, "20240228"),
            (1_709_164_800_000, "20240229"),
            (1_777_593_600_000, "20260501"),
            (1_798_761_599_999, "20261231"),
            (1_798_761_600_000, "20270101"),
        ] {
            assert_eq!(day(at_ms), expected);
        }
        assert_eq!(iso8601(1_777_593_600_000 + 45_296_007), "2026-05-01T12:34:56.007Z");
    }
}
