//! Which names code can say.

use std::fmt;

/// A declaration that breaks a rule: which module, which key, which rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DefinitionError {
    module: String,
    key: String,
    rule: String,
}

impl DefinitionError {
    pub(super) fn new(module: &str, key: &str, rule: &str) -> Self {
        Self { module: module.to_owned(), key: key.to_owned(), rule: rule.to_owned() }
    }
}

impl fmt::Display for DefinitionError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "module {:?}", self.module)?;
        if !self.key.is_empty() {
            write!(formatter, ", operation {:?}", self.key)?;
        }
        write!(formatter, ": {}", self.rule)
    }
}

impl std::error::Error for DefinitionError {}

/// The most UTF-16 code units of one segment (laws D15).
const SEGMENT_UNITS: usize = 64;

/// Names with a meaning of their own at the root (laws D15).
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

/// Checks the first segment of a path.
pub(super) fn root(name: &str) -> Result<(), &'static str> {
    if RESERVED_ROOTS.contains(&name) {
        return Err("the name is reserved: choose another");
    }
    segment(name)
}

/// Checks one segment of a path.
pub(super) fn segment(name: &str) -> Result<(), &'static str> {
    let mut characters = name.chars();
    let starts = characters.next().is_some_and(|first| first == '_' || first.is_alphabetic());
    if !starts || !characters.all(|next| next == '_' || next.is_alphanumeric()) {
        return Err("a name starts with a letter or _ and goes on with letters, digits and _");
    }
    if name.encode_utf16().count() > SEGMENT_UNITS {
        return Err("a name has at most 64 characters");
    }
    if RESERVED_SEGMENTS.contains(&name) {
        return Err("JavaScript objects answer to this name themselves: choose another");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{root, segment};

    #[test]
    fn what_code_can_not_say_is_no_name() {
        for name in ["", "1a", "a-b", "a b", "a$b", "a.b", "then", "__proto__", "constructor"] {
            assert!(segment(name).is_err(), "{name}");
        }
        for name in ["a", "_a", "aB9", "été", "日本"] {
            assert!(segment(name).is_ok(), "{name}");
        }
    }

    #[test]
    fn a_name_may_have_64_units_and_no_more() {
        assert!(segment(&"a".repeat(64)).is_ok());
        assert!(segment(&"a".repeat(65)).is_err());
    }

    #[test]
    fn roots_with_a_meaning_are_reserved() {
        assert!(root("env").is_err());
        assert!(segment("env").is_ok());
    }
}
