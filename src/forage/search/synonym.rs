//! Words that mean nearly the same in names of operations.
//!
//! Verbs and nouns of the field, as stems. A group is short: who looks for one of its words
//! is content to find another, but prefers the one that was said.

use std::sync::LazyLock;

use super::words::words;

const GROUPS: [&str; 37] = [
    "delete remove erase drop destroy clear purge discard",
    "create add make new insert generate",
    "list show enumerate display",
    "get fetch retrieve read load obtain",
    "view see show open look inspect",
    "update edit change modify alter adjust patch",
    "search find lookup query discover",
    "run execute invoke launch start trigger perform",
    "copy duplicate clone",
    "rename move relocate",
    "write save store put persist",
    "upload attach attachment",
    "download save export",
    "folder directory",
    "picture image screenshot photo",
    "website site web url page internet online",
    "message email mail notification",
    "error failure failing bug exception problem crash",
    "comment reply remark discussion",
    "stop cancel abort terminate kill halt end",
    "count number many total size amount",
    "schema structure shape column field",
    "time clock date hour timezone",
    "database db",
    "user person people member account",
    "information info detail metadata describe",
    "test check verify validate",
    "compare difference diff",
    "undo revert rollback restore reset",
    "permission access rights allowed",
    "version release revision",
    "log history record",
    "element item entry",
    "table sheet grid",
    "issue bug ticket",
    "repository repo project",
    "pull pr merge",
];

/// The groups as stems.
static STEMS: LazyLock<Vec<Vec<String>>> =
    LazyLock::new(|| GROUPS.iter().map(|group| words(group)).collect());

/// The other words of every group that has `stem`, as stems.
pub(super) fn synonyms(stem: &str) -> impl Iterator<Item = &str> {
    let groups = STEMS.iter().filter(move |group| group.iter().any(|word| word == stem));
    groups.flatten().map(String::as_str).filter(move |word| *word != stem)
}
