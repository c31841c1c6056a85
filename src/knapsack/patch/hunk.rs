//! One place to change: which lines stay, go and come.

use super::line::{Ending, Line};

/// What happens to a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Keep,
    Remove,
    Add,
}

/// One line of a hunk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct HunkLine {
    pub(super) kind: Kind,
    pub(super) text: String,
    /// As the patch shows it.
    pub(super) ending: Ending,
}

/// One hunk.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Hunk {
    /// Lines of the file that come before it, the outer first.
    pub(super) anchors: Vec<String>,
    /// The first line that it is said to change, from 0.
    pub(super) said_at: Option<usize>,
    /// Whether its lines are said to be the last of the file.
    pub(super) at_end: bool,
    pub(super) lines: Vec<HunkLine>,
}

impl Hunk {
    /// The lines that the file must hold.
    pub(super) fn old(&self) -> impl Iterator<Item = &HunkLine> {
        self.lines.iter().filter(|line| line.kind != Kind::Add)
    }

    pub(super) fn old_count(&self) -> usize {
        self.old().count()
    }

    pub(super) fn new_count(&self) -> usize {
        self.lines.iter().filter(|line| line.kind != Kind::Remove).count()
    }

    pub(super) fn changes(&self) -> bool {
        self.lines.iter().any(|line| line.kind != Kind::Keep)
    }

    /// Takes one line of the patch in; whether it is a line of a hunk.
    ///
    /// A line that is empty altogether is a blank line that stays: its space was lost
    /// on the way.
    pub(super) fn take(&mut self, line: Line<'_>) -> bool {
        let (kind, text) = match line.text.split_at_checked(1) {
            None => (Kind::Keep, ""),
            Some((" ", text)) => (Kind::Keep, text),
            Some(("-", text)) => (Kind::Remove, text),
            Some(("+", text)) => (Kind::Add, text),
            Some(_) => return false,
        };
        // The patch may end with the line: that says nothing of the file.
        let ending = if line.ending == Ending::None { Ending::Lf } else { line.ending };
        self.lines.push(HunkLine { kind, text: text.to_owned(), ending });
        true
    }

    /// Takes `\ No newline at end of file` in, which is about the line before it; whether
    /// there is one.
    pub(super) fn end_open(&mut self) -> bool {
        self.lines.last_mut().map(|last| last.ending = Ending::None).is_some()
    }

    /// Takes away the blank lines at the end that only part it from what follows.
    pub(super) fn trim(&mut self, spacers: usize) {
        self.lines.truncate(self.lines.len().saturating_sub(spacers));
    }
}
