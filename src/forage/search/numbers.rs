//! The numbers under which words are met while an index is made.

use std::collections::BTreeMap;

use super::term::Term;

/// Slots that a word may be in, one after the other. A word that finds all of them taken by
/// others is looked up in order, so that no choice of words makes this slow.
const TRIED: usize = 8;

/// How many slots there are at first, and for words as they are written.
const SLOTS: usize = 1 << 10;

/// The most bytes of a word that is remembered as it is written: a [`Term`] has them all.
const WRITTEN: usize = 16;

const WRITTEN_MASK: usize = SLOTS - 1;

/// Words by number and numbers by word, from zero on.
#[derive(Default)]
pub(super) struct Numbers {
    /// By number.
    terms: Vec<Term>,
    /// A number and one; zero where there is none. A power of two of them.
    slots: Vec<u32>,
    /// Those that found no slot.
    crowded: BTreeMap<Term, u32>,
    /// Some words as they are written, and the numbers of their stems: most words come again
    /// and again.
    written: Vec<(Term, u32)>,
}

impl Numbers {
    /// The number of a word, which is the next one for a word that wasn't met before.
    pub(super) fn of(&mut self, term: Term) -> u32 {
        if self.terms.len() >= self.slots.len() / 2 {
            self.grow();
        }
        let next = number(self.terms.len());
        let found = self.find(term, next);
        if found == next {
            self.terms.push(term);
        }
        found
    }

    /// The number of the stem of a word that is written like this, if that is remembered.
    pub(super) fn written(&self, part: &str) -> Option<u32> {
        let term = Term::of(part);
        let (written, number) = self.written.get(term.scattered() & WRITTEN_MASK)?;
        (*written == term && part.len() <= WRITTEN).then_some(*number)
    }

    /// The number of a stem, and remembers that the word is written like this.
    pub(super) fn remember(&mut self, part: &str, stem: Term) -> u32 {
        let number = self.of(stem);
        let term = Term::of(part);
        self.written.resize(SLOTS, Default::default());
        if let Some(slot) = self.written.get_mut(term.scattered() & WRITTEN_MASK)
            && part.len() <= WRITTEN
        {
            *slot = (term, number);
        }
        number
    }

    /// Every word with its number, in the order of the words.
    pub(super) fn sorted(self) -> Vec<(Term, u32)> {
        let mut sorted: Vec<(Term, u32)> = self.terms.into_iter().zip(0..).collect();
        sorted.sort_unstable_by_key(|(term, _)| *term);
        sorted
    }

    /// The number of a word, or `next`, under which it is from now on.
    fn find(&mut self, term: Term, next: u32) -> u32 {
        let mask = self.slots.len().wrapping_sub(1);
        let first = term.scattered();
        for tried in 0..TRIED {
            let slot = self.slots.get_mut(first.wrapping_add(tried) & mask);
            let Some(slot) = slot else { break };
            match slot.checked_sub(1) {
                None => {
                    *slot = next.saturating_add(1);
                    return next;
                }
                Some(number) if self.terms.get(place(number)) == Some(&term) => return number,
                Some(_) => {}
            }
        }
        *self.crowded.entry(term).or_insert(next)
    }

    fn grow(&mut self) {
        self.slots = vec![0; self.slots.len().saturating_mul(2).max(SLOTS)];
        self.crowded.clear();
        for (index, term) in self.terms.clone().into_iter().enumerate() {
            self.find(term, number(index));
        }
    }
}

fn number(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

fn place(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::{Numbers, Term};

    #[test]
    fn each_word_has_one_number_however_many_there_are() {
        let (mut numbers, mut expected) = (Numbers::default(), BTreeMap::new());
        for round in 0..2 {
            for at in (0..5_000).rev() {
                let term = Term::of(&format!("word{}", at * (round + 1)));
                let next = u32::try_from(expected.len()).unwrap();
                assert_eq!(numbers.of(term), *expected.entry(term).or_insert(next));
            }
        }
        assert_eq!(numbers.sorted(), expected.into_iter().collect::<Vec<_>>());
    }

    #[test]
    fn what_is_remembered_of_a_written_word_is_its_stem_and_no_other() {
        let mut numbers = Numbers::default();
        let words: Vec<String> = (0..5_000).map(|at| format!("Words{at}")).collect();
        for word in words
            .iter()
            .chain(["a word of sixteen", "a word of sixteens"].map(str::to_owned).iter())
        {
            assert_eq!(numbers.written(word), None, "{word}");
            let number = numbers.remember(word, Term::of(&word.to_lowercase()));
            let is_short = word.len() <= 16;
            assert_eq!(numbers.written(word), is_short.then_some(number), "{word}");
        }
        let again: Vec<_> =
            words.iter().filter_map(|word| Some((word, numbers.written(word)?))).collect();
        assert!(again.len() > 500);
        for (word, number) in again {
            assert_eq!(number, numbers.of(Term::of(&word.to_lowercase())));
        }
    }

    #[test]
    fn words_that_all_want_the_same_slots_are_told_apart() {
        let slot = |term: &Term| term.scattered() % 4_096;
        let terms = (0..300_000).map(|at| Term::of(&at.to_string()));
        let terms: Vec<Term> = terms.filter(|term| slot(term) == 7).collect();
        assert!(terms.len() > 40);
        let mut numbers = Numbers::default();
        for _ in 0..2 {
            let given: Vec<u32> = terms.iter().map(|term| numbers.of(*term)).collect();
            assert!(given.into_iter().eq(0..u32::try_from(terms.len()).unwrap()));
        }
        assert!(!numbers.crowded.is_empty());
    }
}
