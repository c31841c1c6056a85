//! Every schema that an operation reaches, looked at once however often it is reached.
//!
//! Nothing is expanded here: a schema that is referred to is written once, with its own
//! references left open, and what it adds up to is summed over the references.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{
    expand,
    write::{Direction, References, Writer},
};
use crate::{
    forage::openapi::{
        document::{Document, Part},
        finding::Findings,
        options::Formats,
        pointer::Pointer,
        reason::Code,
    },
    limits::OPENAPI_NODES,
    schema::subset,
};

/// Looks at schemas and keeps what it found.
pub(in crate::forage::openapi) struct Survey<'a> {
    document: &'a Document,
    formats: Formats,
    /// By address and direction: a part of the document is looked at once each way.
    known: BTreeMap<(usize, Direction), usize>,
    units: Vec<Unit<'a>>,
    /// How many looks there were.
    looks: usize,
    /// How many nodes may still be expanded to see how deep they are.
    budget: usize,
}

/// How many nodes of one document are expanded to see how deep they are.
const BUDGET: usize = OPENAPI_NODES * 10;

/// A schema up to its references.
struct Unit<'a> {
    findings: Findings,
    edges: Vec<Edge<'a>>,
    size: Size,
    state: State,
    /// The last look that came by.
    seen: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// Its references are being followed.
    Open,
    Done,
}

/// A reference.
struct Edge<'a> {
    holder: Pointer,
    target: Part<'a>,
    level: usize,
    unit: Option<usize>,
    /// Whether it leads back to a schema it is part of; then it adds nothing to a size.
    closes: bool,
}

/// How large a schema is, with every reference expanded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::forage::openapi) struct Size {
    /// Its maps, lists and scalars.
    pub(in crate::forage::openapi) nodes: usize,
    /// Its levels of maps and lists.
    pub(in crate::forage::openapi) depth: usize,
    /// The bytes of its text.
    pub(in crate::forage::openapi) bytes: usize,
    /// The references within each other.
    pub(in crate::forage::openapi) hops: usize,
    /// Whether it contains itself; then the rest says nothing.
    pub(in crate::forage::openapi) cyclic: bool,
}

impl<'a> Survey<'a> {
    pub(in crate::forage::openapi) fn new(document: &'a Document, formats: Formats) -> Self {
        Self {
            document,
            formats,
            known: BTreeMap::new(),
            units: Vec::new(),
            looks: 0,
            budget: BUDGET,
        }
    }

    /// The size of the schema in `part`; what was found goes to `findings`.
    pub(in crate::forage::openapi) fn look(
        &mut self,
        part: &Part<'a>,
        direction: Direction,
        findings: &mut Findings,
    ) -> Size {
        let root = self.unit(part.clone(), direction);
        if self.is(root, State::Open) {
            self.follow(root, direction);
        }
        let cyclic = self.gather(root, findings);
        let size = self.units.get(root).map(|unit| unit.size).unwrap_or_default();
        Size { cyclic, ..size }
    }

    /// How deep the schema in `part`, of this size, is when it is stored: inheritance
    /// costs levels only until then.
    pub(in crate::forage::openapi) fn stored_depth(
        &mut self,
        part: &Part<'a>,
        direction: Direction,
        looked: Size,
    ) -> usize {
        let budget = self.budget.checked_sub(looked.nodes);
        let Some(budget) = budget.filter(|_| looked.nodes <= OPENAPI_NODES) else {
            return looked.depth;
        };
        self.budget = budget;
        expand(self.document, self.formats, direction, part)
            .map_or(looked.depth, |written| size(&written).depth)
    }

    /// The unit of `part`, written if it is new.
    fn unit(&mut self, part: Part<'a>, direction: Direction) -> usize {
        let key = (std::ptr::from_ref(part.value).addr(), direction);
        if let Some(unit) = self.known.get(&key) {
            return *unit;
        }
        let mut open = Left(Vec::new());
        let mut findings = Findings::default();
        let written = Writer {
            document: self.document,
            formats: self.formats,
            direction,
            references: &mut open,
            findings: &mut findings,
        }
        .schema(&part, 1);
        let mut size = size(&written);
        size.bytes = text_bytes(&written);
        // A schema with a fault of its own says nothing by a fault that comes of it.
        if findings.is_clear()
            && let Err(error) = subset::decode(written, self.formats.of_subset())
        {
            findings.refuse(Code::SchemaMalformed, &nearest(&part, error.path()));
        }
        let unit = self.units.len();
        self.units.push(Unit { findings, edges: open.0, size, state: State::Open, seen: 0 });
        self.known.insert(key, unit);
        unit
    }

