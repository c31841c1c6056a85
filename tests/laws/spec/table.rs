//! `tests/SPEC.md`, and what makes it wrong.

use std::collections::BTreeSet;

use super::text::{Unit, lines, units};

impl Table {
    /// The heading that the text begins with.
    pub(super) fn first_heading(&self) -> Option<&str> {
        self.units.first().and_then(heading)
    }
}

/// What holds a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Held {
    Tests(Vec<String>),
    Prose(String),
    Open(String),
}

/// What the table says of one text.
#[derive(Debug, Default)]
pub(super) struct Table {
    pub(super) units: Vec<Unit>,
    pub(super) rows: Vec<(String, Held)>,
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

/// What the page says of the text of this number.
pub(super) fn table(page: &str, text: &str) -> Result<Table, String> {
    let (begin, mut table) = (format!("## spec {text}"), Table::default());
    let section = page.lines().skip_while(|line| *line != begin).skip(1);
    for line in section.take_while(|line| !line.starts_with("## ")) {
        if let Some(heading) = line.strip_prefix("### ") {
            // It would hide a sentence that has a line of its own.
            if heading.ends_with(['.', '。']) {
                return Err(format!("no heading: {line}"));
            }
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
pub(super) fn faults(table: &Table, tests: &BTreeSet<String>) -> Vec<String> {
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
pub(super) struct Counts {
    pub(super) tested: usize,
    pub(super) prose: usize,
    pub(super) open: usize,
}

pub(super) fn counts(table: &Table) -> Counts {
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

/// Where the table and its text part ways.
pub(super) fn difference(table: &Table, text: &str) -> Option<String> {
    let headings: Vec<&str> = table.units.iter().filter_map(heading).collect();
    parting(table, &units(text, &headings))
}

/// The same of a text that is a contract, whose every line is a row.
pub(super) fn difference_by_line(table: &Table, text: &str) -> Option<String> {
    parting(table, &lines(text))
}

fn parting(table: &Table, found: &[Unit]) -> Option<String> {
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
