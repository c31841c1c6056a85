//! Runs tests by their names, and says whether they held.

use std::process::{Command, Stdio};

use super::tree::Tree;
use crate::{
    failure::Failure,
    process::{self, Running},
    test::{CargoOutput, Counts, Output},
};

/// Where a test is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Suite {
    /// Beside what it tests.
    Unit,
    /// In the laws.
    Laws,
}

/// What came of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// All passed.
    Passed,
    /// At least one failed.
    Failed,
}

/// Runs the tests of exactly these names.
pub(super) fn run(tree: &Tree, suite: Suite, names: &[&str]) -> Result<Verdict, Failure> {
    // By itself, so that what doesn't compile says so and counts as nothing caught.
    process::run(cargo(tree, suite).arg("--no-run"))?;
    let mut cargo = cargo(tree, suite);
    cargo.args(["--", "--exact"]).args(names).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut output = CargoOutput::default();
    let mut lines = Vec::new();
    let status = Running::start(&mut cargo)?.lines(|line| {
        output.take(line);
        lines.push(line.to_owned());
    })?;
    verdict(output.counts(), names.len(), status.success())
        .inspect(|verdict| told(*verdict, names, &lines))
        .ok_or_else(|| Failure::step("run the tests that are named", &lines.join("\n")))
}

fn cargo(tree: &Tree, suite: Suite) -> Command {
    let mut cargo = Command::new(process::cargo());
    cargo.args(["test", "--locked", "--quiet", "--package", "mycelium"]);
    match suite {
        Suite::Unit => cargo.arg("--lib"),
        Suite::Laws => cargo.args(["--test", "laws"]),
    };
    cargo.current_dir(tree.root()).env("CARGO_TARGET_DIR", tree.target());
    // What is broken may leave something unused, and says by itself where it panicked.
    cargo.env("RUSTFLAGS", "--cap-lints allow").env("RUST_BACKTRACE", "0");
    cargo
}

/// None when not exactly these tests ran: one is gone, or nothing compiles.
fn verdict(counts: Counts, asked: usize, succeeded: bool) -> Option<Verdict> {
    let ran = usize::try_from(counts.run()).is_ok_and(|ran| ran == asked);
    match (ran, counts.failed > 0, succeeded) {
        (true, false, true) => Some(Verdict::Passed),
        (true, true, false) => Some(Verdict::Failed),
        _ => None,
    }
}

/// Shows why several fail that should all have passed.
fn told(verdict: Verdict, names: &[&str], lines: &[String]) {
    if verdict == Verdict::Failed && names.len() > 1 {
        eprintln!("{}", lines.join("\n"));
    }
}

#[cfg(test)]
mod tests {
    use super::{Counts, Verdict, verdict};

    #[test]
    fn only_a_test_that_ran_says_anything() {
        let ran = |passed, failed, succeeded| {
            verdict(Counts { passed, failed, skipped: 0 }, 2, succeeded)
        };
        assert_eq!(ran(2, 0, true), Some(Verdict::Passed));
        assert_eq!(ran(1, 1, false), Some(Verdict::Failed));
        for (passed, failed, succeeded) in
            [(0, 0, true), (0, 0, false), (1, 0, true), (3, 0, true), (2, 0, false), (1, 1, true)]
        {
            assert_eq!(ran(passed, failed, succeeded), None, "{passed} {failed} {succeeded}");
        }
    }
}
