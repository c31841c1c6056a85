//! A hunk of a unified diff, whose header may say how many lines it has.

use super::{
    PatchError,
    cursor::Cursor,
    header::{Header, Numbers},
    hunk::Hunk,
    line::Line,
    unified::{at_file, at_signature},
};

/// Reads a hunk that comes after `before` others.
pub(super) fn hunk(cursor: &mut Cursor<'_>, before: usize) -> Result<Hunk, PatchError> {
    let mut hunk = Hunk::default();
    let mut numbers = None;
    while let Some(header) = cursor.peek().and_then(|line| Header::of(line.text)) {
        header.note(&mut hunk);
        numbers = header.numbers.or(numbers);
        cursor.advance();
    }
    let first = cursor.number();
    let mut body = Body { hunk, numbers, spacers: 0, old: 0, new: 0 };
    while body.goes_on(cursor) && body.take(cursor) {
        cursor.advance();
    }
    let cut = cursor.peek().is_none();
    let hunk = body.end(cut, before.saturating_add(1)).map_err(|problem| cursor.fault(problem))?;
    if !hunk.changes() {
        return Err(PatchError::parse(first, "the hunk has no line with + or -: say what changes"));
    }
    Ok(hunk)
}

/// A hunk while its lines are read.
struct Body {
    hunk: Hunk,
    numbers: Option<Numbers>,
    /// How many blank lines without their space came last.
    spacers: usize,
    old: usize,
    new: usize,
}

impl Body {
    /// Whether as many lines were read as the header says.
    fn is_full(&self) -> bool {
        self.numbers.is_some_and(|said| self.old >= said.old && self.new >= said.new)
    }

    /// Whether the next line still belongs to the hunk.
    fn goes_on(&self, cursor: &Cursor<'_>) -> bool {
        let Some(line) = cursor.peek() else { return false };
        if line.text.starts_with("@@") || line.text.starts_with("diff --git ") {
            return false;
        }
        if self.is_full() && (line.text.is_empty() || at_signature(cursor)) {
            return false;
        }
        // A removed `-- x` and an added `++ y` look like the names of the next file.
        let named =
            at_file(cursor) && cursor.ahead(2).is_some_and(|line| line.text.starts_with("@@"));
        let last_two = self.numbers.is_some_and(|said| {
            self.old.saturating_add(1) == said.old && self.new.saturating_add(1) == said.new
        });
        !named || last_two
    }

    /// Takes the next line in; whether it is a line of a hunk.
    fn take(&mut self, cursor: &Cursor<'_>) -> bool {
        let Some(line) = cursor.peek() else { return false };
        if line.text.starts_with('\\') {
            return self.hunk.end_open();
        }
        self.note(line) && self.hunk.take(line)
    }

    fn note(&mut self, line: Line<'_>) -> bool {
        self.spacers = if line.text.is_empty() { self.spacers.saturating_add(1) } else { 0 };
        let (old, new) = match line.text.split_at_checked(1) {
            Some(("+", _)) => (0, 1),
            Some(("-", _)) => (1, 0),
            _ => (1, 1),
        };
        self.old = self.old.saturating_add(old);
        self.new = self.new.saturating_add(new);
        true
    }

    /// The hunk; a problem when the patch ends before what its header says.
    fn end(mut self, cut: bool, number: usize) -> Result<Hunk, String> {
        let Some(said) = self.numbers else {
            self.hunk.trim(self.spacers);
            return Ok(self.hunk);
        };
        let (old, new) = (self.hunk.old_count(), self.hunk.new_count());
        if cut && (old < said.old || new < said.new) {
            return Err(format!(
                "hunk {number} says that it has {} old and {} new lines, and the patch ends after \
                 {old} and {new}, so it may be cut off: send all of it, or write @@ without numbers",
                said.old, said.new,
            ));
        }
        Ok(self.hunk)
    }
}
