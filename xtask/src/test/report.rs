//! The one table at the end, and the verdict.

use std::{fmt, time::Duration};

use super::{counts::Counts, suite::Ran};
use crate::failure::Failure;

/// What every suite did.
#[derive(Debug, Default)]
pub(super) struct Report {
    lines: Vec<Line>,
}

#[derive(Debug)]
struct Line {
    name: &'static str,
    counts: Counts,
    took: Duration,
    problem: Option<String>,
}

impl Report {
    /// Adds one suite: it is well when its runner was content, nothing failed, and something ran.
    pub(super) fn add(
        &mut self,
        name: &'static str,
        outcome: Result<Ran, Failure>,
        took: Duration,
    ) {
        let ran = outcome.as_ref().copied().unwrap_or_default();
        self.lines.push(Line { name, counts: ran.counts, took, problem: problem(outcome) });
    }

    /// Fails when any suite isn't well.
    pub(super) fn verdict(&self) -> Result<(), Failure> {
        let bad: Vec<&str> =
            self.lines.iter().filter(|line| line.problem.is_some()).map(|line| line.name).collect();
        if bad.is_empty() {
            return Ok(());
        }
        Err(Failure::verdict(format!("tests failed: {}", bad.join(", "))))
    }

    fn total(&self) -> Counts {
        self.lines.iter().fold(Counts::default(), |sum, line| sum.plus(line.counts))
    }
}

fn problem(outcome: Result<Ran, Failure>) -> Option<String> {
    match outcome {
        Err(failure) => Some(failure.to_string()),
        Ok(Ran { counts, .. }) if counts.failed > 0 => Some(format!("{} failed", counts.failed)),
        Ok(Ran { counts, .. }) if counts.run() == 0 => Some("no test was run".to_owned()),
        Ok(Ran { succeeded: false, .. }) => Some("the runner failed, see above".to_owned()),
        Ok(_) => None,
    }
}

impl fmt::Display for Report {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(formatter, "\nsuite         run  passed  failed  skipped  seconds")?;
        for Line { name, counts, took, problem } in &self.lines {
            writeln!(
                formatter,
                "{name:<10} {:>6}  {:>6}  {:>6}  {:>7}  {:>7.1}  {}",
                counts.run(),
                counts.passed,
                counts.failed,
                counts.skipped,
                took.as_secs_f64(),
                problem.as_deref().unwrap_or("ok"),
            )?;
        }
        let Counts { passed, failed, skipped } = self.total();
        write!(formatter, "\ntotal: {passed} passed, {failed} failed, {skipped} skipped")
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Counts, Failure, Ran, Report};

    fn verdict(outcome: Result<Ran, Failure>) -> Result<(), String> {
        let mut report = Report::default();
        report.add("native", outcome, Duration::ZERO);
        report.verdict().map_err(|failure| failure.to_string())
    }

    #[test]
    fn a_suite_is_well_only_when_something_ran_and_all_of_it_passed() {
        let ran = |passed, failed, skipped, succeeded| {
            verdict(Ok(Ran { counts: Counts { passed, failed, skipped }, succeeded }))
        };
        assert_eq!(ran(3, 0, 1, true), Ok(()));
        assert!(ran(0, 0, 0, true).is_err());
        assert!(ran(0, 0, 5, true).is_err());
        assert!(ran(3, 1, 0, true).is_err());
        assert!(ran(3, 0, 0, false).is_err());
        assert!(verdict(Err(Failure::verdict("no build"))).is_err());
    }
}
