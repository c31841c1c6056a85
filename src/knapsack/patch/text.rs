//! A file's text, ready to be searched for runs of lines.

use std::{cell::OnceCell, collections::BTreeMap};

use super::{
    Match,
    line::{Ending, Line, lines},
};

/// The byte order mark.
pub(super) const MARK: char = '\u{feff}';

/// A file's text by lines, without its byte order mark.
pub(super) struct Text<'a> {
    /// Whether a byte order mark comes before the first line.
    pub(super) marked: bool,
    pub(super) lines: Vec<Line<'a>>,
    /// How most lines end.
    pub(super) usual: Ending,
    exact: OnceCell<Keys<'a>>,
    trailing: OnceCell<Keys<'a>>,
    indented: OnceCell<Keys<'a>>,
}

impl<'a> Text<'a> {
    pub(super) fn new(whole: &'a str) -> Self {
        // A mark and nothing else is a line of its own.
        let (marked, rest) = match whole.strip_prefix(MARK) {
            Some(rest) if !rest.is_empty() => (true, rest),
            _ => (false, whole),
        };
        let lines: Vec<_> = lines(rest).collect();
        let count = |ending| lines.iter().filter(|line| line.ending == ending).count();
        let usual = if count(Ending::CrLf) > count(Ending::Lf) { Ending::CrLf } else { Ending::Lf };
        let (exact, trailing, indented) = Default::default();
        Self { marked, lines, usual, exact, trailing, indented }
    }

    /// Whether the last line has no newline.
    pub(super) fn ends_open(&self) -> bool {
        self.lines.last().is_some_and(|line| line.ending == Ending::None)
    }

    /// The lines as they are compared.
    pub(super) fn keys(&self, how: Match) -> &Keys<'a> {
        let cell = match how {
            Match::Exact => &self.exact,
            Match::TrailingSpace => &self.trailing,
            Match::Indentation => &self.indented,
        };
        cell.get_or_init(|| Keys::new(&self.lines, how))
    }
}

/// What of a line is compared.
pub(super) fn compared(line: &str, how: Match) -> &str {
    match how {
        Match::Exact => line,
        Match::TrailingSpace => line.trim_end(),
        Match::Indentation => line.trim(),
    }
}

/// Lines as numbers: equal lines have equal ones.
pub(super) struct Keys<'a> {
    numbers: BTreeMap<&'a str, usize>,
    lines: Vec<usize>,
    how: Match,
}

impl<'a> Keys<'a> {
    fn new(lines: &[Line<'a>], how: Match) -> Self {
        let mut numbers = BTreeMap::new();
        let number = |line: &Line<'a>| {
            let next = numbers.len();
            *numbers.entry(compared(line.text, how)).or_insert(next)
        };
        let lines = lines.iter().map(number).collect();
        Self { numbers, lines, how }
    }

    /// Every place, from 0, at which the file has these lines one after the other; they
    /// are at least one.
    pub(super) fn places<'b>(&self, wanted: impl Iterator<Item = &'b str>) -> Vec<usize> {
        let number = |line| self.numbers.get(compared(line, self.how)).copied();
        let Some(wanted) = wanted.map(number).collect::<Option<Vec<_>>>() else {
            return Vec::new();
        };
        occurrences(&self.lines, &wanted)
    }
}

/// Where `needle` occurs in `hay`, by Knuth, Morris and Pratt: in as many steps as both
/// have elements, whatever repeats.
fn occurrences(hay: &[usize], needle: &[usize]) -> Vec<usize> {
    let borders = borders(needle);
    let (mut found, mut matched) = (Vec::new(), 0_usize);
    for (at, number) in hay.iter().enumerate() {
        matched = extended(needle, &borders, matched, *number);
        if matched == needle.len() {
            found.push(at.saturating_add(1).saturating_sub(matched));
            matched = border(&borders, matched);
        }
    }
    found
}

/// For each beginning of `needle` the length of the longest shorter beginning that it
/// ends with.
fn borders(needle: &[usize]) -> Vec<usize> {
    let mut borders = vec![0];
    for number in needle.iter().skip(1) {
        let matched = borders.last().copied().unwrap_or_default();
        borders.push(extended(needle, &borders, matched, *number));
    }
    borders
}

/// How much of `needle` is matched when `number` comes after `matched` of it.
fn extended(needle: &[usize], borders: &[usize], mut matched: usize, number: usize) -> usize {
    while needle.get(matched) != Some(&number) {
        if matched == 0 {
            return 0;
        }
        matched = border(borders, matched);
    }
    matched.saturating_add(1)
}

fn border(borders: &[usize], matched: usize) -> usize {
    borders.get(matched.saturating_sub(1)).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::occurrences;

    proptest! {
        #[test]
        fn every_occurrence_is_found(
            hay in prop::collection::vec(0..2_usize, 0..40),
            needle in prop::collection::vec(0..2_usize, 1..6),
        ) {
            let expected: Vec<_> = hay
                .windows(needle.len())
                .enumerate()
                .filter(|(_, window)| *window == needle)
                .map(|(at, _)| at)
                .collect();
            prop_assert_eq!(occurrences(&hay, &needle), expected);
        }
    }
}
