//! The names of the tests there are, found in their sources.
//!
//! Doesn't own whether they pass.

use std::{
    collections::BTreeSet,
    fs, mem,
    path::{Path, PathBuf},
};

use super::root;

/// Where tests are written.
const FOLDERS: [&str; 7] = [
    "src",
    "tests",
    "intake/src",
    "intake/tests",
    "guest-runtime/tests",
    "browser/tests",
    "miniflare-tests",
];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let ends = |end| path.extension().is_some_and(|found| found == end);
        if path.is_dir() {
            sources(&path, found);
        } else if ends("rs") || ends("js") || ends("mjs") {
            found.push(path);
        }
    }
}

/// The functions under `#[test]` that aren't ignored.
fn rust_tests(source: &str) -> Vec<String> {
    let (mut names, mut test) = (Vec::new(), false);
    for line in source.lines().map(str::trim) {
        match line.strip_prefix("fn ").and_then(|line| line.split_once('(')) {
            Some((name, _)) if mem::take(&mut test) => names.push(name.to_owned()),
            _ if line.starts_with("#[ignore") => test = false,
            _ => test |= line == "#[test]",
        }
    }
    names
}

/// The titles of tests and of groups of them, up to a colon before what varies.
fn script_tests(source: &str) -> Vec<String> {
    let title = |line: &str| {
        let line =
            ["test(", "describe(", "law("].iter().find_map(|call| line.strip_prefix(call))?;
        let quote = line.chars().next().filter(|quote| matches!(quote, '"' | '`'))?;
        let title = line.split(quote).nth(1)?;
        let fixed = title.split_once(": ${").map_or(title, |(fixed, _)| fixed);
        (!fixed.contains("${")).then(|| fixed.to_owned())
    };
    source.lines().map(str::trim).filter_map(title).collect()
}

/// All of them.
pub(super) fn tests() -> BTreeSet<String> {
    let mut paths = Vec::new();
    for folder in FOLDERS {
        sources(&root().join(folder), &mut paths);
    }
    let names = |path: &PathBuf| {
        let source = fs::read_to_string(path).unwrap();
        let rust = path.extension().is_some_and(|end| end == "rs");
        if rust { rust_tests(&source) } else { script_tests(&source) }
    };
    paths.iter().flat_map(names).collect()
}

#[test]
fn tests_are_found_where_they_are_written() {
    let rust = "#[test]\nfn one() {}\nfn no() {}\n#[test]\n#[ignore]\nfn not_run() {}\n\
                // #[test]\nfn said() {}\n    #[test]\n    fn two(x in y) {}";
    assert_eq!(rust_tests(rust), ["one", "two"]);
    let script = "test(\"a b\", f);\ndescribe('c', f);\n  test(`d: ${x}`, f);\ntest(`e ${x}`, f);\n\
                  // test(\"g\")\ntest.skip(\"h\")\nlaw(\"i: j\", f);\ntest(name, f)";
    assert_eq!(script_tests(script), ["a b", "d", "i: j"]);
}
