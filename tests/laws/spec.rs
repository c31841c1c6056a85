//! The table of sentences: each of the specification's is held by a test, states
//! nothing that a test could hold, or is openly not held yet.
//!
//! Owns how `tests/SPEC.md` is read and what makes it wrong. Doesn't own whether the
//! tests that it names pass, nor whether they hold what their sentence says.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    io::{self, Write as _},
    mem,
    path::{Path, PathBuf},
};

const TEXTS: [&str; 2] = ["000", "003"];
/// Where tests are written.
const FOLDERS: [&str; 6] =
    ["src", "tests", "intake/src", "intake/tests", "guest-runtime/tests", "miniflare-tests"];
/// What a line of code begins with that stands alone, or until its brackets are closed.
const CODE: [&str; 6] = ["import ", "const ", "try {", "npm ", "pnpm ", "TS"];

#[derive(Clone, Debug, PartialEq, Eq)]
enum Unit {
    Heading(String),
    Sentence(String),
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Held {
    Tests(Vec<String>),
    Prose(String),
    Open(String),
}

/// What the table says of one text.
#[derive(Debug, Default)]
struct Table {
    units: Vec<Unit>,
    rows: Vec<(String, Held)>,
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Without line ends and repeated blanks, which are the page's and not the text's.
fn plain(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn held(cell: &str) -> Option<Held> {
    let reason = |text: &str| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
    if let Some(text) = cell.strip_prefix("prose:") {
        return reason(text).map(Held::Prose);
    }
    if let Some(text) = cell.strip_prefix("open:") {
        return reason(text).map(Held::Open);
    }
    // A note may follow the names.
    let names = cell.split(';').next()?.split(", ").map(|name| {
        name.strip_prefix('`')?.strip_suffix('`').filter(|name| !name.is_empty()).map(str::to_owned)
    });
    names.collect::<Option<_>>().map(Held::Tests)
}

/// A row's sentence and what holds it; none for the head of a table.
fn row(line: &str) -> Result<Option<(String, Held)>, String> {
    let wrong = || format!("no row: {line}");
    let cells = line.strip_prefix("| ").and_then(|line| line.strip_suffix(" |"));
    let (sentence, evidence) = cells.and_then(|cells| cells.split_once(" | ")).ok_or_else(wrong)?;
    if sentence == "sentence" || sentence == "---" {
        return Ok(None);
    }
    let held = held(evidence).ok_or_else(wrong)?;
    Ok(Some((sentence.replace("\\|", "|"), held)))
}

fn table(page: &str, text: &str) -> Result<Table, String> {
    let (begin, mut table) = (format!("## spec {text}"), Table::default());
    let section = page.lines().skip_while(|line| *line != begin).skip(1);
    for line in section.take_while(|line| !line.starts_with("## ")) {
        if let Some(heading) = line.strip_prefix("### ") {
            table.units.push(Unit::Heading(heading.to_owned()));
        } else if let Some((sentence, held)) = if line.is_empty() { None } else { row(line)? } {
            table.units.push(Unit::Sentence(sentence.clone()));
            table.rows.push((sentence, held));
        }
    }
    if table.rows.is_empty() { Err(format!("nothing under {begin}")) } else { Ok(table) }
}

/// The tests that a cell names: what is open may say which part of it is held.
fn names(held: &Held) -> Vec<&str> {
    match held {
        Held::Tests(names) => names.iter().map(String::as_str).collect(),
        Held::Prose(text) | Held::Open(text) => text.split('`').skip(1).step_by(2).collect(),
    }
}

/// What is wrong with a table, whatever its text says.
fn faults(table: &Table, tests: &BTreeSet<String>) -> Vec<String> {
    let (mut seen, mut faults) = (BTreeSet::new(), Vec::new());
    for (sentence, held) in &table.rows {
        if !seen.insert(sentence) {
            faults.push(format!("twice: {sentence}"));
        }
        let missing = names(held).into_iter().filter(|name| !tests.contains(*name));
        faults.extend(missing.map(|name| format!("there is no test {name}: {sentence}")));
    }
    let counts = counts(table);
    if counts.prose * 4 > counts.prose + counts.tested {
        let share = format!("{} rows of prose to {} tested", counts.prose, counts.tested);
        faults.push(format!("more than a quarter is prose: {share}"));
    }
    faults
}

#[derive(Debug, PartialEq, Eq)]
struct Counts {
    tested: usize,
    prose: usize,
    open: usize,
}

fn counts(table: &Table) -> Counts {
    let mut counts = Counts { tested: 0, prose: 0, open: 0 };
    for (_, held) in &table.rows {
        match held {
            Held::Tests(_) => counts.tested += 1,
            Held::Prose(_) => counts.prose += 1,
            Held::Open(_) => counts.open += 1,
        }
    }
    counts
}

/// The units of a text as they are found, one character after another.
#[derive(Default)]
struct Reader {
    units: Vec<Unit>,
    current: String,
}

impl Reader {
    fn end(&mut self) {
        let sentence = plain(&mem::take(&mut self.current));
        if sentence.contains(char::is_alphanumeric) {
            self.units.push(Unit::Sentence(sentence));
        } else if let (Some(Unit::Sentence(last)), false) =
            (self.units.last_mut(), sentence.is_empty())
        {
            // Stray full stops belong to what they follow.
            *last = format!("{last} {sentence}");
        }
    }

    fn line(&mut self, line: &str) {
        let mut letters = line.chars().peekable();
        while let Some(letter) = letters.next() {
            self.current.push(letter);
            let last = letters.peek().is_none_or(|next| next.is_whitespace());
            if letter == '。' || (letter == '.' && last) {
                self.end();
            }
        }
        self.current.push(' ');
    }
}

fn depth(line: &str) -> isize {
    let of = |letter| match letter {
        '(' | '[' | '{' => 1,
        ')' | ']' | '}' => -1,
        _ => 0,
    };
    line.chars().map(of).sum()
}

/// Headings and sentences of a text, in order, without its code.
fn units(text: &str, headings: &[&str]) -> Vec<Unit> {
    let (mut reader, mut open) = (Reader::default(), 0);
    for line in text.lines().map(str::trim) {
        if open > 0 || CODE.iter().any(|begin| line.starts_with(begin)) {
            reader.end();
            open += depth(line);
        } else if headings.contains(&line) {
            reader.end();
            reader.units.push(Unit::Heading(line.to_owned()));
        } else {
            reader.line(line);
        }
    }
    reader.end();
    reader.units
}

/// Where the table and its text part ways.
fn difference(table: &Table, text: &str) -> Option<String> {
    let headings: Vec<&str> = table.units.iter().filter_map(heading).collect();
    let found = units(text, &headings);
    let at = (0..found.len().max(table.units.len()))
        .find(|at| found.get(*at) != table.units.get(*at))?;
    Some(format!("the text has {:?} where the table has {:?}", found.get(at), table.units.get(at)))
}

fn heading(unit: &Unit) -> Option<&str> {
    match unit {
        Unit::Heading(heading) => Some(heading),
        Unit::Sentence(_) => None,
    }
}

/// Past what the test program keeps of a test that passes.
fn say(line: &str) {
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

fn tests() -> BTreeSet<String> {
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
fn every_sentence_of_the_specification_has_a_row_that_holds() {
    let page = fs::read_to_string(root().join("tests/SPEC.md")).unwrap();
    let (tests, texts, mut wrong) = (tests(), texts(), Vec::new());
    for text in TEXTS {
        let table = table(&page, text).unwrap();
        let Counts { tested, prose, open } = counts(&table);
        let all = table.rows.len();
        say(&format!("spec {text}: {all} sentences, {tested} tested, {prose} prose, {open} open"));
        let compared = texts.as_ref().and_then(|texts| difference(&table, &texts[text]));
        let found = faults(&table, &tests).into_iter().chain(compared);
        wrong.extend(found.map(|fault| format!("spec {text}: {fault}")));
    }
    assert!(wrong.is_empty(), "tests/SPEC.md:\n{}", wrong.join("\n"));
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

#[test]
fn tests_are_found_where_they_are_written() {
    let rust = "#[test]\nfn one() {}\nfn no() {}\n#[test]\n#[ignore]\nfn not_run() {}\n\
                // #[test]\nfn said() {}\n    #[test]\n    fn two(x in y) {}";
    assert_eq!(rust_tests(rust), ["one", "two"]);
    let script = "test(\"a b\", f);\ndescribe('c', f);\n  test(`d: ${x}`, f);\ntest(`e ${x}`, f);\n\
                  // test(\"g\")\ntest.skip(\"h\")\nlaw(\"i: j\", f);\ntest(name, f)";
    assert_eq!(script_tests(script), ["a b", "d", "i: j"]);
}
