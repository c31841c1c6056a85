//! Texts that a schema certainly takes, told in one pass over their bytes.
//!
//! Owns a checker that says "certainly" or nothing: no tree is built, and what it doesn't know
//! (a keyword, a spelling, a depth, a key that occurs twice) it leaves to reading and
//! validating, which alone refuse and say why. Every keyword that it knows only narrows, so
//! what it ignores or takes too strictly costs time and never truth; `oneOf` is known where the
//! types of its branches have nothing in common.

mod keyword;
mod node;
mod number;
mod object;
mod plan;
mod text;
mod value;

use crate::json::DEPTH;
pub(super) use plan::Plan;

/// How many schemas may apply to one place of a text, those of the places around it counted.
const FRAMES: usize = 2 * DEPTH;

/// How often a text may be gone over again for the branches of its schema, and how many
/// branches of the shortest text are tried.
const ROUNDS: usize = 4;
const BRANCHES: usize = 256;

/// How many keys that a schema doesn't name are compared with each other.
const COMPARED: usize = 32;

/// One pass over a text.
struct Pass<'a> {
    plan: &'a Plan,
    bytes: &'a [u8],
    at: usize,
    /// Bytes that may yet be gone over again, and branches that may be tried.
    again: usize,
    /// The keys of the maps around this place that their schemas don't name.
    keys: Vec<&'a [u8]>,
}

impl Plan {
    /// Whether `text` is one JSON value, as strict as an input is read, that the schema takes.
    /// False says nothing.
    pub(super) fn certainly_takes(&self, text: &str) -> bool {
        let again = text.len().saturating_mul(ROUNDS).saturating_add(BRANCHES);
        let mut pass = Pass { plan: self, bytes: text.as_bytes(), at: 0, again, keys: Vec::new() };
        if !pass.value(self.root(), 0, 0) {
            return false;
        }
        pass.skip_blanks();
        pass.at == pass.bytes.len()
    }
}

#[cfg(test)]
#[allow(clippy::arithmetic_side_effects, reason = "small numbers of a test")]
mod tests;
