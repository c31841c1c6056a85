//! One operation in a few lines, as lists and searches show it.

use serde::Serialize;

use super::{describe::alias, item::Item, sample, third_party};
use crate::{
    failure::bounded,
    schema::{Schema, typescript},
};

/// Bytes kept of a description, and of all notes together.
const TEXT_BYTES: usize = 1_024;
/// Bytes of one type within a signature.
const TYPE_BYTES: usize = 300;

/// One operation, as lists and searches show it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Summary {
    /// The complete path: `env.<path>(…)` calls it.
    pub path: String,
    /// What it does, cut with `…` when it is long; a third party's is quoted.
    pub description: String,
    /// How it is called, with types where they are short and else their names.
    pub signature: String,
    /// A call as code says it.
    pub sample: String,
    /// What the capability behind it can and can't do.
    pub capability_notes: Vec<String>,
    /// How well it answers a search, rounded to thousandths; zero in a list.
    pub score: f64,
    /// Paths of operations that are the same but for where they stand.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub peers: Vec<String>,
    /// How many such operations aren't named.
    #[serde(skip_serializing_if = "is_zero")]
    pub more_peers: usize,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

impl Summary {
    pub(super) fn of(item: &Item, score: f64) -> Self {
        Self {
            path: item.path().to_owned(),
            description: framed(item, item.description()),
            signature: signature(item),
            sample: sample_call(item),
            capability_notes: notes(item),
            score: (score * 1_000.0).round() / 1_000.0,
            peers: Vec::new(),
            more_peers: 0,
        }
    }
}

fn framed(item: &Item, text: &str) -> String {
    let text = bounded(text.trim(), TEXT_BYTES);
    if item.is_third_party() { third_party::quoted(&text) } else { text }
}

/// The notes that fit, and how many don't.
fn notes(item: &Item) -> Vec<String> {
    let mut room = TEXT_BYTES;
    let mut kept = Vec::new();
    for note in item.notes() {
        let Some(left) = room.checked_sub(note.len()) else { break };
        room = left;
        kept.push(framed(item, note));
    }
    let rest = item.notes().len().saturating_sub(kept.len());
    if rest > 0 {
        kept.push(format!("… and {rest} more: forage.describe gives them"));
    }
    kept
}

/// `files.read(input: { path: string }): Promise<string>` on one line.
fn signature(item: &Item) -> String {
    let input = short_type(item.input(), &alias(item.path(), "Input"));
    let output = item.output().map_or_else(
        || "unknown".to_owned(),
        |schema| short_type(schema, &alias(item.path(), "Output")),
    );
    format!("{}(input: {input}): Promise<{output}>", item.path())
}

fn short_type(schema: &Schema, alias: &str) -> String {
    typescript::inline(schema, TYPE_BYTES).unwrap_or_else(|| alias.to_owned())
}

/// A call that runs as it stands; where no input is found, its place is marked.
fn sample_call(item: &Item) -> String {
    let input = item.sample.get_or_init(|| sample::text(item.input()));
    match input {
        Some(input) => format!("await env.{}({input})", item.path()),
        None => format!("await env.{}(/* {} */)", item.path(), alias(item.path(), "Input")),
    }
}
