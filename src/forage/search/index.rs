//! Which word stands where, and with how much weight.
//!
//! An inverted index of our own: the well-kept crates either bring a storage engine, don't
//! build for wasm, or add more bytes than this whole module for stemmers of languages that
//! names of operations are not written in.

use super::{
    super::item::Item,
    numbers::Numbers,
    parameters::{Said, parameters},
    term::Term,
    words::{each_part, each_word, reduce},
};

/// What a word counts by where it stands, in steps: five are one word of plain text.
const NAME: u32 = 25;
const PATH: u32 = 10;
const DESCRIPTION: u32 = 10;
const FIRST_SENTENCE: u32 = 10;
const PARAMETER: u32 = 5;
const PARAMETER_TEXT: u32 = 2;
const NOTE: u32 = 3;

/// Words of one field that count, and of one operation: long texts repeat themselves, and
/// the index of ten thousand operations has to fit beside them.
const FIELD_WORDS: usize = 300;
const OPERATION_WORDS: usize = 800;

/// How soon a repeated word stops counting, in steps, and how much long texts are held back.
const K1: f32 = 1.2;
const STEPS_OF_K1: f32 = 5.0 * K1;
const B: f32 = 0.5;

/// Steps of a weight; the largest is 255 / `STEPS`.
const STEPS: f32 = 100.0;
const MOST_STEPS: u32 = 255;
const DOCUMENT_BITS: u32 = 24;
const DOCUMENT_MASK: u32 = (1 << DOCUMENT_BITS) - 1;

/// The words of all operations. A posting is the operation's position in its low 24 bits
/// and the word's weight in it above.
#[derive(Debug, Default)]
pub(in crate::forage) struct Index {
    /// Sorted.
    terms: Vec<Term>,
    /// Where the postings of each term end.
    ends: Vec<usize>,
    postings: Vec<u32>,
    /// All operations, by the last names of their paths.
    by_name: Vec<usize>,
}

/// What a term counts in one operation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Posting {
    pub(super) document: usize,
    pub(super) weight: f32,
}

impl Index {
    pub(in crate::forage) fn of(items: &[Item]) -> Self {
        let mut read = Read::default();
        for (number, item) in (0..=DOCUMENT_MASK).zip(items) {
            read.operation(number, item);
        }
        read.index(by_name(items))
    }

    /// Every word there is, in order.
    pub(super) fn terms(&self) -> &[Term] {
        &self.terms
    }

    pub(super) fn term(&self, word: &str) -> Option<usize> {
        self.terms.binary_search(&Term::of(word)).ok()
    }

    /// The terms that begin with `start`, by their positions.
    pub(super) fn beginning(&self, start: &str) -> std::ops::Range<usize> {
        let (first, last) = Term::beginning(start);
        let from = self.terms.partition_point(|term| *term < first);
        from..self.terms.partition_point(|term| *term <= last)
    }

    pub(super) fn postings(&self, term: usize) -> impl Iterator<Item = Posting> {
        self.packed(term).iter().map(|packed| Posting {
            document: usize::try_from(packed & DOCUMENT_MASK).unwrap_or(usize::MAX),
            weight: small(packed >> DOCUMENT_BITS) / STEPS,
        })
    }

    /// How many operations there are.
    pub(super) fn documents(&self) -> usize {
        self.by_name.len()
    }

    /// The operations whose last name is `name`, in the order of their paths. `name_of` gives
    /// the last name of each.
    pub(super) fn named<'a>(&self, name: &str, name_of: impl Fn(usize) -> &'a str) -> &[usize] {
        let from = self.by_name.partition_point(|item| name_of(*item) < name);
        let rest = self.by_name.get(from..).unwrap_or_default();
        let count = rest.partition_point(|item| name_of(*item) == name);
        rest.get(..count).unwrap_or_default()
    }

    /// How much a term tells: the more, the fewer operations have it.
    pub(super) fn rarity(&self, term: usize) -> f32 {
        let (all, having) = (count(self.by_name.len()), count(self.packed(term).len()));
        (1.0 + (all - having + 0.5) / (having + 0.5)).ln()
    }

    fn packed(&self, term: usize) -> &[u32] {
        let end = self.ends.get(term).copied().unwrap_or_default();
        let before = term.checked_sub(1).and_then(|before| self.ends.get(before)).copied();
        self.postings.get(before.unwrap_or_default()..end).unwrap_or_default()
    }
}

fn by_name(items: &[Item]) -> Vec<usize> {
    let mut named: Vec<(&str, usize)> = items.iter().map(Item::name).zip(0..).collect();
    named.sort_unstable();
    named.into_iter().map(|(_, item)| item).collect()
}

#[allow(clippy::cast_precision_loss, reason = "far below 2^24")]
fn count(number: usize) -> f32 {
    number as f32
}

#[allow(clippy::cast_precision_loss, reason = "far below 2^24")]
fn small(number: u32) -> f32 {
    number as f32
}

/// What is read of the operations, one after the other.
#[derive(Default)]
struct Read {
    numbers: Numbers,
    /// A word's number and its posting, whose weight is in steps of plain text.
    met: Vec<(u32, u32)>,
    /// The sum of each operation's weights.
    lengths: Vec<u32>,
    /// What each word counts in one operation, by its number; zero for all that it hasn't.
    weights: Vec<u32>,
    /// The words of one operation.
    found: Vec<u32>,
    /// Room for a word.
    word: String,
}

