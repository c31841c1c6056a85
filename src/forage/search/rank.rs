//! How well each operation answers a question.

use std::collections::BTreeMap;

use super::{Index, is_wanted, synonym::synonyms, typo, words::asked};
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
        let score = scores.get(&document).copied().unwrap_or_default();
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
        Self(text.trim_end_matches("()").to_lowercase())
    }

    fn place(&self, path: &str) -> Place {
        let path = path.to_lowercase();
        match path.strip_prefix(&self.0) {
            Some("") => Place::Exact,
            Some(rest) if rest.starts_with('.') || self.0.contains('.') => Place::Begun,
            _ => Place::Elsewhere,
        }
    }
}

/// The scores of those that have any word of the question, or one for it.
fn scores(index: &Index, text: &str) -> BTreeMap<usize, f32> {
    let mut sums: BTreeMap<usize, (f32, f32)> = BTreeMap::new();
    let words = asked(text);
    let asked = words.iter().take(ASKED);
    for word in asked.clone() {
        for (document, (score, share)) in best(index, word) {
            let sum = sums.entry(document).or_default();
            *sum = (sum.0 + score, sum.1 + share);
        }
    }
    let all: f32 = asked.map(|_| 1.0).sum();
    // Who has more of the words answers more of the question.
    let whole = |(score, share): (f32, f32)| score * (0.5 + 0.5 * share / all.max(1.0));
    sums.into_iter().map(|(document, sum)| (document, whole(sum))).collect()
}

/// What one word of the question counts in each operation: by the best of the words taken
/// for it, with how much of the word that is.
fn best(index: &Index, word: &str) -> BTreeMap<usize, (f32, f32)> {
    let mut found: BTreeMap<usize, (f32, f32)> = BTreeMap::new();
    for (term, factor) in taken(index, word) {
        let rarity = index.rarity(term) * factor;
        for posting in index.postings(term) {
            let score = rarity * posting.weight;
            let best = found.entry(posting.document).or_default();
            if score > best.0 {
                *best = (score, factor);
            }
        }
    }
    found
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
    taken.extend(others.iter().filter_map(|other| Some((index.term(other)?, SYNONYM))));
    if taken.is_empty() {
        let slips = typo::forgiven(word.chars().count());
        let terms = index.terms().iter().enumerate();
        let near = terms.filter(|(_, term)| slips > 0 && typo::is_near(word, term, slips));
        taken.extend(near.take(TAKEN).map(|(term, _)| (term, MISSPELT)));
    }
    taken
}
