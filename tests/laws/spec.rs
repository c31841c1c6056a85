//! The table of sentences: each of the specification's is held by a test, states
//! nothing that a test could hold, or is openly not held yet.
//!
//! Owns that the table, the texts and the tests agree. Doesn't own whether the tests pass,
//! nor whether they hold what their sentence says.

mod named;
mod table;
mod text;

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    io::{self, Write as _},
    path::{Path, PathBuf},
};

use self::{
    named::tests,
    table::{Counts, counts, difference, difference_by_line, faults, table},
    text::{lines, units},
};

const TEXTS: [&str; 5] = ["000", "003", "001", "002", "004"];

/// Those that are contracts, whose every line is a row.
const CONTRACTS: [&str; 1] = ["002"];

/// Where the page that spec 001 was published on goes on about downloads and versions.
const PAGE_END: &str = "版本与发布记录";

/// The text without the page around it: it begins with its own first heading.
fn body<'a>(text: &'a str, first: Option<&str>) -> &'a str {
    let begin = first.and_then(|heading| text.find(&format!("\n{heading}\n"))).unwrap_or(0);
    let body = &text[begin..];
    body.split_once(&format!("\n{PAGE_END}\n")).map_or(body, |(body, _)| body)
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Past what the test program keeps of a test that passes.
pub(crate) fn say(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// The specification's files by number; none when they aren't beside the checkout.
fn texts() -> Option<BTreeMap<String, String>> {
    let folder = root().join("../shared/spec");
    let Ok(files) = fs::read_dir(&folder) else {
        assert!(
            std::env::var_os("CI").is_none(),
            "the specification isn't at {}",
            folder.display()
        );
        say(&format!("\n!!! spec: MISSING, no sentence was compared: {}\n", folder.display()));
        return None;
    };
    let text = |path: PathBuf| {
        let name = path.file_name()?.to_str()?.get(..3)?.to_owned();
        Some((name, fs::read_to_string(&path).unwrap()))
    };
    Some(files.filter_map(|file| text(file.unwrap().path())).collect())
}

#[test]
fn every_sentence_of_the_specification_has_a_row_that_holds() {
    let page = fs::read_to_string(root().join("tests/SPEC.md")).unwrap();
    let (tests, texts, mut wrong) = (tests(), texts(), Vec::new());
    for text in TEXTS {
        let table = table(&page, text).unwrap();
        let Counts { tested, prose, open } = counts(&table);
        let all = table.rows.len();
        say(&format!("spec {text}: {all} sentences, {tested} tested, {prose} prose, {open} open"));
        let compared = texts.as_ref().and_then(|texts| match CONTRACTS.contains(&text) {
            true => difference_by_line(&table, &texts[text]),
            false => difference(&table, body(&texts[text], table.first_heading())),
        });
        let found = faults(&table, &tests).into_iter().chain(compared);
        wrong.extend(found.map(|fault| format!("spec {text}: {fault}")));
    }
    assert!(wrong.is_empty(), "tests/SPEC.md:\n{}", wrong.join("\n"));
}

/// The cells of a page's rows that begin with `mark` and a number.
fn numbered<'a>(page: &'a str, mark: &str) -> Vec<Vec<&'a str>> {
    let begin = format!("| {mark}");
    let rows = page.lines().filter(|line| line.starts_with(&begin));
    rows.map(|line| line.split(" | ").collect()).collect()
}

#[test]
fn every_threat_is_held_by_tests_that_exist() {
    let page = fs::read_to_string(root().join("SECURITY.md")).unwrap();
    let (tests, threats) = (tests(), numbered(&page, "T"));
    assert!(threats.len() >= 20, "{} threats", threats.len());
    for (position, cells) in threats.iter().enumerate() {
        let number = format!("| T{}. ", position + 1);
        assert!(cells[0].starts_with(&number), "{number} isn't {}", cells[0]);
        let names: Vec<&str> = cells[2].split('`').skip(1).step_by(2).collect();
        assert!(!names.is_empty(), "{number} is held by nothing");
        for name in names {
            assert!(tests.contains(name), "{number}: no test is called {name}");
        }
    }
}

