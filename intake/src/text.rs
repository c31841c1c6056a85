//! The text that is parsed, and where in what the model sent it comes from.
//!
//! Most programs are the whole of what was sent. A recovered one is a slice
//! of it, or what an escaped string decodes to, perhaps with a few characters
//! put in so that it parses.

use std::borrow::Cow;
use std::ops::Range;

use crate::lines;
use crate::program::{Position, PositionMap};
use crate::refusal::{Refusal, RefusalCode};

/// Longest message of a refusal, in bytes.
const MESSAGE_LIMIT: usize = 600;

/// A candidate program.
#[derive(Clone, Debug)]
pub(crate) struct Text<'s> {
    /// What is parsed.
    pub(crate) text: Cow<'s, str>,
    /// Where it starts in what was sent.
    origin: Position,
    /// Byte ranges of `text` that were not sent, in order.
    pub(crate) inserted: Vec<(usize, usize)>,
}

impl<'s> Text<'s> {
    /// The whole of what was sent.
    pub(crate) fn whole(sent: &'s str) -> Self {
        Self {
            text: Cow::Borrowed(sent),
            origin: Position { line: 1, column: 1 },
            inserted: Vec::new(),
        }
    }

    /// What an escaped string decodes to. Its positions count in itself.
    pub(crate) fn decoded(text: String) -> Self {
        Self {
            text: Cow::Owned(text),
            origin: Position { line: 1, column: 1 },
            inserted: Vec::new(),
        }
    }

    /// A part of this text, at its place in it.
    pub(crate) fn part(&self, range: Range<usize>) -> Self {
        let origin = self.position(range.start);
        let text = match &self.text {
            Cow::Borrowed(text) => Cow::Borrowed(text.get(range).unwrap_or("")),
            Cow::Owned(text) => Cow::Owned(text.get(range).unwrap_or("").to_owned()),
        };
        Self { text, origin, inserted: Vec::new() }
    }

    /// This text with others put in, by offset and in order.
    pub(crate) fn with(&self, insertions: &[(usize, &str)]) -> Self {
        let mut text = String::with_capacity(self.text.len().saturating_add(16));
        let mut inserted = Vec::new();
        let mut from = 0usize;
        for &(at, put_in) in insertions {
            text.push_str(self.text.get(from..at).unwrap_or(""));
            let start = text.len();
            text.push_str(put_in);
            inserted.push((start, text.len()));
            from = at;
        }
        text.push_str(self.text.get(from..).unwrap_or(""));
        Self { text: Cow::Owned(text), origin: self.origin, inserted }
    }

    /// The program's own bytes, without what was inserted, before an offset.
    fn sent_before(&self, offset: usize) -> String {
        let mut sent = String::new();
        let mut from = 0;
        for &(start, end) in &self.inserted {
            if start >= offset {
                break;
            }
            sent.push_str(self.text.get(from..start).unwrap_or(""));
            from = end.min(offset);
        }
        sent.push_str(self.text.get(from..lines::floor(&self.text, offset)).unwrap_or(""));
        sent
    }

    /// The place of a byte offset, in what was sent.
    pub(crate) fn position(&self, offset: usize) -> Position {
        let before = self.sent_before(offset);
        self.in_sent(lines::position(&before, before.len()))
    }

    fn in_sent(&self, place: Position) -> Position {
        let first = if place.line == 1 { self.origin.column.saturating_sub(1) } else { 0 };
        Position {
            line: place.line.saturating_add(self.origin.line).saturating_sub(1),
            column: place.column.saturating_add(first),
        }
    }

    /// A map that knows where this text starts, but no edits yet.
    pub(crate) fn map(&self) -> PositionMap {
        PositionMap {
            line: self.origin.line.saturating_sub(1),
            column: self.origin.column.saturating_sub(1),
            lines: lines::count(&self.text),
            inserted: Vec::new(),
        }
    }

    /// A refusal about a byte offset of this text.
    pub(crate) fn refuse(&self, code: RefusalCode, offset: usize, message: &str) -> Refusal {
        self.refuse_sent(code, self.sent_before(offset).len(), message)
    }

    /// A refusal about a place in this text as it was sent.
    pub(crate) fn refuse_at(&self, code: RefusalCode, place: Position, message: &str) -> Refusal {
        let sent = self.sent_before(self.text.len());
        self.refuse_sent(code, lines::offset(&sent, place), message)
    }

    fn refuse_sent(&self, code: RefusalCode, offset: usize, message: &str) -> Refusal {
        let sent = self.sent_before(self.text.len());
        let place = self.in_sent(lines::position(&sent, offset));
        Refusal {
            code,
            message: bounded(message),
            line: place.line,
            column: place.column,
            frame: lines::frame(&sent, offset, self.origin.line),
        }
    }
}

fn bounded(message: &str) -> String {
    if message.len() <= MESSAGE_LIMIT {
        return message.to_owned();
    }
    let end = lines::floor(message, MESSAGE_LIMIT.saturating_sub(3));
    format!("{}…", message.get(..end).unwrap_or(""))
}
