//! Lines and columns as JavaScript counts them, and the code frame.

use crate::program::Position;

/// Widest line a frame shows; longer ones are cut around the place.
const FRAME_WIDTH: usize = 100;

/// Most of a line that a frame shows before the place.
const FRAME_LEFT: usize = 75;

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
    let (before, after) = text.split_at_checked(at).unwrap_or((text, ""));
    let (above, left) = last_line(before);
    let (right, below) = first_line(after);
    let caret = left.chars().count();
    let cut = caret.saturating_sub(FRAME_LEFT);
    let number = position(text, at).line.saturating_add(first).saturating_sub(1);
    let numbered = |number: u32, line: &str| {
        let shown: String = line.chars().skip(cut).take(FRAME_WIDTH).map(plain).collect();
        format!("{number:>4} | {shown}").trim_end().to_owned()
    };
    let shown = [
        above.map(|above| numbered(number.saturating_sub(1), last_line(above).1)),
        Some(numbered(number, &format!("{left}{right}"))),
        Some(format!("     | {}^", " ".repeat(caret.saturating_sub(cut)))),
        below.map(|below| numbered(number.saturating_add(1), first_line(below).0)),
    ];
    shown.into_iter().flatten().collect::<Vec<_>>().join("\n")
}

const LINE_ENDS: [char; 4] = ['\n', '\r', '\u{2028}', '\u{2029}'];

/// What stands before the last line of a text, without the end between, and
/// that line.
fn last_line(text: &str) -> (Option<&str>, &str) {
    match text.rsplit_once(LINE_ENDS) {
        Some((above, line)) if text.ends_with(&format!("\r\n{line}")) => {
            (above.strip_suffix('\r'), line)
        }
        Some((above, line)) => (Some(above), line),
        None => (None, text),
    }
}

/// The first line of a text, and what stands after it and its end.
fn first_line(text: &str) -> (&str, Option<&str>) {
    match text.split_once(LINE_ENDS) {
        Some((line, below)) if text.starts_with(&format!("{line}\r\n")) => {
            (line, below.strip_prefix('\n'))
        }
        Some((line, below)) => (line, Some(below)),
        None => (text, None),
    }
}

/// Tabs and control characters would move the caret.
fn plain(character: char) -> char {
    if character.is_control() { ' ' } else { character }
}
