//! Reading a patch line by line.

use super::{
    PatchError,
    line::{Ending, Line, lines},
};

/// The lines of a patch, and where one is in them.
pub(super) struct Cursor<'a> {
    lines: Vec<Line<'a>>,
    next: usize,
    /// How many lines before these the patch as it was sent has.
    skipped: usize,
}

impl<'a> Cursor<'a> {
    /// All lines of `text`.
    ///
    /// A patch whose every line ends with CRLF was sent so: its own endings say
    /// nothing about the files, see [`was_sent_with_crlf`].
    pub(super) fn new(text: &'a str) -> Self {
        Self { lines: lines(text).collect(), next: 0, skipped: 0 }
    }

    /// Only the lines from `from` up to `to`, both counted from 0.
    pub(super) fn within(mut self, from: usize, to: usize) -> Self {
        self.lines.truncate(to);
        self.lines.drain(..from.min(self.lines.len()));
        self.skipped = from;
        self
    }

    pub(super) fn peek(&self) -> Option<Line<'a>> {
        self.ahead(0)
    }

    /// The line `by` lines further on.
    pub(super) fn ahead(&self, by: usize) -> Option<Line<'a>> {
        self.lines.get(self.next.saturating_add(by)).copied()
    }

    pub(super) fn advance(&mut self) {
        self.next = self.next.saturating_add(1);
    }

    /// The number of the line that comes next, counted from 1 in the patch as it was sent.
    pub(super) fn number(&self) -> usize {
        self.next.saturating_add(self.skipped).saturating_add(1)
    }

    pub(super) fn skip_blank(&mut self) {
        while self.peek().is_some_and(|line| line.text.trim().is_empty()) {
            self.advance();
        }
    }

    /// A fault of the line that comes next.
    pub(super) fn fault(&self, problem: impl Into<String>) -> PatchError {
        PatchError::parse(self.number(), problem)
    }
}

/// Whether all lines of a patch end with CRLF, so that they were sent so, whatever
/// the files have.
pub(super) fn was_sent_with_crlf(text: &str) -> bool {
    let mut some = false;
    for line in lines(text) {
        match line.ending {
            Ending::Lf => return false,
            Ending::CrLf => some = true,
            Ending::None => {}
        }
    }
    some
}
