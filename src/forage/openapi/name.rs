//! The names that a program calls operations by.
//!
//! A name is made of the operation's id, or of method and path; names can change when
//! the document does, so that nothing is selected by them.

#[cfg(any(feature = "intake-openapi", test))]
use std::collections::BTreeSet;

/// The most characters of a name; all of them are ASCII.
const LENGTH: usize = 64;

/// What a name may not be: what a namespace answers to by itself, what every object
/// and every function of JavaScript has.
const RESERVED: &[&str] = &[
    "__defineGetter__",
    "__defineSetter__",
    "__lookupGetter__",
    "__lookupSetter__",
    "__proto__",
    "apply",
    "arguments",
    "bind",
    "call",
    "caller",
    "constructor",
    "describe",
    "hasOwnProperty",
    "isPrototypeOf",
    "length",
    "list",
    "name",
    "propertyIsEnumerable",
    "prototype",
    "search",
    "then",
    "toJSON",
    "toLocaleString",
    "toString",
    "valueOf",
];

/// Whether `name` is one that this module may give.
pub(crate) fn is_name(name: &str) -> bool {
    let begins = |byte: u8| byte.is_ascii_alphabetic() || byte == b'_';
    name.bytes().next().is_some_and(begins)
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && name.len() <= LENGTH
        && !RESERVED.contains(&name)
}

/// The name that `raw` wants; none when it has no letter and no digit.
#[cfg(any(feature = "intake-openapi", test))]
pub(crate) fn wanted(raw: &str) -> Option<String> {
    let mut name = String::new();
    for letter in raw.chars() {
        if name.len() >= LENGTH {
            break;
        }
        match letter {
            letter if letter.is_ascii_alphanumeric() => name.push(letter),
            // One sign for any run of others, and none at the beginning.
            _ if !name.is_empty() && !name.ends_with('_') => name.push('_'),
            _ => {}
        }
    }
    let trimmed = name.trim_end_matches('_');
    let first = trimmed.bytes().next()?;
    if first.is_ascii_digit() {
        return Some(format!("_{trimmed}").chars().take(LENGTH).collect());
    }
    Some(trimmed.to_owned())
}

/// Names that are taken.
#[cfg(any(feature = "intake-openapi", test))]
#[derive(Debug, Default)]
pub(crate) struct Names(BTreeSet<String>);

#[cfg(any(feature = "intake-openapi", test))]
impl Names {
    /// The first of `wanted`, `wanted_2`, `wanted_3`, … that is a name nobody has.
    pub(crate) fn take(&mut self, wanted: &str) -> String {
        let mut name = wanted.to_owned();
        let mut number = 2_u64;
        while !is_name(&name) || self.0.contains(&name) {
            let suffix = format!("_{number}");
            let kept = wanted.len().min(LENGTH.saturating_sub(suffix.len()));
            name = wanted.get(..kept).unwrap_or_default().to_owned() + &suffix;
            number = number.saturating_add(1);
        }
        self.0.insert(name.clone());
        name
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Names, RESERVED, is_name, wanted};

    #[test]
    fn a_name_is_made_of_letters_digits_and_underscores() {
        for (raw, expected) in [
            ("getPet", "getPet"),
            ("repos/get", "repos_get"),
            ("repos.get", "repos_get"),
            ("get-user  by id", "get_user_by_id"),
            ("1st", "_1st"),
            ("日本x", "x"),
            ("_a_", "a"),
            ("GET /pets/{id}", "GET_pets_id"),
        ] {
            assert_eq!(wanted(raw).as_deref(), Some(expected));
        }
        assert_eq!(wanted("日本"), None);
        assert_eq!(wanted(""), None);
    }

    #[test]
    fn reserved_names_are_kept_away() {
        assert!(RESERVED.is_sorted());
        for name in RESERVED {
            assert!(!is_name(name), "{name}");
            let mut names = Names::default();
            assert_eq!(names.take(name), format!("{name}_2"));
        }
    }

    #[test]
    fn names_that_collide_are_numbered() {
        let mut names = Names::default();
        let long = "a".repeat(64);
        let taken: Vec<_> =
            ["x", "x", "x_2", "x", &long, &long].iter().map(|wanted| names.take(wanted)).collect();
        let numbered = format!("{}_2", "a".repeat(62));
        assert_eq!(taken, ["x", "x_2", "x_2_2", "x_3", &long, &numbered]);
    }

    proptest! {
        #[test]
        fn every_text_makes_names_and_no_two_the_same(raw in prop::collection::vec("\\PC{0,80}", 0..20)) {
            let mut names = Names::default();
            let taken: Vec<_> =
                raw.iter().filter_map(|raw| Some(names.take(&wanted(raw)?))).collect();
            let different: std::collections::BTreeSet<_> = taken.iter().collect();
            prop_assert_eq!(different.len(), taken.len());
            prop_assert!(taken.iter().all(|name| is_name(name)));
        }
    }
}
