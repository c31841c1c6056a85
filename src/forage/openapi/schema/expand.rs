//! A schema with every reference expanded: what is stored for an operation that was
//! selected.

use serde_json::Value;

use super::{
    HOPS,
    simplify::simplify,
    write::{Direction, References, Writer},
};
use crate::{
    forage::openapi::{
        document::{Document, Part},
        finding::Findings,
        options::Formats,
        pointer::Pointer,
    },
    limits::OPENAPI_NODES,
};

/// The most levels of what is written before it is simplified.
const LEVELS: usize = 128;

/// The schema in `part` without references; none when a survey would have refused it.
pub(in crate::forage::openapi) fn expand<'a>(
    document: &'a Document,
    formats: Formats,
    direction: Direction,
    part: &Part<'a>,
) -> Option<Value> {
    let mut findings = Findings::default();
    let mut expansion =
        Expansion { document, formats, direction, targets: 0, hops: 0, whole: true };
    let written = expansion.write(part, 1, &mut findings);
    (expansion.whole && findings.is_clear()).then(|| simplify(written))
}

struct Expansion<'a> {
    document: &'a Document,
    formats: Formats,
    direction: Direction,
    /// The references that were expanded; none adds less than a node.
    targets: usize,
    /// The references being expanded, one within the other.
    hops: usize,
    whole: bool,
}

impl<'a> Expansion<'a> {
    fn write(&mut self, part: &Part<'a>, level: usize, findings: &mut Findings) -> Value {
        let (document, formats, direction) = (self.document, self.formats, self.direction);
        Writer { document, formats, direction, references: self, findings }.schema(part, level)
    }
}

impl<'a> References<'a> for Expansion<'a> {
    fn target(&mut self, _holder: &Pointer, target: Part<'a>, level: usize) -> Value {
        self.hops = self.hops.saturating_add(1);
        self.targets = self.targets.saturating_add(1);
        if self.hops > HOPS || level > LEVELS || self.targets > OPENAPI_NODES {
            self.whole = false;
        }
        let mut findings = Findings::default();
        let written =
            if self.whole { self.write(&target, level, &mut findings) } else { Value::Bool(true) };
        self.whole &= findings.is_clear();
        self.hops = self.hops.saturating_sub(1);
        written
    }
}
