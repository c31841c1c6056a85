//! Where in a file a hunk belongs: the only place, or none.

use std::iter;

use super::{
    COMPARISONS, Match, PatchError,
    error::shown,
    hunk::{Hunk, HunkLine, Kind},
    indent::Reindent,
    text::{MARK, Text, compared},
};

/// The most lookalikes that a message names.
const NAMED: usize = 10;

/// The most lines that are compared to say where most of a lost hunk fits.
const NEAREST: usize = 1_000_000;

/// From the strictest to the loosest.
const WAYS: [Match; 3] = [Match::Exact, Match::TrailingSpace, Match::Indentation];

/// What a patch may still compare.
pub(super) struct Effort {
    left: usize,
}

impl Effort {
    pub(super) fn new() -> Self {
        Self { left: COMPARISONS }
    }

    fn spend(&mut self, lines: usize) -> Result<(), PatchError> {
        self.left = self.left.checked_sub(lines).ok_or_else(|| PatchError::TooLarge {
            problem: "the patch has too many hunks for files this long: send it in parts"
                .to_owned(),
        })?;
        Ok(())
    }
}

/// A hunk's place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// The first line, from 0.
    pub(super) start: usize,
    /// How many lines of the file are kept or removed.
    pub(super) count: usize,
    pub(super) matched: Match,
}

impl Place {
    pub(super) fn end(&self) -> usize {
        self.start.saturating_add(self.count)
    }
}

/// Finds the places of one file's hunks, in their order.
pub(super) struct Finder<'a> {
    file: &'a str,
    text: &'a Text<'a>,
    effort: &'a mut Effort,
    taken: Vec<Place>,
    /// By how many lines the last hunk stood lower than it said.
    lower: isize,
}

impl<'a> Finder<'a> {
    pub(super) fn new(file: &'a str, text: &'a Text<'a>, effort: &'a mut Effort) -> Self {
        Self { file, text, effort, taken: Vec::new(), lower: 0 }
    }

    /// The place of the next hunk.
    pub(super) fn place(&mut self, hunk: &Hunk) -> Result<Place, PatchError> {
        let old: Vec<&HunkLine> = hunk.old().collect();
        let place = if old.is_empty() { self.bare(hunk)? } else { self.only(hunk, &old)? };
        if let Some(said) = hunk.said_at {
            self.lower = place.start.cast_signed().saturating_sub(said.cast_signed());
        }
        self.taken.push(place);
        Ok(place)
    }

    /// The place of a hunk that only adds: the end, if that is said or all there is.
    fn bare(&self, hunk: &Hunk) -> Result<Place, PatchError> {
        if hunk.at_end || self.text.lines.is_empty() {
            let start = self.text.lines.len();
            return Ok(Place { start, count: 0, matched: Match::Exact });
        }
        let problem = format!(
            "{}, hunk {}: it has no line of the file, so its place is unknown: add a line before \
             or after, or *** End of File to add at the end",
            self.file,
            self.number(),
        );
        Err(PatchError::parse(0, problem))
    }

    /// The only place that holds the old lines.
    fn only(&mut self, hunk: &Hunk, old: &[&HunkLine]) -> Result<Place, PatchError> {
        let anchors = self.anchors(hunk)?;
        let after = self.taken.last().map_or(0, Place::end);
        for matched in WAYS {
            let (later, earlier): (Vec<_>, Vec<_>) =
                self.fitting(hunk, old, matched)?.into_iter().partition(|start| *start >= after);
            for places in [later, earlier] {
                let places = self.narrowed(places, anchors.as_deref());
                match places.as_slice() {
                    [] => {}
                    [start] => return Ok(Place { start: *start, count: old.len(), matched }),
                    _ => {
                        let start = self.said(hunk, &places)?;
                        return Ok(Place { start, count: old.len(), matched });
                    }
                }
            }
        }
        Err(self.lost(hunk, old))
    }

