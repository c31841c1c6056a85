//! What the model is told, made from the operations there are.

use std::fmt::Write as _;

use super::example::examples;
use crate::{
    failure::bounded,
    operation::{Catalog, Entry},
    runtime::access::Standing,
};

const HEAD: &str = "Runs a JavaScript or TypeScript program, the body of an async function, and gives \
     back what it returns as JSON. Each call runs in a fresh sandbox, not a REPL: no variable, \
     function or global survives between calls. There is no network and there are no imports; the \
     operations are all there is. A call that isn't allowed gives an object with a reason instead \
     of its answer.\n\
     Find operations and their types from within a program: \
     return await forage.search({ query: \"what to do\" }); \
     await forage.describe({ path: \"module.operation\" }) gives TypeScript, \
     await forage.list({}) gives all names by page.\n";

/// Bytes kept of one operation's description.
const SUMMARY_BYTES: usize = 300;
/// Bytes for the line that counts what isn't named.
const REST_BYTES: usize = 100;

/// The description over the operations of `catalog` that `standing` doesn't hide, in at
/// most `budget` bytes: what doesn't fit is counted.
pub(super) fn describe(catalog: &Catalog, standing: &Standing, budget: usize) -> String {
    let shown = |entry: &&Entry| !standing.hides(entry.module());
    let entries: Vec<&Entry> = catalog.entries().iter().filter(shown).collect();
    let examples = examples(&entries);
    let room = budget.saturating_sub(examples.len()).saturating_sub(REST_BYTES);
    let mut text = String::from(HEAD);
    let named = entries.iter().take_while(|entry| name(&mut text, entry, room)).count();
    let rest = entries.len().saturating_sub(named);
    if rest > 0 {
        // Writing to a string can't fail.
        let _ =
            write!(text, "\nand {rest} more operations: forage.search and forage.list find them");
    }
    text.push_str(&examples);
    bounded(&text, budget)
}

/// Adds an operation in as many words as there is room for; whether there was any.
fn name(text: &mut String, entry: &Entry, room: usize) -> bool {
    let call = format!("\nawait {}(input)", callee(entry));
    let summary = summary(entry);
    let fits = |more: usize| text.len().saturating_add(more) <= room;
    if fits(call.len().saturating_add(summary.len())) {
        text.push_str(&call);
        text.push_str(&summary);
        return true;
    }
    let fits = fits(call.len());
    if fits {
        text.push_str(&call);
    }
    fits
}

/// The description on one line, after a colon. A third party's text has no place among the
/// host's own words: `forage` shows it as what it is.
fn summary(entry: &Entry) -> String {
    let operation = entry.operation();
    let description = if operation.is_third_party() { "" } else { operation.description() };
    let words: Vec<&str> = description.split_whitespace().collect();
    if words.is_empty() {
        return String::new();
    }
    format!(": {}", bounded(&words.join(" "), SUMMARY_BYTES))
}

/// What code says to call it.
pub(super) fn callee(entry: &Entry) -> String {
    let env = if entry.has_short_form() { "" } else { "env." };
    format!("{env}{}", entry.path())
}
