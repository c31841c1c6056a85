//! Which name each gets when several want the same one.

use std::collections::{BTreeMap, BTreeSet};

use super::name;

/// A name that is wanted within a namespace.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Wanted {
    /// The namespace's segments.
    pub(crate) namespace: Vec<String>,
    /// The name in it.
    pub(crate) name: String,
}

/// The names given for those wanted, in the same order.
///
/// Whoever wants a name first keeps it, the next ones get it with `_2`, `_3`, …
/// and pass over whatever anybody wants for itself. Given in the order of ids,
/// the result depends on nothing else.
pub(crate) fn allot(wanted: &[Wanted]) -> Vec<String> {
    let mut taken: BTreeSet<Wanted> = wanted.iter().cloned().collect();
    let mut last: BTreeMap<&Wanted, u64> = BTreeMap::new();
    let mut names = Vec::with_capacity(wanted.len());
    for want in wanted {
        let Some(number) = last.get_mut(want) else {
            last.insert(want, 1);
            names.push(want.name.clone());
            continue;
        };
        names.push(next_free(want, number, &mut taken));
    }
    names
}

fn next_free(want: &Wanted, number: &mut u64, taken: &mut BTreeSet<Wanted>) -> String {
    loop {
        *number = number.saturating_add(1);
        let name = numbered(&want.name, *number);
        if taken.insert(Wanted { namespace: want.namespace.clone(), name: name.clone() }) {
            return name;
        }
    }
}

/// `name_2`, cut so that it stays a name.
fn numbered(name: &str, number: u64) -> String {
    let suffix = format!("_{number}");
    let mut kept = name.to_owned();
    while name::units(&kept).saturating_add(suffix.len()) > name::SEGMENT_UNITS {
        kept.pop();
    }
    kept.push_str(&suffix);
    kept
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::{Wanted, allot, name};

    fn wanted(path: &str) -> Wanted {
        let mut namespace: Vec<String> = path.split('.').map(str::to_owned).collect();
        let name = namespace.pop().unwrap();
        Wanted { namespace, name }
    }

    #[test]
    fn the_first_keeps_the_name_and_the_next_are_numbered() {
        let cases: [(&[&str], &[&str]); 5] = [
            (&["a", "b"], &["a", "b"]),
            (&["a", "a", "a"], &["a", "a_2", "a_3"]),
            (&["a", "a", "a_2"], &["a", "a_3", "a_2"]),
            (&["a_2", "a_2", "a", "a"], &["a_2", "a_2_2", "a", "a_3"]),
            (&["apps.x", "computers.x", "x"], &["x", "x", "x"]),
        ];
        for (paths, expected) in cases {
            let wanted: Vec<Wanted> = paths.iter().map(|path| wanted(path)).collect();
            assert_eq!(allot(&wanted), expected, "{paths:?}");
        }
    }

    #[test]
    fn a_numbered_name_is_still_a_name() {
        for long in ["a".repeat(64), "𝒳".repeat(32)] {
            let wanted = Wanted { namespace: Vec::new(), name: long };
            let names = allot(&vec![wanted; 12]);
            for name in &names {
                assert!(name::segment(name).is_ok(), "{name}");
            }
            assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), 12);
        }
    }

    proptest! {
        #[test]
        fn no_two_modules_share_a_name_in_a_namespace(
            paths in prop::collection::vec("([ab]\\.)?[xy](_[23])?", 0..40),
        ) {
            let wanted: Vec<Wanted> = paths.iter().map(|path| wanted(path)).collect();
            let given: BTreeSet<Wanted> = wanted
                .iter()
                .zip(allot(&wanted))
                .map(|(want, name)| Wanted { namespace: want.namespace.clone(), name })
                .collect();
            prop_assert_eq!(given.len(), wanted.len());
            // Nobody loses a name that they alone want, and no wanted name is lost.
            for want in &wanted {
                prop_assert!(given.contains(want));
            }
        }
    }
}
