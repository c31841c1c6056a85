//! Which word stands where, and with how much weight.
//!
//! An inverted index of our own: the well-kept crates either bring a storage engine, don't
//! build for wasm, or add more bytes than this whole module for stemmers of languages that
//! names of operations are not written in.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{super::item::Item, words::words};

/// What a word counts by where it stands.
const NAME: f32 = 5.0;
const PATH: f32 = 2.0;
const DESCRIPTION: f32 = 2.0;
const FIRST_SENTENCE: f32 = 2.0;
const PARAMETER: f32 = 1.0;
const PARAMETER_TEXT: f32 = 0.4;
const NOTE: f32 = 0.6;

/// Words of one field that count: long texts repeat themselves.
const FIELD_WORDS: usize = 400;
/// Parameters that count.
const PARAMETERS: usize = 64;
/// How deep parameters are looked for.
const DEPTH: usize = 3;

/// How soon a repeated word stops counting, and how much long texts are held back.
const K1: f32 = 1.2;
const B: f32 = 0.5;

/// Steps of a weight; the largest is 255 / `STEPS`.
const STEPS: f32 = 100.0;
const DOCUMENT_BITS: u32 = 24;
const DOCUMENT_MASK: u32 = (1 << DOCUMENT_BITS) - 1;

/// The words of all operations. A posting is the operation's position in its low 24 bits
/// and the word's weight in it above.
#[derive(Debug, Default)]
pub(in crate::forage) struct Index {
    /// Sorted.
    terms: Vec<String>,
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
        let documents: Vec<Counted> = items.iter().map(Counted::of).collect();
        let lengths: f32 = documents.iter().map(|document| document.length).sum();
        let mean = (lengths / count(documents.len()).max(1.0)).max(1.0);
        let mut terms: BTreeMap<String, Vec<u32>> = BTreeMap::new();
        for (number, Counted { words, length }) in documents.into_iter().enumerate() {
            let Ok(number) = u32::try_from(number) else { break };
            let held_back = K1 * (1.0 - B + B * length / mean);
            for (word, weight) in words {
                let weight = weight * (K1 + 1.0) / (weight + held_back);
                terms.entry(word).or_default().push(posting(number, weight));
            }
        }
        let mut index = Self { by_name: by_name(items), ..Self::default() };
        for (term, postings) in terms {
            index.terms.push(term);
            index.postings.extend(postings);
            index.ends.push(index.postings.len());
        }
        index.terms.shrink_to_fit();
        index.postings.shrink_to_fit();
        index
    }

    /// Every word there is, in order.
    pub(super) fn terms(&self) -> &[String] {
        &self.terms
    }

    pub(super) fn term(&self, word: &str) -> Option<usize> {
        self.terms.binary_search_by(|term| term.as_str().cmp(word)).ok()
    }

    /// The terms that begin with `start`, by their positions.
    pub(super) fn beginning(&self, start: &str) -> std::ops::Range<usize> {
        let from = self.terms.partition_point(|term| term.as_str() < start);
        let rest = self.terms.get(from..).unwrap_or_default();
        let count = rest.partition_point(|term| term.starts_with(start));
        from..from.saturating_add(count)
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

#[allow(clippy::cast_precision_loss, reason = "one byte")]
fn small(number: u32) -> f32 {
    number as f32
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
fn posting(document: u32, weight: f32) -> u32 {
    let steps = (weight * STEPS).clamp(1.0, 255.0) as u32;
    steps << DOCUMENT_BITS | document & DOCUMENT_MASK
}

/// The words of one operation with their weights, and the sum of them.
struct Counted {
    words: BTreeMap<String, f32>,
    length: f32,
}

impl Counted {
    fn of(item: &Item) -> Self {
        let mut counted = Self { words: BTreeMap::new(), length: 0.0 };
        let name = item.name();
        counted.add(name, NAME);
        counted.add(item.path().strip_suffix(name).unwrap_or_default(), PATH);
        let description = item.description().trim();
        counted.add(first_sentence(description), FIRST_SENTENCE);
        counted.add(description, DESCRIPTION);
        let mut left = PARAMETERS;
        counted.parameters(item.input().document(), DEPTH, &mut left);
        for note in item.notes().iter().map(String::as_str).chain(item.instructions()) {
            counted.add(note, NOTE);
        }
        counted
    }

    fn add(&mut self, text: &str, weight: f32) {
        for word in words(text).into_iter().take(FIELD_WORDS) {
            *self.words.entry(word).or_default() += weight;
            self.length += weight;
        }
    }

    fn parameters(&mut self, schema: &Value, depth: usize, left: &mut usize) {
        let Some(depth) = depth.checked_sub(1) else { return };
        if let Some(items) = schema.get("items") {
            self.parameters(items, depth, left);
        }
        let Some(Value::Object(properties)) = schema.get("properties") else { return };
        for (name, schema) in properties {
            let Some(rest) = left.checked_sub(1) else { return };
            *left = rest;
            self.add(name, PARAMETER);
            if let Some(Value::String(text)) = schema.get("description") {
                self.add(text, PARAMETER_TEXT);
            }
            self.parameters(schema, depth, left);
        }
    }
}

fn first_sentence(text: &str) -> &str {
    let end = text.find(['.', '\n', '。']).unwrap_or(text.len());
    text.get(..end).unwrap_or_default()
}
