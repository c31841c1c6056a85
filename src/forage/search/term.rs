//! A word as the index has it.

/// Bytes of a word that count.
const BYTES: usize = 16;

const HALF: u128 = u64::MAX as u128;

/// A word by its first sixteen bytes, as a number: numbers are in the order of the words, and
/// are compared at once. Of two words that begin alike for so long each finds the other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Term(u128);

impl Term {
    pub(super) fn of(word: &str) -> Self {
        Self(filled(word, 0))
    }

    /// The first and the last that there can be of those that begin with `start`.
    pub(super) fn beginning(start: &str) -> (Self, Self) {
        (Self::of(start), Self(filled(start, u8::MAX)))
    }

    /// A number whose low bits are mostly others for another word.
    pub(super) fn scattered(self) -> usize {
        // The digits of the golden ratio and of pi; every byte counts in the upper bits.
        let half = |shift: u32| u64::try_from(self.0 >> shift & HALF).unwrap_or_default();
        let mixed = half(64).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ half(0);
        let mixed = mixed.rotate_left(31).wrapping_mul(0x2436_a885_a308_d313);
        usize::try_from(mixed >> 40).unwrap_or_default()
    }

    /// Hands its text to `read`.
    pub(super) fn read<T>(self, read: impl FnOnce(&str) -> T) -> T {
        let bytes = self.0.to_be_bytes();
        let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(BYTES);
        let text = bytes.get(..end).unwrap_or_default();
        // The last character may be cut.
        let whole = text.utf8_chunks().next().map_or("", |chunk| chunk.valid());
        read(whole)
    }
}

fn filled(word: &str, rest: u8) -> u128 {
    let mut bytes = [rest; BYTES];
    for (place, byte) in bytes.iter_mut().zip(word.bytes()) {
        *place = byte;
    }
    u128::from_be_bytes(bytes)
}

#[cfg(test)]
mod tests {
    use super::Term;

    #[test]
    fn terms_are_in_the_order_of_their_words_and_give_them_back() {
        let mut words = ["", "a", "ab", "b", "été", "z", "Ａ", "𝒜", "zoo", "0123456789abcdef"];
        words.sort_unstable();
        assert!(words.map(Term::of).is_sorted());
        for word in words {
            assert_eq!(Term::of(word).read(str::to_owned), word);
        }
        assert_eq!(Term::of("0123456789abcdéf").read(str::to_owned), "0123456789abcdé");
        assert_eq!(Term::of("0123456789abcdeéf").read(str::to_owned), "0123456789abcde");
    }

    #[test]
    fn what_begins_with_a_word_is_between_two_terms() {
        let (first, last) = Term::beginning("ré");
        for (word, begins) in
            [("ré", true), ("réa", true), ("ré😀", true), ("r", false), ("rê", false)]
        {
            assert_eq!((first..=last).contains(&Term::of(word)), begins, "{word}");
        }
    }
}
