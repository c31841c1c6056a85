//! Edits of a parsed text by span: blanking, putting in, writing over.
//!
//! Lines stay where they are, and whatever is put in is counted, so that a
//! place in the module leads back to the text. Nothing here knows why an edit
//! is made.

use oxc_span::Span;

use crate::lines::{Counter, ends_line, units};
use crate::program::Program;
use crate::text::Text;

/// Where an insertion stands among others at the same offset: what closes
/// comes before what opens, inner closers before outer ones, outer openers
/// before inner ones. Of two around the same span the later one is outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Close { length: u32, nth: i64 },
    Open { inverse_length: u32, nth: i64 },
    Over,
}

#[derive(Clone, Debug)]
struct Edit {
    start: u32,
    end: u32,
    rank: Rank,
    text: String,
}

/// The edits of one text, in any order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Edits(Vec<Edit>);

impl Edits {
    fn nth(&self) -> i64 {
        i64::try_from(self.0.len()).unwrap_or(i64::MAX)
    }

    /// Puts text before a node.
    pub(crate) fn open(&mut self, span: Span, text: &str) {
        let rank = Rank::Open {
            inverse_length: u32::MAX.saturating_sub(span.size()),
            nth: self.nth().saturating_neg(),
        };
        self.0.push(Edit { start: span.start, end: span.start, rank, text: text.to_owned() });
    }

    /// Puts text after a node.
    pub(crate) fn close(&mut self, span: Span, text: &str) {
        self.close_outside(span, span.size(), text);
    }

    fn close_outside(&mut self, span: Span, length: u32, text: &str) {
        let rank = Rank::Close { length, nth: self.nth() };
        self.0.push(Edit { start: span.end, end: span.end, rank, text: text.to_owned() });
    }

    /// Puts the end of a statement after it, outside whatever else closes
    /// there.
    pub(crate) fn terminate(&mut self, span: Span) {
        self.close_outside(span, u32::MAX, ";");
    }

    /// Puts text right behind an opening bracket, before whatever opens there.
    pub(crate) fn enter(&mut self, block: Span, text: &str) {
        let inside = block.start.saturating_add(1);
        self.close_outside(Span::empty(inside), 0, text);
    }

    /// Puts text right before a closing bracket.
    pub(crate) fn leave(&mut self, block: Span, text: &str) {
        self.open(Span::empty(block.end.saturating_sub(1)), text);
    }

    /// Puts text before and after a node.
    pub(crate) fn wrap(&mut self, span: Span, before: &str, after: &str) {
        self.open(span, before);
        self.close(span, after);
    }

    /// Turns a span to spaces; line ends stay.
    pub(crate) fn blank(&mut self, span: Span) {
        self.over(span, "");
    }

    /// Writes over the start of a span and blanks the rest. What does not fit
    /// on the span's first line is put in.
    pub(crate) fn over(&mut self, span: Span, text: &str) {
        if !span.is_empty() || !text.is_empty() {
            self.0.push(Edit {
                start: span.start,
                end: span.end,
                rank: Rank::Over,
                text: text.to_owned(),
            });
        }
    }

    /// The module a text becomes.
    pub(crate) fn apply(mut self, text: &Text<'_>) -> Program {
        self.0.sort_by_key(|edit| (edit.start, edit.rank));
        let mut module = Module::new(text);
        for edit in &self.0 {
            module.copy_to(edit.start);
            module.write_over(edit.end, &edit.text);
        }
        module.copy_to(u32::MAX);
        module.finish()
    }
}

const HEAD: &str = "export default async () => {\n";
const TAIL: &str = "\n};\n";

/// A module being written.
struct Module<'t, 's> {
    text: &'t Text<'s>,
    at: usize,
    out: String,
    counter: Counter,
    inserted: Vec<(u32, u32, u32)>,
}

impl<'t, 's> Module<'t, 's> {
    fn new(text: &'t Text<'s>) -> Self {
        let mut counter = Counter::new();
        counter.pass_all(HEAD);
        let capacity = text.text.len().saturating_add(256);
        let mut out = String::with_capacity(capacity);
        out.push_str(HEAD);
        Self { text, at: 0, out, counter, inserted: Vec::new() }
    }

    fn rest(&self, to: usize) -> &'t str {
        self.text.text.get(self.at..to.min(self.text.text.len())).unwrap_or("")
    }

    fn put(&mut self, character: char, next: Option<char>) {
        self.out.push(character);
        self.counter.pass(character, next);
    }

    /// Copies up to an offset. What recovery put in counts as inserted.
    fn copy_to(&mut self, offset: u32) {
        let mut characters = self.rest(as_index(offset)).char_indices().peekable();
        let from = self.at;
        while let Some((index, character)) = characters.next() {
            if self.was_inserted(from.saturating_add(index)) {
                self.count_inserted(units(character));
            }
            self.put(character, characters.peek().map(|(_, next)| *next));
        }
        self.at = self.at.max(as_index(offset).min(self.text.text.len()));
    }

    fn was_inserted(&self, offset: usize) -> bool {
        self.text.inserted.iter().any(|&(start, end)| (start..end).contains(&offset))
    }

    fn count_inserted(&mut self, count: u32) {
        let at = self.counter.at;
        match self.inserted.last_mut() {
            Some((line, column, units))
                if *line == at.line && column.saturating_add(*units) == at.column =>
            {
                *units = units.saturating_add(count);
            }
            _ => self.inserted.push((at.line, at.column, count)),
        }
    }

    fn write_over(&mut self, end: u32, text: &str) {
        let mut new = text.chars().peekable();
        let mut old = self.rest(as_index(end)).chars().peekable();
        while let Some(character) = old.next() {
            let next = old.peek().copied();
            let breaks = ends_line(character, next) || (character == '\r' && next == Some('\n'));
            if breaks {
                self.put_in(&mut new);
                self.put(character, next);
            } else {
                for _ in 0..units(character) {
                    self.put(new.next().unwrap_or(' '), None);
                }
            }
        }
        self.put_in(&mut new);
        self.at = self.at.max(as_index(end).min(self.text.text.len()));
    }

    fn put_in(&mut self, new: &mut dyn Iterator<Item = char>) {
        for character in new {
            self.count_inserted(units(character));
            self.put(character, None);
        }
    }

    fn finish(mut self) -> Program {
        self.out.push_str(TAIL);
        let mut map = self.text.map();
        map.inserted = self.inserted;
        Program { module: self.out, map }
    }
}

fn as_index(offset: u32) -> usize {
    usize::try_from(offset).unwrap_or(usize::MAX)
}