const TEXT: &str =
    "Title\nOne is\none. Two (a.b) is 1.5. 。\nTS\nconst x = f({\n  a. b\n});\nThree.";
const PAGE: &str = "## spec 9\n\n### Title\n\n| sentence | held by |\n| --- | --- |\n\
                    | One is one. | `a_law`, `the law`; a note |\n\
                    | Two (a.b) is 1.5. 。 | prose: why |\n| Three. | open: what, `half` |\n\n## spec 8\n";

#[test]
fn a_text_is_read_as_headings_and_sentences_without_its_code() {
    let read = table(PAGE, "9").unwrap();
    assert_eq!(units(TEXT, &["Title"]), read.units);
    assert_eq!(counts(&read), Counts { tested: 1, prose: 1, open: 1 });
    assert_eq!(difference(&read, TEXT), None);
}

#[test]
fn a_contract_is_read_line_by_line() {
    let text =
        "page\n|\n# One\n|||\n```json\n{\n\"a\": \"x | y\",\n}\n```\n|---|---|\n## 2. Two\n- b\n";
    let heading = |text: &str| super::spec::text::Unit::Heading(text.to_owned());
    let line = |text: &str| super::spec::text::Unit::Sentence(text.to_owned());
    assert_eq!(
        lines(text),
        [heading("One"), line("\"a\": \"x | y\","), heading("2. Two"), line("- b")]
    );
    let page = "## spec 9\n\n### One\n\n| sentence | held by |\n| --- | --- |\n| \"a\": \"x \\| y\", | `t` |\n\n### 2. Two\n\n| - b | `t` |\n";
    assert_eq!(difference_by_line(&table(page, "9").unwrap(), text), None);
    let strayed = table(&page.replace("- b", "- c"), "9").unwrap();
    assert!(difference_by_line(&strayed, text).is_some());
}

#[test]
fn a_table_that_strays_from_its_text_is_wrong() {
    for (from, to) in [
        ("One is one.", "One is 1."),
        ("| Three. | open: what, `half` |\n", ""),
        ("| Three. |", "| Four. | open: what |\n| Three. |"),
        ("### Title\n", ""),
        ("Two (a.b) is 1.5. 。", "Two (a.b) is 1.5."),
    ] {
        let strayed = table(&PAGE.replace(from, to), "9").unwrap();
        assert!(difference(&strayed, TEXT).is_some(), "{from}");
    }
}

#[test]
fn a_row_that_says_nothing_is_no_row() {
    for cell in ["prose:", "open: ", "a_law", "``", "", "`a_law`, b", "`a_law` | more"] {
        let page = PAGE.replace("prose: why", cell);
        let kept = table(&page, "9").map(|table| table.rows[1].1.clone());
        assert!(kept.is_err(), "{cell}: {kept:?}");
    }
    assert!(table(PAGE, "8").is_err() && table(PAGE, "7").is_err());
    let hidden = PAGE.replace("| Three. | open: what, `half` |", "### Three.");
    assert!(table(&hidden, "9").is_err());
}

#[test]
fn missing_tests_repeated_rows_and_too_much_prose_are_named() {
    let found = faults(&table(PAGE, "9").unwrap(), &BTreeSet::from(["a_law".to_owned()]));
    let expected = [
        "there is no test the law: One is one.",
        "there is no test half: Three.",
        "more than a quarter is prose: 1 rows of prose to 1 tested",
    ];
    assert_eq!(found, expected);
    let repeated = table(&PAGE.replace("Three.", "One is one."), "9").unwrap();
    assert!(faults(&repeated, &BTreeSet::new()).contains(&"twice: One is one.".to_owned()));
}