    /// Every place that holds the old lines, in this way, and is free.
    fn fitting(
        &mut self,
        hunk: &Hunk,
        old: &[&HunkLine],
        how: Match,
    ) -> Result<Vec<usize>, PatchError> {
        self.effort.spend(self.text.lines.len().saturating_add(old.len()))?;
        let places = self.holding(old, how);
        let mut fitting = Vec::new();
        for start in places {
            let place = Place { start, count: old.len(), matched: how };
            let fits =
                (!hunk.at_end || place.end() == self.text.lines.len()) && self.is_free(place);
            if fits && (how != Match::Indentation || self.is_indented_alike(hunk, place)?) {
                fitting.push(start);
            }
        }
        Ok(fitting)
    }

    /// Every place that holds the old lines, in this way.
    ///
    /// A byte order mark on the first old line is the file's own at its beginning; the same
    /// character at the head of any later line is a part of that line.
    fn holding(&self, old: &[&HunkLine], how: Match) -> Vec<usize> {
        let keys = self.text.keys(how);
        let wanted = || old.iter().map(|line| line.text.as_str());
        let mut places = keys.places(wanted());
        let Some(unmarked) = wanted().next().and_then(|first| first.strip_prefix(MARK)) else {
            return places;
        };
        if self.text.marked {
            let begins = keys.places(iter::once(unmarked).chain(wanted().skip(1))).contains(&0);
            places.retain(|start| *start != 0);
            places.splice(0..0, begins.then_some(0));
        }
        places
    }

    fn is_free(&self, place: Place) -> bool {
        self.taken.iter().all(|taken| taken.end() <= place.start || place.end() <= taken.start)
    }

    /// Whether each added line's indentation can be told here.
    fn is_indented_alike(&mut self, hunk: &Hunk, place: Place) -> Result<bool, PatchError> {
        self.effort.spend(hunk.lines.len())?;
        let mut added = hunk.lines.iter().filter(|line| line.kind == Kind::Add);
        let reindent = reindent(self.text, hunk, place);
        Ok(reindent.is_some_and(|reindent| added.all(|line| reindent.line(&line.text).is_some())))
    }

    /// Which of the places the anchors mean: straight after one, else in the block that
    /// one begins, else anywhere after one.
    fn narrowed(&self, places: Vec<usize>, anchors: Option<&[usize]>) -> Vec<usize> {
        let Some(anchors) = anchors else { return places };
        let any = |fits: &dyn Fn(usize, usize) -> bool| -> Vec<usize> {
            let fits = |place: &usize| anchors.iter().any(|anchor| fits(*anchor, *place));
            places.iter().copied().filter(fits).collect()
        };
        let straight = any(&|anchor, place| place == anchor || place == anchor.saturating_add(1));
        if !straight.is_empty() {
            return straight;
        }
        let ends: Vec<_> =
            anchors.iter().map(|anchor| (*anchor, self.block_end(*anchor))).collect();
        let within = any(&|anchor, place| {
            let end =
                ends.iter().find(|(begin, _)| *begin == anchor).map_or(anchor, |(_, end)| *end);
            place > anchor && place < end
        });
        if within.is_empty() { any(&|anchor, place| place > anchor) } else { within }
    }

    /// The line after the block that the line at `anchor` begins, by indentation.
    fn block_end(&self, anchor: usize) -> usize {
        let depth = |text: &str| text.len().saturating_sub(text.trim_start().len());
        let own = self.text.lines.get(anchor).map_or(0, |line| depth(line.text));
        let mut rest = self.text.lines.iter().enumerate().skip(anchor.saturating_add(1));
        let ends = rest.find(|(_, line)| !line.text.trim().is_empty() && depth(line.text) <= own);
        ends.map_or(self.text.lines.len(), |(at, _)| at)
    }

    /// The lines that the innermost anchor may be; none when the hunk has no anchor.
    fn anchors(&mut self, hunk: &Hunk) -> Result<Option<Vec<usize>>, PatchError> {
        let mut found: Option<Vec<usize>> = None;
        for anchor in &hunk.anchors {
            let outermost = found.as_ref().map(|outer| outer.first().copied());
            self.effort.spend(self.text.lines.len())?;
            let places = WAYS
                .iter()
                .map(|how| self.text.keys(*how).places([anchor.as_str()].into_iter()))
                .map(|places| match outermost {
                    Some(outer) => places.into_iter().filter(|at| Some(*at) > outer).collect(),
                    None => places,
                })
                .find(|places: &Vec<usize>| !places.is_empty());
            found = Some(places.ok_or_else(|| self.lost_anchor(anchor))?);
        }
        Ok(found)
    }

