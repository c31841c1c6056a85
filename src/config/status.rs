//! What a host is told at its start: what is connected, what is granted, what isn't enforced.

use super::{Connection, SessionRule, Settings};
use crate::runtime::UnenforcedLimit;

/// One connection, as far as is known of it. Nothing of it is a secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConnectionRow {
    /// The name that code says.
    pub name: String,
    /// Its type, as the configuration has it.
    pub word: &'static str,
    /// Where it leads.
    pub target: String,
    /// How many operations it offers, once that is known.
    pub operations: Option<usize>,
    /// Why it offers nothing.
    pub problem: Option<String>,
    /// What its owner should know of it.
    pub note: Option<&'static str>,
}

impl ConnectionRow {
    /// Of a connection about which nothing is known yet.
    #[must_use]
    pub fn new(name: &str, connection: &Connection) -> Self {
        Self {
            name: name.to_owned(),
            word: connection.word(),
            target: connection.target(),
            operations: None,
            problem: None,
            note: connection.note(),
        }
    }

    fn state(&self) -> String {
        let note = self.note.map(|note| format!("; {note}")).unwrap_or_default();
        let state = match (&self.problem, self.operations) {
            (Some(problem), _) => format!("LEFT OUT: {problem}"),
            (None, Some(1)) => "1 operation".to_owned(),
            (None, Some(count)) => format!("{count} operations"),
            (None, None) => "asked when it is first used".to_owned(),
        };
        format!("{state}{note}")
    }
}

/// The table that a developer sees at the start, a line each.
#[must_use]
pub fn start_table(settings: &Settings, connections: &[ConnectionRow]) -> Vec<String> {
    let mut lines = vec![format!("connections: {}", counted(connections.len()))];
    let cells = connections
        .iter()
        .map(|row| [row.name.clone(), row.word.to_owned(), row.target.clone(), row.state()]);
    lines.extend(aligned(&cells.collect::<Vec<_>>()));
    let grants = settings.grants.rows();
    lines.push(format!("grants: {}", counted(grants.len())));
    let cells = grants.into_iter().map(|(whom, module, grant)| [whom, module, grant.to_owned()]);
    lines.extend(aligned(&cells.collect::<Vec<_>>()));
    match settings.grants.session() {
        SessionRule::Off => {}
        SessionRule::Narrow => lines.push("session grants: may narrow these".to_owned()),
        SessionRule::Set => lines.push("session grants: stand over these".to_owned()),
    }
    let shown = [("code", settings.disclosure.code), ("inputs", settings.disclosure.inputs)];
    let shown: Vec<&str> = shown.into_iter().filter(|(_, on)| *on).map(|(name, _)| name).collect();
    if !shown.is_empty() {
        lines.push(format!("in the log, as log asks: {}", shown.join(", ")));
    }
    let unenforced = UnenforcedLimit::NAMES.iter();
    let unenforced = unenforced.filter(|(_, limit)| settings.unenforced.contains(limit));
    let unenforced: Vec<&str> = unenforced.map(|(name, _)| *name).collect();
    if !unenforced.is_empty() {
        lines.push(format!("limits not enforced here: {}", unenforced.join(", ")));
    }
    lines
}

fn counted(count: usize) -> String {
    if count == 0 { "none".to_owned() } else { count.to_string() }
}

/// Rows whose columns begin under one another.
fn aligned<const N: usize>(rows: &[[String; N]]) -> Vec<String> {
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or_default()
    };
    let widths: Vec<usize> = (0..N).map(width).collect();
    let line = |row: &[String; N]| {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}"));
        format!("  {}", cells.collect::<Vec<_>>().join("  ")).trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}
