//! The table of failures.

use std::collections::BTreeSet;

use mycelium::failure::{MESSAGE_BYTES, TABLE, bounded};
use proptest::prelude::*;

#[test]
fn every_code_is_kebab_case_and_means_one_thing() {
    let mut codes = BTreeSet::new();
    for row in TABLE {
        assert!(codes.insert(row.code), "{} is there twice", row.code);
        let words = row
            .code
            .split('-')
            .all(|word| !word.is_empty() && word.chars().all(|letter| letter.is_ascii_lowercase()));
        assert!(words || is_a_pens(row.code), "{}", row.code);
    }
}

/// The codes that spec 002 gives to a pen's failures.
fn is_a_pens(code: &str) -> bool {
    code.strip_prefix("MPP-E00")
        .is_some_and(|digit| matches!(digit, "1" | "2" | "3" | "4" | "5" | "6"))
}

#[test]
fn a_pens_six_failures_have_the_codes_of_the_specification() {
    let pens: Vec<&str> = TABLE.iter().map(|row| row.code).filter(|code| is_a_pens(code)).collect();
    assert_eq!(pens, ["MPP-E001", "MPP-E002", "MPP-E003", "MPP-E004", "MPP-E005", "MPP-E006"]);
}

/// Facts that say what to do themselves: whoever found the fault wrote them.
const ADVISING: [&str; 3] = ["{problem}", "{remedy}", "{nearest}"];

/// How an advice begins, after what went wrong.
const ADVICE: [&str; 4] = [": ", "; ", ", or ", "await "];

#[test]
fn every_message_says_what_to_do() {
    for row in TABLE {
        let advises = ADVISING.iter().any(|fact| row.message.contains(fact))
            || ADVICE.iter().any(|beginning| {
                let advice = row.message.split_once(beginning).map_or("", |(_, advice)| advice);
                advice.contains(' ') && !advice.starts_with('{')
            });
        assert!(advises, "{}: {:?} leaves the reader alone", row.code, row.message);
        assert!(row.message.len() < MESSAGE_BYTES / 4, "{}", row.code);
        assert!(!row.message.ends_with('.'), "{}: a fact or a reference may follow", row.code);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_bounded_text_is_a_prefix_and_within_its_bound(text in ".{0,80}", limit in 3..100_usize) {
        let cut = bounded(&text, limit);
        prop_assert!(cut.len() <= limit);
        if text.len() <= limit {
            prop_assert_eq!(cut, text);
        } else {
            let kept = cut.strip_suffix('…').unwrap();
            prop_assert!(text.starts_with(kept));
        }
    }
}