    /// Which of several places the patch's own line number means.
    fn said(&self, hunk: &Hunk, places: &[usize]) -> Result<usize, PatchError> {
        let said = hunk.said_at.and_then(|said| said.checked_add_signed(self.lower));
        if let Some(said) = said.filter(|said| places.contains(said)) {
            return Ok(said);
        }
        Err(PatchError::AmbiguousContext {
            file: self.file.to_owned(),
            hunk: self.number(),
            matches: places.iter().take(NAMED).map(|at| at.saturating_add(1)).collect(),
        })
    }

    fn number(&self) -> usize {
        self.taken.len().saturating_add(1)
    }

    /// Where most of the hunk fits, and what differs there.
    fn lost(&self, hunk: &Hunk, old: &[&HunkLine]) -> PatchError {
        let start = self.nearest(hunk, old);
        let file = |at: usize| self.text.lines.get(start.saturating_add(at)).map(|line| line.text);
        let differs = |how: Match| {
            let same = |at: usize, line: &HunkLine| {
                file(at).is_some_and(|held| compared(held, how) == compared(&line.text, how))
            };
            old.iter().enumerate().find(|(at, line)| !same(*at, line))
        };
        let first = differs(Match::Indentation).or_else(|| differs(Match::Exact));
        let (at, line) = first.map_or((0, ""), |(at, line)| (at, line.text.as_str()));
        PatchError::ContextNotFound {
            file: self.file.to_owned(),
            hunk: self.number(),
            file_line: start.saturating_add(at).saturating_add(1),
            expected: shown(line),
            actual: file(at).map(shown),
        }
    }

    /// The place with the most lines that fit from the first on, then with the most at all.
    fn nearest(&self, hunk: &Hunk, old: &[&HunkLine]) -> usize {
        let wanted: Vec<&str> = old.iter().map(|line| line.text.trim()).collect();
        let held: Vec<&str> = self.text.lines.iter().map(|line| line.text.trim()).collect();
        let (mut best, mut most, mut left) = (None, (0, 0), NEAREST);
        for start in 0..held.len() {
            let here = held.get(start..).unwrap_or_default();
            let same = || wanted.iter().zip(here).map(|(wanted, held)| wanted == held);
            let fits =
                (same().take_while(|same| *same).count(), same().filter(|same| *same).count());
            if fits > most {
                (best, most) = (Some(start), fits);
            }
            left = left.saturating_sub(wanted.len().min(here.len()));
            if left == 0 {
                break;
            }
        }
        let last = held.len().saturating_sub(1);
        let after = self.taken.last().map_or(0, Place::end);
        best.unwrap_or_else(|| hunk.said_at.filter(|said| *said <= last).unwrap_or(after.min(last)))
    }

    /// The line most like an anchor that no line is.
    fn lost_anchor(&self, anchor: &str) -> PatchError {
        let alike = |line: &str| {
            let both = line.trim().chars().zip(anchor.trim().chars());
            both.take_while(|(held, wanted)| held == wanted).count()
        };
        let lines = self.text.lines.iter().enumerate();
        // The first of the best, so from the end.
        let best = lines.rev().max_by_key(|(_, line)| alike(line.text));
        PatchError::ContextNotFound {
            file: self.file.to_owned(),
            hunk: self.number(),
            file_line: best.map_or(1, |(at, _)| at.saturating_add(1)),
            expected: shown(anchor),
            actual: best.map(|(_, line)| shown(line.text)),
        }
    }
}

/// How the file indents what the hunk has, at `place`.
pub(super) fn reindent<'b>(
    text: &'b Text<'_>,
    hunk: &'b Hunk,
    place: Place,
) -> Option<Reindent<'b>> {
    let held = text.lines.iter().skip(place.start).map(|line| line.text);
    Reindent::between(hunk.old().map(|line| line.text.as_str()).zip(held))
}
