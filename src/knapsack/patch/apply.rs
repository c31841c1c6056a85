//! What a file holds after its hunks.

use super::{
    Match, PatchError,
    hunk::{Hunk, HunkLine, Kind},
    line::Ending,
    place::{Effort, Finder, Place, reindent},
    text::{MARK, Text},
};

/// A file after its hunks, and how the loosest of them was found.
pub(super) struct Applied {
    pub(super) content: String,
    pub(super) matched: Option<Match>,
}

/// Applies all hunks to what the file at `path` holds, or none.
pub(super) fn apply(
    path: &str,
    held: &str,
    hunks: &[Hunk],
    effort: &mut Effort,
) -> Result<Applied, PatchError> {
    let text = Text::new(held);
    let mut finder = Finder::new(path, &text, effort);
    let mut placed = Vec::with_capacity(hunks.len());
    for hunk in hunks {
        placed.push((finder.place(hunk)?, hunk));
    }
    let matched = placed.iter().map(|(place, _)| place.matched).max();
    placed.sort_by_key(|(place, _)| place.start);
    Ok(Applied { content: Rewrite::new(&text).all(&placed), matched })
}

/// A line of the result.
struct Written<'a> {
    text: std::borrow::Cow<'a, str>,
    ending: Ending,
}

/// The text being written anew.
struct Rewrite<'a> {
    text: &'a Text<'a>,
    written: Vec<Written<'a>>,
    /// The line of the file that comes next.
    next: usize,
    /// Whether a hunk shows how the file begins, byte order mark included.
    shows_mark: bool,
    /// Whether a hunk shows how the file ends.
    shows_end: bool,
}

impl<'a> Rewrite<'a> {
    fn new(text: &'a Text<'a>) -> Self {
        Self { text, written: Vec::new(), next: 0, shows_mark: false, shows_end: false }
    }

    fn all(mut self, placed: &[(Place, &'a Hunk)]) -> String {
        for (place, hunk) in placed {
            self.copy_to(place.start);
            self.hunk(*place, hunk);
        }
        self.copy_to(self.text.lines.len());
        self.end()
    }

    fn copy_to(&mut self, line: usize) {
        let count = line.saturating_sub(self.next);
        for line in self.text.lines.iter().skip(self.next).take(count) {
            self.written.push(Written { text: line.text.into(), ending: line.ending });
        }
        self.next = self.next.max(line);
    }

    fn hunk(&mut self, place: Place, hunk: &'a Hunk) {
        let shows = shows_endings(self.text, place, hunk);
        let at_start = place.start == 0;
        let first = hunk.old().next().filter(|_| at_start);
        let shows_mark = first.is_some_and(|line| line.text.starts_with(MARK) && self.text.marked)
            || (at_start && !self.text.marked);
        self.shows_mark |= shows_mark;
        self.shows_end |= shows && place.end() == self.text.lines.len();
        let indent =
            (place.matched == Match::Indentation).then(|| reindent(self.text, hunk, place));
        let mut removed = None;
        for line in &hunk.lines {
            match line.kind {
                Kind::Keep => self.keep(shows_mark),
                Kind::Remove => {
                    removed = self.text.lines.get(self.next).map(|line| line.ending);
                    self.next = self.next.saturating_add(1);
                }
                Kind::Add => {
                    let text = indent.as_ref().and_then(|indent| indent.as_ref()?.line(&line.text));
                    let text = text.map_or_else(|| line.text.as_str().into(), Into::into);
                    let ending = if shows { line.ending } else { self.ending_here(removed) };
                    self.written.push(Written { text, ending });
                }
            }
        }
    }

    /// Keeps the file's next line, whatever the patch has for it.
    fn keep(&mut self, shows_mark: bool) {
        let Some(line) = self.text.lines.get(self.next) else { return };
        let text = if shows_mark && self.text.marked && self.next == 0 {
            format!("{MARK}{}", line.text).into()
        } else {
            line.text.into()
        };
        self.written.push(Written { text, ending: line.ending });
        self.next = self.next.saturating_add(1);
    }

    /// How an added line ends that the patch says nothing about: as what it replaces, or
    /// the lines around it.
    fn ending_here(&self, removed: Option<Ending>) -> Ending {
        let before = self.written.last().map(|line| line.ending);
        let after = self.text.lines.get(self.next).map(|line| line.ending);
        let mut known = [removed, before, after].into_iter().flatten();
        known.find(|ending| *ending != Ending::None).unwrap_or(self.text.usual)
    }

    fn end(mut self) -> String {
        let usual = self.text.usual;
        let open = if self.shows_end { None } else { Some(self.text.ends_open()) };
        if let Some(last) = self.written.last_mut() {
            match open {
                Some(true) => last.ending = Ending::None,
                Some(false) if last.ending == Ending::None => last.ending = usual,
                _ => {}
            }
        }
        let mut content = String::new();
        if self.text.marked && !self.shows_mark {
            content.push(MARK);
        }
        let mut lines = self.written.iter().peekable();
        while let Some(line) = lines.next() {
            content.push_str(&line.text);
            let amid = line.ending == Ending::None && lines.peek().is_some();
            content.push_str(if amid { usual } else { line.ending }.as_str());
        }
        content
    }
}

/// Whether the hunk shows the endings of its old lines as the file has them, so that those
/// of its new lines can be believed.
fn shows_endings(text: &Text<'_>, place: Place, hunk: &Hunk) -> bool {
    let held = text.lines.iter().skip(place.start).map(|line| line.ending);
    let same = |(line, held): (&HunkLine, Ending)| line.ending == held;
    let some = place.count > 0 || text.lines.is_empty();
    some && hunk.old().zip(held).all(same)
}
