//! Which names code can say, and their one order.

use std::cmp::Ordering;

/// The most UTF-16 code units of one segment.
pub(super) const SEGMENT_UNITS: usize = 64;

/// The most UTF-16 code units of a whole path, so that nesting is bounded.
const PATH_UNITS: usize = 1_024;

/// The most UTF-16 code units of a module's id.
const ID_UNITS: usize = 256;

/// Names with a meaning of their own at the root.
const RESERVED_ROOTS: &[&str] = &["env", "forage", "then"];

/// Names that an object answers to by itself, so that a call could reach the wrong thing.
const RESERVED_SEGMENTS: &[&str] = &[
    "__defineGetter__",
    "__defineSetter__",
    "__lookupGetter__",
    "__lookupSetter__",
    "__proto__",
    "constructor",
    "hasOwnProperty",
    "isPrototypeOf",
    "propertyIsEnumerable",
    "prototype",
    "then",
    "toJSON",
    "toLocaleString",
    "toString",
    "valueOf",
];

/// What isn't a variable's name in a module, so that `<root>.x()` says something
/// else or nothing: ECMA-262, "ReservedWord" with the strict and module ones, and
/// `arguments`, which every function has of its own.
const KEYWORDS: &[&str] = &[
    "arguments",
    "await",
    "break",
    "case",
    "catch",
    "class",
    "const",
    "continue",
    "debugger",
    "default",
    "delete",
    "do",
    "else",
    "enum",
    "export",
    "extends",
    "false",
    "finally",
    "for",
    "function",
    "if",
    "implements",
    "import",
    "in",
    "instanceof",
    "interface",
    "let",
    "new",
    "null",
    "package",
    "private",
    "protected",
    "public",
    "return",
    "static",
    "super",
    "switch",
    "this",
    "throw",
    "true",
    "try",
    "typeof",
    "var",
    "void",
    "while",
    "with",
    "yield",
];

/// Whether `root` can't be said by itself, only as a member of `env`.
pub(super) fn is_keyword(root: &str) -> bool {
    KEYWORDS.binary_search(&root).is_ok()
}

/// Orders names as JavaScript does, by UTF-16 code units.
///
/// That is the order of their bytes, but for characters beyond U+FFFF: their first unit is a
/// surrogate, which is less than U+E000 to U+FFFF.
pub(crate) fn utf16_order(left: &str, right: &str) -> Ordering {
    let (left, right) = (left.as_bytes(), right.as_bytes());
    // The first bytes of U+E000 to U+FFFF go after those of all others.
    let place = |byte: u8| if matches!(byte, 0xee | 0xef) { u8::MAX } else { byte };
    match left.iter().zip(right).find(|(left, right)| left != right) {
        Some((left, right)) => place(*left).cmp(&place(*right)).then(left.cmp(right)),
        None => left.len().cmp(&right.len()),
    }
}

/// Checks a module's id.
pub(super) fn id(id: &str) -> Result<(), &'static str> {
    if id.is_empty() || id.chars().any(char::is_control) || units(id) > ID_UNITS {
        return Err("an id has 1 to 256 characters and none of them is a control character");
    }
    Ok(())
}

/// Checks the first segment of a path.
pub(crate) fn root(name: &str) -> Result<(), &'static str> {
    if RESERVED_ROOTS.contains(&name) {
        return Err("the name is reserved: choose another");
    }
    segment(name)
}

/// Checks a dotted relative path.
pub(crate) fn key(key: &str) -> Result<(), &'static str> {
    key.split('.').try_for_each(segment)
}

/// Checks one segment of a path: a JavaScript identifier without `$`.
///
/// Keywords are such names: as members they can be said.
pub(super) fn segment(name: &str) -> Result<(), &'static str> {
    let mut characters = name.chars();
    let starts = |first| first == '_' || unicode_ident::is_xid_start(first);
    if !characters.next().is_some_and(starts) || !characters.all(goes_on) {
        return Err("a name starts with a letter or _ and goes on with letters, digits and _");
    }
    if units(name) > SEGMENT_UNITS {
        return Err("a name has at most 64 characters: choose a shorter one");
    }
    if RESERVED_SEGMENTS.contains(&name) {
        return Err("JavaScript objects answer to this name themselves: choose another");
    }
    Ok(())
}

