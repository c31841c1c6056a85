//! Texts that somebody else wrote, bounded.
//!
//! Nothing here makes a text trustworthy: whoever shows one frames it as data.

/// A text within a bound.
#[cfg(any(feature = "intake-openapi", test))]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Bounded {
    pub(super) text: String,
    /// Whether a part of it was cut off.
    pub(super) truncated: bool,
}

/// Cuts `text` to at most `units` UTF-16 units at a character boundary and marks the cut.
#[cfg(any(feature = "intake-openapi", test))]
pub(super) fn bounded(text: &str, units: usize) -> Bounded {
    if within(text, units) {
        return Bounded { text: text.to_owned(), truncated: false };
    }
    let room = units.saturating_sub(1);
    let mut used = 0_usize;
    let fits = |letter: &char| {
        used = used.saturating_add(letter.len_utf16());
        used <= room
    };
    let mut cut: String = text.chars().take_while(fits).collect();
    cut.push('…');
    Bounded { text: cut, truncated: true }
}

/// Whether `text` has at most `units` UTF-16 units.
pub(super) fn within(text: &str, units: usize) -> bool {
    // A text has no more units than bytes.
    text.len() <= units || text.encode_utf16().take(units.saturating_add(1)).count() <= units
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{bounded, within};

    #[test]
    fn a_text_is_cut_between_characters() {
        let cut = |text: &str, units| bounded(text, units).text;
        assert_eq!(cut("abcd", 4), "abcd");
        assert_eq!(cut("abcde", 4), "abc…");
        assert_eq!(cut("😀😀😀", 4), "😀…");
        assert_eq!(cut("a😀😀", 4), "a😀…");
        assert!(bounded("éé", 1).truncated && !bounded("éé", 2).truncated);
    }

    proptest! {
        #[test]
        fn no_text_is_over_its_bound(text in "\\PC{0,40}", units in 1_usize..30) {
            let cut = bounded(&text, units);
            prop_assert!(within(&cut.text, units));
            prop_assert!(cut.truncated || cut.text == text);
        }
    }
}
