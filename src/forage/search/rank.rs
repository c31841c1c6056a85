//! How well each operation answers a question.

use super::{Index, is_wanted, synonym::synonyms, term::Term, typo, words::asked};
use crate::forage::{Catalog, item::Item};

/// What a word counts that isn't the one that was said.
const BEGUN: f32 = 0.6;
const SYNONYM: f32 = 0.5;
const MISSPELT: f32 = 0.5;
/// Letters that a beginning has at least.
const BEGINNING: usize = 3;
/// Words taken for one of the question.
const TAKEN: usize = 24;
/// Words of a question that count.
const ASKED: usize = 32;

/// An operation that answers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hit {
    pub(super) document: usize,
    pub(super) score: f32,
    place: Place,
}

/// How the question is to the path; what comes first is best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Exact,
    Begun,
    Elsewhere,
}

/// All operations that answer `text`, best first, equal ones in the order of paths.
pub(super) fn ranked(catalog: &Catalog, text: &str, namespace: Option<&str>) -> Vec<Hit> {
    let scores = scores(catalog.index(), text);
    let spoken = Spoken::of(text);
    let hit = |(document, item): (usize, &Item)| {
        let score = scores.get(document).copied().unwrap_or_default();
        let place = spoken.place(item.path());
        (score > 0.0 || place != Place::Elsewhere).then_some(Hit { document, score, place })
    };
    let wanted = catalog.numbered().filter(|(_, item)| is_wanted(item, namespace));
    let mut hits: Vec<Hit> = wanted.filter_map(hit).collect();
    // Stable: operations are in the order of their paths already.
    hits.sort_by(|left, right| {
        left.place.cmp(&right.place).then(right.score.total_cmp(&left.score))
    });
    hits
}

/// The question taken as a path.
struct Spoken(String);

impl Spoken {
    fn of(text: &str) -> Self {
        let text = text.trim();
        let text = text.strip_prefix("env.").unwrap_or(text);
        Self(text.trim_end_matches("()").to_owned())
    }

    fn place(&self, path: &str) -> Place {
        let same = |(left, right): (char, char)| left.to_lowercase().eq(right.to_lowercase());
        let mut rest = path.chars();
        for said in self.0.chars() {
            match rest.next() {
                Some(letter) if same((said, letter)) => {}
                _ => return Place::Elsewhere,
            }
        }
        match rest.next() {
            None => Place::Exact,
            Some(next) if next == '.' || self.0.contains('.') => Place::Begun,
            Some(_) => Place::Elsewhere,
        }
    }
}

/// What a word counts in an operation, and how much of the word it is.
type Part = (f32, f32);

/// The score of each operation: zero for those that have no word of the question.
fn scores(index: &Index, text: &str) -> Vec<f32> {
    let none: Vec<Part> = vec![(0.0, 0.0); index.documents()];
    let (mut sums, mut best) = (none.clone(), Best { parts: none, found: Vec::new() });
    let mut words = asked(text);
    words.truncate(ASKED);
    for word in &words {
        best.look(index, word);
        best.drain(&mut sums);
    }
    let all: f32 = words.iter().map(|_| 1.0).sum();
    // Who has more of the words answers more of the question.
    sums.into_iter().map(|(score, share)| score * (0.5 + 0.5 * share / all.max(1.0))).collect()
}

/// What one word of the question counts in each operation: by the best of the words taken
/// for it.
struct Best {
    parts: Vec<Part>,
    /// The operations that have one of them.
    found: Vec<usize>,
}

impl Best {
    fn look(&mut self, index: &Index, word: &str) {
        for (term, factor) in taken(index, word) {
            let rarity = index.rarity(term) * factor;
            for posting in index.postings(term) {
                let score = rarity * posting.weight;
                let Some(best) = self.parts.get_mut(posting.document) else { continue };
                if best.0 == 0.0 {
                    self.found.push(posting.document);
                }
                if score > best.0 {
                    *best = (score, factor);
                }
            }
        }
    }

    /// Adds it to `sums`, and forgets it.
    fn drain(&mut self, sums: &mut [Part]) {
        for document in self.found.drain(..) {
            let Some(best) = self.parts.get_mut(document) else { continue };
            let (score, factor) = std::mem::take(best);
            if let Some(sum) = sums.get_mut(document) {
                *sum = (sum.0 + score, sum.1 + factor);
            }
        }
    }
}

/// The terms taken for a word, and what each counts.
fn taken(index: &Index, word: &str) -> Vec<(usize, f32)> {
    let exact = index.term(word);
    let mut taken: Vec<(usize, f32)> = exact.map(|term| (term, 1.0)).into_iter().collect();
    if word.chars().count() >= BEGINNING {
        let begun = index.beginning(word).filter(|term| Some(*term) != exact);
        taken.extend(begun.take(TAKEN).map(|term| (term, BEGUN)));
    }
    let others = synonyms(word);
    taken.extend(others.filter_map(|other| Some((index.term(other)?, SYNONYM))));
    if taken.is_empty() {
        let slips = typo::forgiven(word.chars().count());
        let terms = index.terms().iter().enumerate();
        let said = Term::of(word);
        let is_near =
            |term: Term| said.read(|said| term.read(|text| typo::is_near(said, text, slips)));
        let near = terms.filter(|(_, term)| slips > 0 && is_near(**term));
        taken.extend(near.take(TAKEN).map(|(term, _)| (term, MISSPELT)));
    }
    taken
}
