//! What code calls a tool, whatever its server calls it.

use crate::operation::{Wanted, allot, relative_path, utf16_order};

/// The most UTF-16 code units of a name.
const UNITS: usize = 64;

/// The name of each of `raw`, in the same order, no two alike.
///
/// What can't be said becomes `_`. A tool whose own name can be said keeps it; of those that
/// become alike, the first in the order of their own names keeps the name and the next get
/// `_2`, `_3`, …: in whichever order the server lists them, each has the same name.
pub(super) fn names(raw: &[&str]) -> Vec<String> {
    let mut order: Vec<(usize, String)> = raw.iter().map(|name| said(name)).enumerate().collect();
    let own = |at: usize| raw.get(at).copied().unwrap_or_default();
    order.sort_by(|(left, left_said), (right, right_said)| {
        let kept = |at: usize, said: &str| own(at) == said;
        let first = kept(*right, right_said).cmp(&kept(*left, left_said));
        first.then_with(|| utf16_order(own(*left), own(*right)))
    });
    let wanted: Vec<_> = order
        .iter()
        .map(|(_, name)| Wanted { namespace: Vec::new(), name: name.clone() })
        .collect();
    let mut given: Vec<_> = order.iter().map(|(at, _)| *at).zip(allot(&wanted)).collect();
    given.sort_by_key(|(at, _)| *at);
    given.into_iter().map(|(_, name)| name).collect()
}

/// `raw` with what can't be said replaced.
fn said(raw: &str) -> String {
    let sayable = |character: char| {
        let one = format!("_{character}");
        if relative_path(&one).is_ok() { character } else { '_' }
    };
    let mut name = String::new();
    let mut units = 0_usize;
    for character in raw.chars().map(sayable) {
        units = units.saturating_add(character.len_utf16());
        if units >= UNITS {
            break;
        }
        name.push(character);
    }
    if relative_path(&name).is_ok() {
        return name;
    }
    // A digit at the beginning, or nothing at all; else a word with a meaning of its own.
    let before = format!("_{name}");
    let starts = name.chars().next().is_some_and(|first| relative_path(&first.to_string()).is_ok());
    if starts { format!("{name}_") } else { before }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use proptest::prelude::*;

    use super::{names, relative_path};

    #[test]
    fn what_can_not_be_said_is_replaced_and_the_rest_is_kept() {
        for (raw, expected) in [
            ("create-note", "create_note"),
            ("get_user", "get_user"),
            ("repos.list", "repos_list"),
            ("demo/read", "demo_read"),
            ("2fa", "_2fa"),
            ("", "_"),
            ("-", "_"),
            ("then", "then_"),
            ("toJSON", "toJSON_"),
            ("constructor", "constructor_"),
            ("delete", "delete"),
            ("a b", "a_b"),
            ("été", "été"),
            ("日本", "日本"),
            ("a\u{200d}b", "a_b"),
            ("😀", "_"),
        ] {
            assert_eq!(names(&[raw]), [expected], "{raw:?}");
        }
        assert_eq!(names(&[&"a".repeat(200)])[0].len(), 63);
    }

    #[test]
    fn tools_that_become_alike_are_numbered_by_their_own_names() {
        for (raw, expected) in [
            (vec!["a-b", "a_b"], vec!["a_b_2", "a_b"]),
            (vec!["a.b", "a-b"], vec!["a_b_2", "a_b"]),
            (vec!["a-b", "a_b", "a_b_2"], vec!["a_b_3", "a_b", "a_b_2"]),
            (vec!["x", "y"], vec!["x", "y"]),
        ] {
            assert_eq!(names(&raw), expected, "{raw:?}");
        }
    }

    proptest! {
        #[test]
        fn every_tool_has_a_name_of_its_own_in_whichever_order_they_come(
            raw in prop::collection::btree_set("[a-c_.\\-/ 0é😀]{0,5}|then|toJSON|[a_-]{60,70}", 0..20),
        ) {
            let forth: Vec<&str> = raw.iter().map(String::as_str).collect();
            let back: Vec<&str> = forth.iter().rev().copied().collect();
            let given = names(&forth);
            prop_assert!(given.iter().all(|name| relative_path(name).is_ok() && !name.contains('.')));
            prop_assert_eq!(given.iter().collect::<BTreeSet<_>>().len(), raw.len());
            let by_raw: BTreeMap<_, _> = forth.iter().zip(&given).collect();
            let turned = names(&back);
            for (raw, name) in back.iter().zip(&turned) {
                prop_assert_eq!(by_raw[raw], name);
            }
        }
    }
}
