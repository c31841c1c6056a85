//! Which parts of a document become definitions of their own, and under which names.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::place::Place;
use crate::schema::keyword;

/// From how many nodes on a part that is referred to more than once is declared once.
const SHARED_NODES: usize = 12;

/// The most schemas within each other that are looked into.
const PATH: usize = 256;

/// Characters of a name that come from the document.
const NAME: usize = 40;

/// A part that is declared by itself.
pub(super) struct Definition<'a> {
    pub(super) name: String,
    pub(super) place: Place<'a>,
}

/// The parts that are declared by themselves: those that refer to themselves, and large ones
/// that several places refer to.
pub(super) struct Definitions<'a> {
    alias: &'a str,
    root: usize,
    named: BTreeSet<usize>,
    numbers: BTreeMap<usize, usize>,
    /// Those that were met, in that order.
    pub(super) met: Vec<Definition<'a>>,
    names: BTreeSet<String>,
}

impl<'a> Definitions<'a> {
    /// `shares` is whether parts are named that needn't be.
    pub(super) fn of(root: &Place<'a>, alias: &'a str, shares: bool) -> Self {
        let mut survey = Survey::default();
        survey.enter(root, 0);
        let mut named = survey.cyclic;
        if shares {
            named.extend(survey.shared);
        }
        let root = root.address();
        named.remove(&root);
        let (numbers, met, names) = (BTreeMap::new(), Vec::new(), BTreeSet::new());
        let mut definitions = Self { alias, root, named, numbers, met, names };
        definitions.named.insert(definitions.root);
        definitions
    }

    /// Whether a part is declared by itself.
    pub(super) fn is_named(&self, target: &Place<'a>) -> bool {
        self.named.contains(&target.address())
    }

    /// The number of the definition of `target`, to which `reference` led; none when it is
    /// written out where it is used. The root is number 0.
    pub(super) fn number(&mut self, target: &Place<'a>, reference: &str) -> Option<usize> {
        let address = target.address();
        if address == self.root {
            return Some(0);
        }
        if !self.named.contains(&address) {
            return None;
        }
        if let Some(number) = self.numbers.get(&address) {
            return Some(*number);
        }
        let name = self.unused(&format!("{}${}", self.alias, readable(reference)));
        self.met.push(Definition { name, place: target.clone() });
        self.numbers.insert(address, self.met.len());
        Some(self.met.len())
    }

    /// The name of the definition of a number.
    pub(super) fn name(&self, number: usize) -> &str {
        let definition = number.checked_sub(1).and_then(|index| self.met.get(index));
        definition.map_or(self.alias, |definition| &definition.name)
    }

    fn unused(&mut self, name: &str) -> String {
        let numbered = (2_usize..).map(|number| format!("{name}_{number}"));
        let mut candidates = std::iter::once(name.to_owned()).chain(numbered);
        let unused = candidates.find(|candidate| !self.names.contains(candidate));
        let unused = unused.unwrap_or_default();
        self.names.insert(unused.clone());
        unused
    }
}

/// What a reference calls its target, as a part of an identifier.
fn readable(reference: &str) -> String {
    let last = reference.rsplit(['/', '#']).next().unwrap_or_default();
    let kept =
        last.chars().filter(|character| character.is_ascii_alphanumeric() || *character == '_');
    let kept: String = kept.take(NAME).collect();
    if kept.is_empty() { "Part".to_owned() } else { kept }
}

/// A walk along every reference, into each part once.
#[derive(Default)]
struct Survey {
    open: BTreeSet<usize>,
    done: BTreeSet<usize>,
    referred: BTreeSet<usize>,
    shared: BTreeSet<usize>,
    cyclic: BTreeSet<usize>,
}

impl Survey {
    fn enter(&mut self, place: &Place<'_>, depth: usize) {
        let address = place.address();
        let Some(keywords) = place.keywords() else { return };
        if depth > PATH || self.done.contains(&address) || !self.open.insert(address) {
            return;
        }
        for (name, value) in keywords {
            self.keyword(place, name, value, depth.saturating_add(1));
        }
        self.open.remove(&address);
        self.done.insert(address);
    }

    fn keyword(&mut self, place: &Place<'_>, name: &str, value: &Value, depth: usize) {
        if let (true, Value::String(reference)) = (keyword::is_reference(name), value) {
            if let Some(target) = place.follow(reference) {
                self.refer(&target, depth);
            }
        } else if keyword::target(name, value)
            .is_some_and(|target| target != keyword::Target::Nothing)
        {
            for schema in place.inner(name) {
                self.enter(&schema, depth);
            }
        }
    }

    fn refer(&mut self, target: &Place<'_>, depth: usize) {
        let address = target.address();
        if self.open.contains(&address) {
            self.cyclic.insert(address);
        }
        if !self.referred.insert(address) && is_large(target.schema) {
            self.shared.insert(address);
        }
        self.enter(target, depth);
    }
}

/// Whether a schema has so many nodes that naming it is shorter.
fn is_large(schema: &Value) -> bool {
    let mut waiting = vec![schema];
    let mut nodes = 0_usize;
    while let Some(value) = waiting.pop() {
        nodes = nodes.saturating_add(1);
        if nodes >= SHARED_NODES {
            return true;
        }
        match value {
            Value::Array(items) => waiting.extend(items.iter().take(SHARED_NODES)),
            Value::Object(map) => waiting.extend(map.values().take(SHARED_NODES)),
            _ => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::readable;

    #[test]
    fn a_definition_is_named_after_its_reference() {
        for (reference, expected) in [
            ("#/$defs/Node", "Node"),
            ("#/definitions/A%20B", "A20B"),
            ("#node", "node"),
            ("#/$defs/名前", "Part"),
            ("#", "Part"),
        ] {
            assert_eq!(readable(reference), expected);
        }
    }
}
