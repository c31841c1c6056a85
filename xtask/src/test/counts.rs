//! Counts tests by what their runners print. Nothing is counted that wasn't printed.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

/// How many tests ended how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) passed: u32,
    pub(crate) failed: u32,
    pub(crate) skipped: u32,
}

impl Counts {
    /// Those that were run.
    pub(crate) fn run(self) -> u32 {
        self.passed.saturating_add(self.failed)
    }

    /// Both together.
    pub(super) fn plus(self, other: Self) -> Self {
        Self {
            passed: self.passed.saturating_add(other.passed),
            failed: self.failed.saturating_add(other.failed),
            skipped: self.skipped.saturating_add(other.skipped),
        }
    }
}

/// A runner's output, read line by line.
pub(crate) trait Output {
    /// Reads a line and says whether people want to see it.
    fn take(&mut self, line: &str) -> bool;

    /// What the lines so far amount to.
    fn counts(&self) -> Counts;
}

/// `cargo test`: one result line per test program.
#[derive(Debug, Default)]
pub(crate) struct CargoOutput(Counts);

impl Output for CargoOutput {
    fn take(&mut self, line: &str) -> bool {
        let Some((_, numbers)) =
            line.strip_prefix("test result: ").and_then(|rest| rest.split_once(". "))
        else {
            return true;
        };
        let count = |name| {
            numbers
                .split("; ")
                .find_map(|part| part.strip_suffix(name)?.trim().parse().ok())
                .unwrap_or(0)
        };
        let more =
            Counts { passed: count("passed"), failed: count("failed"), skipped: count("ignored") };
        self.0 = self.0.plus(more);
        true
    }

    fn counts(&self) -> Counts {
        self.0
    }
}

/// `node --test` with the spec reporter: its summary says each number once, at the end.
#[derive(Debug, Default)]
pub(super) struct NodeOutput {
    passed: u32,
    failed: u32,
    cancelled: u32,
    skipped: u32,
    todo: u32,
}

impl Output for NodeOutput {
    fn take(&mut self, line: &str) -> bool {
        let Some((name, number)) = line.strip_prefix("ℹ ").and_then(|rest| rest.split_once(' '))
        else {
            return true;
        };
        let field = match name {
            "pass" => &mut self.passed,
            "fail" => &mut self.failed,
            "cancelled" => &mut self.cancelled,
            "skipped" => &mut self.skipped,
            "todo" => &mut self.todo,
            _ => return true,
        };
        if let Ok(number) = number.parse() {
            *field = number;
        }
        true
    }

    fn counts(&self) -> Counts {
        Counts {
            passed: self.passed,
            failed: self.failed.saturating_add(self.cancelled),
            skipped: self.skipped.saturating_add(self.todo),
        }
    }
}

/// `tsc --listFiles`: problems first, each with its place, then every file that was looked at.
#[derive(Debug)]
pub(super) struct TscOutput {
    root: PathBuf,
    checked: BTreeSet<String>,
    wrong: BTreeSet<String>,
}

impl TscOutput {
    /// The files of ours are those under `root` that are neither packages nor built.
    pub(super) fn of(root: &Path) -> Self {
        Self { root: root.to_path_buf(), checked: BTreeSet::new(), wrong: BTreeSet::new() }
    }
}

impl Output for TscOutput {
    fn take(&mut self, line: &str) -> bool {
        if let Some((file, _)) =
            line.split_once("): error TS").and_then(|(place, _)| place.rsplit_once('('))
        {
            self.wrong.insert(file.to_owned());
            return true;
        }
        let path = Path::new(line);
        if !path.is_absolute() {
            return true;
        }
        if let Ok(file) = path.strip_prefix(&self.root)
            && !file.starts_with("node_modules")
            && !file.starts_with("build")
        {
            self.checked.insert(file.to_string_lossy().into_owned());
        }
        false
    }

    fn counts(&self) -> Counts {
        let all = self.checked.union(&self.wrong).count();
        let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        Counts {
            passed: count(all.saturating_sub(self.wrong.len())),
            failed: count(self.wrong.len()),
            skipped: 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{CargoOutput, Counts, NodeOutput, Output, TscOutput};

    fn read(mut output: impl Output, text: &str) -> Counts {
        for line in text.lines() {
            output.take(line);
        }
        output.counts()
    }

    #[test]
    fn cargo_results_add_up_over_test_programs() {
        let text = "running 2 tests\ntest a ... ok\n\
            test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 3 filtered out; finished in 0.1s\n\
            test result: FAILED. 4 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.0s";
        let wanted = Counts { passed: 16, failed: 2, skipped: 1 };
        assert_eq!(read(CargoOutput::default(), text), wanted);
    }

    #[test]
    fn a_cancelled_node_test_failed_and_one_to_do_was_skipped() {
        let text = "✔ a (1ms)\nℹ tests 9\nℹ suites 0\nℹ pass 4\nℹ fail 1\nℹ cancelled 2\n\
            ℹ skipped 1\nℹ todo 1\nℹ duration_ms 79";
        let wanted = Counts { passed: 4, failed: 3, skipped: 2 };
        assert_eq!(read(NodeOutput::default(), text), wanted);
    }

    #[test]
    fn a_file_with_two_type_errors_fails_once() {
        let text = "a.js(1,2): error TS1: no\na.js(3,4): error TS2: no\n  more\n\
            /w/node_modules/x.d.ts\n/w/build/worker/host.js\n/w/a.js\n/w/b.js\n/other/c.js";
        let wanted = Counts { passed: 1, failed: 1, skipped: 0 };
        assert_eq!(read(TscOutput::of(Path::new("/w")), text), wanted);
    }

    #[test]
    fn nothing_printed_is_nothing_counted() {
        assert_eq!(read(CargoOutput::default(), "error: could not compile"), Counts::default());
        assert_eq!(read(NodeOutput::default(), "Could not find 'x'"), Counts::default());
        assert_eq!(read(TscOutput::of(Path::new("/w")), ""), Counts::default());
    }
}
