//! Lines and columns as JavaScript counts them, and the code frame.

use crate::program::Position;

/// Widest line a frame shows; longer ones are cut around the place.
const FRAME_WIDTH: usize = 100;

/// Whether a character ends a line in JavaScript. CR LF is one ending: its CR
/// does not count.
pub(crate) fn ends_line(character: char, next: Option<char>) -> bool {
    match character {
        '\r' => next != Some('\n'),
        '\n' | '\u{2028}' | '\u{2029}' => true,
        _ => false,
    }
}

/// The UTF-16 length of a character.
pub(crate) fn units(character: char) -> u32 {
    if u32::from(character) > 0xFFFF { 2 } else { 1 }
}

/// Counts a position forward, character by character.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counter {
    pub(crate) at: Position,
}

impl Counter {
    pub(crate) const fn new() -> Self {
        Self { at: Position { line: 1, column: 1 } }
    }

    pub(crate) fn pass(&mut self, character: char, next: Option<char>) {
        if ends_line(character, next) {
            self.at = Position { line: self.at.line.saturating_add(1), column: 1 };
        } else {
            self.at.column = self.at.column.saturating_add(units(character));
        }
    }

    pub(crate) fn pass_all(&mut self, text: &str) {
        let mut characters = text.chars().peekable();
        while let Some(character) = characters.next() {
            self.pass(character, characters.peek().copied());
        }
    }
}

/// The position of a byte offset; past the end it is the end.
pub(crate) fn position(text: &str, offset: usize) -> Position {
    let mut counter = Counter::new();
    counter.pass_all(text.get(..floor(text, offset)).unwrap_or(text));
    counter.at
}

/// The byte offset of a position; past the end of its line it is that end.
pub(crate) fn offset(text: &str, place: Position) -> usize {
    let mut counter = Counter::new();
    let mut characters = text.char_indices().peekable();
    while let Some((offset, character)) = characters.next() {
        let next = characters.peek().map(|(_, next)| *next);
        if counter.at >= place || (counter.at.line == place.line && ends_line(character, next)) {
            return offset;
        }
        counter.pass(character, next);
    }
    text.len()
}

/// How many lines a text has; an empty one has one.
pub(crate) fn count(text: &str) -> u32 {
    position(text, text.len()).line
}

/// The nearest character boundary at or before an offset.
pub(crate) fn floor(text: &str, offset: usize) -> usize {
    (0..=offset.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

/// The line of a byte offset with one line on each side, numbered, a caret
/// under the place. `first` is the number of the text's first line.
pub(crate) fn frame(text: &str, offset: usize, first: u32) -> String {
    let at = floor(text, offset);
    let place = position(text, at);
    let before = text.get(..at).and_then(|head| head.rsplit(LINE_ENDS).next()).unwrap_or("");
    let caret = before.chars().count();
    let mut shown = String::new();
    for (line, content) in (1u32..).zip(text.replace("\r\n", "\n").split(LINE_ENDS)) {
        if line.abs_diff(place.line) > 1 {
            continue;
        }
        let number = line.saturating_add(first).saturating_sub(1);
        let cut = caret.saturating_sub(
            FRAME_WIDTH.saturating_div(2).saturating_add(FRAME_WIDTH.saturating_div(4)),
        );
        let content: String = content.chars().skip(cut).take(FRAME_WIDTH).map(plain).collect();
        push_line(&mut shown, &format!("{number:>4} | {content}"));
        if line == place.line {
            push_line(&mut shown, &format!("     | {}^", " ".repeat(caret.saturating_sub(cut))));
        }
    }
    shown
}

const LINE_ENDS: [char; 4] = ['\n', '\r', '\u{2028}', '\u{2029}'];

/// Tabs and control characters would move the caret.
fn plain(character: char) -> char {
    if character.is_control() { ' ' } else { character }
}

fn push_line(shown: &mut String, line: &str) {
    if !shown.is_empty() {
        shown.push('\n');
    }
    shown.push_str(line.trim_end());
}