    /// Follows every reference from `root`, without a stack of its own: chains of
    /// references may be as long as a document.
    fn follow(&mut self, root: usize, direction: Direction) {
        let mut path = vec![(root, 0_usize)];
        while let Some((unit, next)) = path.last_mut() {
            let (unit, at) = (*unit, *next);
            *next = next.saturating_add(1);
            match self.edge_target(unit, at) {
                Some(target) => {
                    let before = self.units.len();
                    let target = self.unit(target, direction);
                    self.link(unit, at, target);
                    if target >= before {
                        path.push((target, 0));
                    } else if self.is(target, State::Open) {
                        self.close_cycle(unit, at);
                    }
                }
                None => {
                    self.finish(unit);
                    path.pop();
                }
            }
        }
    }

    fn is(&self, unit: usize, state: State) -> bool {
        self.units.get(unit).is_some_and(|unit| unit.state == state)
    }

    fn edge_target(&self, unit: usize, at: usize) -> Option<Part<'a>> {
        Some(self.units.get(unit)?.edges.get(at)?.target.clone())
    }

    fn link(&mut self, unit: usize, at: usize, target: usize) {
        if let Some(edge) = self.units.get_mut(unit).and_then(|unit| unit.edges.get_mut(at)) {
            edge.unit = Some(target);
        }
    }

    /// Notes that a reference leads back to a schema it is part of.
    fn close_cycle(&mut self, unit: usize, at: usize) {
        let Some(unit) = self.units.get_mut(unit) else { return };
        let Some(edge) = unit.edges.get_mut(at) else { return };
        edge.closes = true;
        unit.findings.refuse(Code::SchemaRecursive, &edge.holder);
    }

    /// Sums up a unit whose references all are done.
    fn finish(&mut self, unit: usize) {
        let Some(found) = self.units.get(unit) else { return };
        let mut size = found.size;
        for edge in found.edges.iter().filter(|edge| !edge.closes) {
            let target = edge.unit.and_then(|target| self.units.get(target));
            let inner = target.map(|target| target.size).unwrap_or_default();
            // The target stands where the reference was counted.
            size.nodes = size.nodes.saturating_add(inner.nodes.saturating_sub(1));
            size.bytes = size.bytes.saturating_add(inner.bytes);
            size.hops = size.hops.max(inner.hops.saturating_add(1));
            let depth = edge.level.saturating_sub(1).saturating_add(inner.depth);
            size.depth = size.depth.max(depth);
        }
        if let Some(found) = self.units.get_mut(unit) {
            found.size = size;
            found.state = State::Done;
        }
    }

    /// What was found in every unit that `root` reaches; gives whether one of them leads
    /// back to itself.
    fn gather(&mut self, root: usize, findings: &mut Findings) -> bool {
        self.looks = self.looks.saturating_add(1);
        let mut cyclic = false;
        let mut waiting = vec![root];
        while let Some(at) = waiting.pop() {
            let Some(unit) = self.units.get_mut(at) else { continue };
            if std::mem::replace(&mut unit.seen, self.looks) == self.looks {
                continue;
            }
            findings.join(&unit.findings);
            cyclic |= unit.edges.iter().any(|edge| edge.closes);
            waiting.extend(unit.edges.iter().filter_map(|edge| edge.unit));
        }
        cyclic
    }
}

/// Leaves references open and notes them.
struct Left<'a>(Vec<Edge<'a>>);

impl<'a> References<'a> for Left<'a> {
    fn target(&mut self, holder: &Pointer, target: Part<'a>, level: usize) -> Value {
        self.0.push(Edge { holder: holder.clone(), target, level, unit: None, closes: false });
        Value::Object(serde_json::Map::new())
    }
}

/// The size of what is written. The recursion is as deep as a document may be.
pub(super) fn size(value: &Value) -> Size {
    let mut inner = Size { nodes: 1, ..Size::default() };
    let mut add = |value: &Value| {
        let found = size(value);
        inner.nodes = inner.nodes.saturating_add(found.nodes);
        inner.depth = inner.depth.max(found.depth);
    };
    match value {
        Value::Array(items) => items.iter().for_each(&mut add),
        Value::Object(map) => map.values().for_each(&mut add),
        _ => return inner,
    }
    inner.depth = inner.depth.saturating_add(1);
    inner
}

fn text_bytes(value: &Value) -> usize {
    let mut counted = Counted(0);
    // Counting can't fail, and neither can printing a value.
    let _ = serde_json::to_writer(&mut counted, value);
    counted.0
}

/// Counts what is written to it.
struct Counted(usize);

impl std::io::Write for Counted {
    fn write(&mut self, part: &[u8]) -> std::io::Result<usize> {
        self.0 = self.0.saturating_add(part.len());
        Ok(part.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// The node of `part` that is nearest to a fault in what was written of it.
fn nearest(part: &Part<'_>, path: &str) -> Pointer {
    let mut pointer = part.pointer.clone();
    let mut value = part.value;
    for segment in path.split('/').skip(1) {
        let key = segment.replace("~1", "/").replace("~0", "~");
        let inner = match value {
            Value::Array(items) => key.parse().ok().and_then(|index: usize| items.get(index)),
            other => other.get(&key),
        };
        let Some(inner) = inner else { break };
        pointer = pointer.key(&key);
        value = inner;
    }
    pointer
}