impl Read {
    fn operation(&mut self, number: u32, item: &Item) {
        Texts { read: self, left: OPERATION_WORDS }.of(item);
        let mut length = 0_u32;
        for word in self.found.drain(..) {
            let weight = self.weights.get_mut(place(word)).map_or(0, std::mem::take);
            length = length.saturating_add(weight);
            self.met.push((word, weight.min(MOST_STEPS) << DOCUMENT_BITS | number));
        }
        self.lengths.push(length);
    }

    /// Adds a word as it is written.
    fn part(&mut self, part: &str, weight: u32) {
        let number = self.numbers.written(part).unwrap_or_else(|| {
            reduce(part, &mut self.word);
            self.numbers.remember(part, Term::of(&self.word))
        });
        self.add(number, weight);
    }

    /// Adds a word of the operation by its number.
    fn add(&mut self, number: u32, weight: u32) {
        if place(number) >= self.weights.len() {
            self.weights.push(0);
        }
        if let Some(sum) = self.weights.get_mut(place(number)) {
            if *sum == 0 {
                self.found.push(number);
            }
            *sum = sum.saturating_add(weight);
        }
    }

    /// The postings by their terms: counted, then laid out.
    fn index(self, by_name: Vec<usize>) -> Index {
        let Self { numbers, met, lengths, .. } = self;
        let numbers = numbers.sorted();
        let mut counts = vec![0_usize; numbers.len()];
        for (term, _) in &met {
            add(&mut counts, *term, 1);
        }
        // From here on where the next posting of each term goes.
        let mut places = counts;
        let (mut terms, mut ends) = (Vec::with_capacity(numbers.len()), Vec::new());
        ends.reserve_exact(numbers.len());
        let mut end = 0_usize;
        for (term, number) in numbers {
            terms.push(term);
            let count = add(&mut places, number, 0);
            set(&mut places, number, end);
            end = end.saturating_add(count);
            ends.push(end);
        }
        let held_back = held_back(&lengths);
        let mut postings = vec![0_u32; met.len()];
        for (term, posting) in met {
            let place = add(&mut places, term, 1);
            if let Some(kept) = postings.get_mut(place) {
                *kept = weighed(posting, &held_back);
            }
        }
        Index { terms, ends, postings, by_name }
    }
}

/// How much the length of each operation holds its words back.
fn held_back(lengths: &[u32]) -> Vec<f32> {
    let all: f32 = lengths.iter().map(|length| small(*length)).sum();
    let mean = (all / count(lengths.len()).max(1.0)).max(1.0);
    lengths.iter().map(|length| STEPS_OF_K1 * (1.0 - B + B * small(*length) / mean)).collect()
}

/// A posting with its final weight.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
fn weighed(posting: u32, held_back: &[f32]) -> u32 {
    let (document, weight) = (posting & DOCUMENT_MASK, small(posting >> DOCUMENT_BITS));
    let held_back = held_back.get(place(document)).copied().unwrap_or(STEPS_OF_K1);
    let weight = weight * (K1 + 1.0) / (weight + held_back);
    let steps = (weight * STEPS).clamp(1.0, 255.0) as u32;
    steps << DOCUMENT_BITS | document
}

fn place(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

/// Adds to one of `counts`, and gives what it was.
fn add(counts: &mut [usize], number: u32, more: usize) -> usize {
    let Some(count) = counts.get_mut(place(number)) else { return 0 };
    std::mem::replace(count, count.saturating_add(more))
}

fn set(counts: &mut [usize], number: u32, to: usize) {
    if let Some(count) = counts.get_mut(place(number)) {
        *count = to;
    }
}

/// The texts of one operation, whose words are gathered.
struct Texts<'a> {
    read: &'a mut Read,
    /// Words that there is room for.
    left: usize,
}

impl Texts<'_> {
    fn of(&mut self, item: &Item) {
        let name = item.name();
        self.add(name, NAME);
        self.add(item.path().strip_suffix(name).unwrap_or_default(), PATH);
        let (first, rest) = sentences(item.description().trim());
        self.add(first, DESCRIPTION.saturating_add(FIRST_SENTENCE));
        self.add(rest, DESCRIPTION);
        parameters(item.input().text(), &mut |said, text| match said {
            Said::Name => self.add(text, PARAMETER),
            Said::Description => self.add(text, PARAMETER_TEXT),
        });
        for note in item.notes().iter().map(String::as_str).chain(item.instructions()) {
            self.add(note, NOTE);
        }
    }

    fn add(&mut self, text: &str, weight: u32) {
        let room = FIELD_WORDS.min(self.left);
        let mut left = room;
        let mut goes_on = || {
            left = left.saturating_sub(1);
            left > 0
        };
        let read = &mut *self.read;
        if text.is_ascii() {
            each_part(text, |part| {
                read.part(part, weight);
                goes_on()
            });
        } else {
            each_word(text, &mut String::new(), |word| {
                let number = read.numbers.of(Term::of(word));
                read.add(number, weight);
                goes_on()
            });
        }
        self.left = self.left.saturating_sub(room.saturating_sub(left));
    }
}

/// The first sentence of a text, and the others.
fn sentences(text: &str) -> (&str, &str) {
    let end = text.find(['.', '\n', '。']).unwrap_or(text.len());
    text.split_at_checked(end).unwrap_or((text, ""))
}
