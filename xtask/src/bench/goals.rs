//! What the runtime's work may cost in an isolate.

use std::fmt::Write as _;

use crate::measure::Work;

/// The most that four times as much may take, in times.
const LINEAR: f64 = 5.0;

/// Below this a difference is the machine's, not the work's, in milliseconds.
const NOISE_MS: f64 = 1.0;

/// A graph of so many operations is ready, the first time, in so many milliseconds of
/// processor time and bytes of memory.
const GRAPH: (u64, f64, u64) = (3_000, 150.0, 25 * 1_024 * 1_024);

/// One line for each size.
pub(super) fn table(work: &[Work]) -> String {
    let mut text = format!(
        "{:<11} {:>7} {:>9} {:>9} {:>7} {:>9}",
        "work", "size", "first ms", "then ms", "times", "MiB"
    );
    for (position, one) in work.iter().enumerate() {
        let times = times(work, position).map_or_else(String::new, |times| format!("{times:.1}"));
        let Work { name, size, cold_ms, warm_ms, .. } = one;
        // Writing to a string can't fail.
        let _ = write!(
            text,
            "\n{name:<11} {size:>7} {cold_ms:>9.3} {warm_ms:>9.3} {times:>7} {:>9.1}",
            mebibytes(one.bytes)
        );
    }
    text
}

/// How many times as long as a quarter of it takes, where a quarter was measured.
fn times(work: &[Work], position: usize) -> Option<f64> {
    let one = work.get(position)?;
    let is_quarter =
        |less: &&Work| less.name == one.name && less.size.checked_mul(4) == Some(one.size);
    work.iter().find(is_quarter).map(|quarter| one.warm_ms / quarter.warm_ms)
}

/// Everything that is over its goal, by name.
pub(super) fn over(work: &[Work]) -> Vec<String> {
    let mut over = Vec::new();
    for (position, one) in work.iter().enumerate() {
        let linear = times(work, position).is_none_or(|times| times <= LINEAR);
        if !linear && one.warm_ms > NOISE_MS {
            over.push(format!("{} {} is more than {LINEAR} times a quarter", one.name, one.size));
        }
    }
    let (size, ms, bytes) = GRAPH;
    for one in work.iter().filter(|one| one.name == "graph" && one.size == size) {
        if one.cold_ms > ms {
            over.push(format!("a graph of {size} takes {:.0} ms, not {ms}", one.cold_ms));
        }
        if one.bytes > bytes {
            over.push(format!("a graph of {size} takes {:.1} MiB", mebibytes(one.bytes)));
        }
    }
    over
}

#[allow(clippy::cast_precision_loss, reason = "far below 2^53")]
fn mebibytes(bytes: u64) -> f64 {
    bytes as f64 / 1_048_576.0
}

#[cfg(test)]
mod tests {
    use super::{Work, over};

    fn work(size: u64, ms: f64, mebibytes: u64) -> Work {
        let bytes = mebibytes.saturating_mul(1_048_576);
        Work { name: "graph".to_owned(), size, cold_ms: ms, warm_ms: ms, p50_ms: ms, bytes }
    }

    fn said(work: &[Work]) -> String {
        over(work).join("; ")
    }

    #[test]
    fn what_is_within_its_goal_passes() {
        assert_eq!(
            said(&[work(750, 30.0, 5), work(3_000, 149.0, 25), work(12_000, 700.0, 99)]),
            ""
        );
        assert_eq!(said(&[work(750, 0.01, 1), work(3_000, 0.9, 1)]), "", "too little to tell");
    }

    #[test]
    fn what_is_over_its_goal_is_named() {
        let said = said(&[work(750, 20.0, 5), work(1_000, 30.0, 9), work(3_000, 151.0, 26)]);
        for part in ["5 times a quarter", "151 ms, not 150", "26.0 MiB"] {
            assert!(said.contains(part), "{said}");
        }
    }
}
