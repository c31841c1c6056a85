//! A word as the index has it.

/// Bytes of a word that count, and of each half of them.
const BYTES: usize = 16;
const HALF: usize = 8;

/// A word by its first sixteen bytes, as two numbers: they are in the order of the words, and
/// are compared at once. Of two words that begin alike for so long each finds the other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Term(u64, u64);

impl Term {
    pub(super) fn of(word: &str) -> Self {
        Self::filled(word, 0)
    }

    /// The first and the last that there can be of those that begin with `start`.
    pub(super) fn beginning(start: &str) -> (Self, Self) {
        (Self::of(start), Self::filled(start, u8::MAX))
    }

    fn filled(word: &str, rest: u8) -> Self {
        let bytes = word.as_bytes();
        Self(half(bytes, 0, rest), half(bytes, HALF, rest))
    }

    /// A number whose low bits are mostly others for another word.
    pub(super) fn scattered(self) -> usize {
        // The digits of the golden ratio and of pi; every byte counts in the upper bits.
        let mixed = self.0.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ self.1;
        let mixed = mixed.rotate_left(31).wrapping_mul(0x2436_a885_a308_d313);
        usize::try_from(mixed >> 40).unwrap_or_default()
    }

    /// Hands its text to `read`.
    pub(super) fn read<T>(self, read: impl FnOnce(&str) -> T) -> T {
        let mut bytes = [0; BYTES];
        let halves = [self.0, self.1].into_iter().flat_map(u64::to_be_bytes);
        for (place, byte) in bytes.iter_mut().zip(halves) {
            *place = byte;
        }
        let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(BYTES);
        let text = bytes.get(..end).unwrap_or_default();
        // The last character may be cut.
        let whole = text.utf8_chunks().next().map_or("", |chunk| chunk.valid());
        read(whole)
    }
}

/// Eight bytes from `from` on as a number, filled up with `rest`.
fn half(bytes: &[u8], from: usize, rest: u8) -> u64 {
    let mut half = 0_u64;
    let mut at = from;
    while at < from.saturating_add(HALF) {
        half = half << 8 | u64::from(bytes.get(at).copied().unwrap_or(rest));
        at = at.saturating_add(1);
    }
    half
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
