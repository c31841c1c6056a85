//! Words that are nearly the same letters.

/// How many slips are forgiven in a word of so many letters.
pub(super) fn forgiven(letters: usize) -> usize {
    match letters {
        0..=3 => 0,
        4..=7 => 1,
        _ => 2,
    }
}

/// Whether `left` becomes `right` by at most `most` slips: a letter too much, missing, wrong,
/// or two in the wrong order.
pub(super) fn is_near(left: &str, right: &str, most: usize) -> bool {
    if left.len().abs_diff(right.len()) > most || differing(left, right) > most.saturating_mul(2) {
        return false;
    }
    let (left, right): (Vec<char>, Vec<char>) = (left.chars().collect(), right.chars().collect());
    distance(&left, &right) <= most
}

/// What of `known` may have been meant by `wanted`: the one with the fewest slips, of which
/// a third of the letters may be.
pub(crate) fn nearest<'a>(
    wanted: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    // A long text is no name, and comparing it would take long.
    let wanted: Vec<char> = wanted.chars().take(LONGEST).collect();
    let most = wanted.len().div_ceil(3);
    let slips = |name: &'a str| {
        let letters: Vec<char> = name.chars().take(LONGEST).collect();
        (distance(&wanted, &letters), name)
    };
    let least = known.into_iter().map(slips).min();
    least.filter(|(slips, _)| *slips <= most).map(|(_, name)| name)
}

/// Letters of a name that are compared.
const LONGEST: usize = 64;

/// How many kinds of letters one of the two has and the other doesn't: a slip changes two.
fn differing(left: &str, right: &str) -> usize {
    let kinds = |text: &str| text.bytes().fold(0_u64, |kinds, byte| kinds | 1 << (byte & 63));
    usize::try_from((kinds(left) ^ kinds(right)).count_ones()).unwrap_or(usize::MAX)
}

/// Damerau-Levenshtein over neighbours, one row after another.
fn distance(left: &[char], right: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (down, letter) in left.iter().enumerate() {
        let mut next = vec![down.saturating_add(1)];
        for (along, other) in right.iter().enumerate() {
            let at = |row: &[usize], place: usize| row.get(place).copied().unwrap_or(usize::MAX);
            let wrong = at(&row, along).saturating_add(usize::from(letter != other));
            let missing = at(&row, along.saturating_add(1)).saturating_add(1);
            let extra = at(&next, along).saturating_add(1);
            let mut least = wrong.min(missing).min(extra);
            if is_swap(left, right, down, along) {
                least = least.min(at(&before, along.wrapping_sub(1)).saturating_add(1));
            }
            next.push(least);
        }
        before = std::mem::replace(&mut row, next);
    }
    row.last().copied().unwrap_or_default()
}

fn is_swap(left: &[char], right: &[char], down: usize, along: usize) -> bool {
    let (Some(up), Some(back)) = (down.checked_sub(1), along.checked_sub(1)) else { return false };
    left.get(down) == right.get(back) && left.get(up) == right.get(along)
}

#[cfg(test)]
mod tests {
    use super::{is_near, nearest};

    #[test]
    fn the_name_with_the_fewest_slips_is_meant_unless_none_is_near() {
        let known = ["server", "secret", "table", "timeout_ms"];
        let cases = [
            ("sever", Some("server")),
            ("tabel", Some("table")),
            ("timeout", Some("timeout_ms")),
            ("bucket", None),
            ("", None),
        ];
        for (wanted, meant) in cases {
            assert_eq!(nearest(wanted, known), meant, "{wanted}");
        }
        assert_eq!(nearest(&"x".repeat(1_000_000), known), None);
    }

    #[test]
    fn a_slip_is_a_letter_missing_too_much_wrong_or_swapped() {
        for (left, right, slips) in [
            ("issue", "issue", 0),
            ("isue", "issue", 1),
            ("isssue", "issue", 1),
            ("izsue", "issue", 1),
            ("sisue", "issue", 1),
            ("repsoitroy", "repository", 2),
            ("", "ab", 2),
        ] {
            assert!(is_near(left, right, slips), "{left} {right}");
            assert!(slips == 0 || !is_near(left, right, slips - 1), "{left} {right}");
        }
    }
}