/// What a name may have after its start. The joiners are JavaScript's too, but
/// nobody sees them.
fn goes_on(next: char) -> bool {
    unicode_ident::is_xid_continue(next) && !matches!(next, '\u{200c}' | '\u{200d}')
}

/// Checks a whole dotted path: each of its names, the first one's meaning, its length.
pub(crate) fn whole_path(path: &str) -> Result<(), &'static str> {
    root(path.split('.').next().unwrap_or_default())?;
    key(path)?;
    path_length(path)
}

/// Checks the length of a whole path.
pub(super) fn path_length(path: &str) -> Result<(), &'static str> {
    if units(path) > PATH_UNITS {
        return Err("a path has at most 1024 characters: nest less or choose shorter names");
    }
    Ok(())
}

/// The length as JavaScript counts it.
pub(super) fn units(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.encode_utf16().count() }
}

#[cfg(test)]
mod tests {
    use super::{KEYWORDS, id, is_keyword, key, root, segment, utf16_order};

    #[test]
    fn what_code_can_not_say_is_no_name() {
        for name in [
            "",
            "1a",
            "a-b",
            "a b",
            "a$b",
            "a.b",
            "then",
            "__proto__",
            "constructor",
            "toJSON",
            "\u{301}a",
            "a\u{200d}b",
            "a\u{2028}",
            "ª\u{0}",
            "😀",
        ] {
            assert!(segment(name).is_err(), "{name:?}");
        }
        for name in ["a", "_", "_a", "aB9", "été", "日本", "a\u{301}", "𝒳1"] {
            assert!(segment(name).is_ok(), "{name:?}");
        }
    }

    #[test]
    fn a_name_may_have_64_units_and_no_more() {
        assert!(segment(&"a".repeat(64)).is_ok());
        assert!(segment(&"a".repeat(65)).is_err());
        assert!(segment(&"𝒳".repeat(32)).is_ok());
        assert!(segment(&"𝒳".repeat(33)).is_err());
    }

    #[test]
    fn roots_with_a_meaning_are_reserved() {
        for name in ["env", "forage", "then"] {
            assert!(root(name).is_err(), "{name}");
        }
        assert!(segment("env").is_ok() && segment("forage").is_ok());
    }

    #[test]
    fn keywords_are_names_but_not_variables() {
        assert!(KEYWORDS.is_sorted());
        for word in KEYWORDS {
            assert!(root(word).is_ok() && is_keyword(word), "{word}");
        }
        for word in ["async", "of", "get", "demo"] {
            assert!(!is_keyword(word), "{word}");
        }
    }

    #[test]
    fn a_key_is_names_with_dots_between() {
        assert!(key("repos.list").is_ok());
        for wrong in ["", ".", "a.", ".a", "a..b", "a.then", "a.1"] {
            assert!(key(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn an_id_is_any_short_printable_text() {
        for good in ["a", "caller:x", "ünï 1", &"a".repeat(256)] {
            assert!(id(good).is_ok(), "{good:?}");
        }
        for wrong in ["", "a\nb", "\u{7f}", &"a".repeat(257)] {
            assert!(id(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn names_are_ordered_as_javascript_does() {
        // By code points U+FF61 comes before U+1D4B3, by code units after it.
        assert!(utf16_order("𝒳", "\u{ff61}").is_lt());
        assert!("𝒳" > "\u{ff61}");
        let ends = [
            "",
            "a",
            "é",
            "\u{7ff}",
            "\u{800}",
            "\u{d7ff}",
            "\u{e000}",
            "\u{efff}",
            "\u{f000}",
            "\u{ffff}",
            "\u{10000}",
            "𝒳",
            "\u{10ffff}",
        ];
        let texts = ends.iter().flat_map(|one| ends.map(|other| format!("b{one}{other}")));
        let texts: Vec<String> = texts.collect();
        for left in &texts {
            for right in &texts {
                let units = left.encode_utf16().cmp(right.encode_utf16());
                assert_eq!(utf16_order(left, right), units, "{left:?} {right:?}");
            }
        }
    }
}
