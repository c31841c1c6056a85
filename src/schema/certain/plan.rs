//! From a document to the nodes that a pass goes by.

use std::collections::BTreeMap;

use referencing::Draft;
use serde_json::{Map, Value};

use super::{
    keyword::{bound, choose, is_of_strings, list, says_more, types},
    node::{ALL, Node, Property},
};

/// The node that takes everything, and the one that is certain of nothing.
pub(super) const ANYTHING: usize = 0;
const UNKNOWN: usize = 1;

/// The most nodes of a plan: a schema with more is left to the validator.
const MOST: usize = 2_000;

/// How deep the schemas of a plan lie in each other, references followed: each is a few frames
/// of the stack.
const DEEPEST: usize = 64;

/// A schema as a pass goes by it.
#[derive(Debug)]
pub(in crate::schema) struct Plan {
    nodes: Vec<Node>,
    root: usize,
}

impl Plan {
    /// The plan of a checked document that refers by pointers from its root alone; none when
    /// it is too large, or when nothing could be told by it.
    pub(in crate::schema) fn of(draft: Draft, document: &Value) -> Option<Self> {
        let nodes = vec![Node::anything(), Node::unknown()];
        let mut maker = Maker { draft, document, nodes, targets: BTreeMap::new(), deep: 0 };
        let root = maker.node(document)?;
        (root != UNKNOWN).then_some(Self { nodes: maker.nodes, root })
    }

    pub(super) fn root(&self) -> usize {
        self.root
    }

    pub(super) fn node(&self, id: usize) -> Option<&Node> {
        self.nodes.get(id)
    }
}

struct Maker<'a> {
    draft: Draft,
    document: &'a Value,
    nodes: Vec<Node>,
    /// The nodes of what is referred to.
    targets: BTreeMap<&'a str, usize>,
    deep: usize,
}

impl<'a> Maker<'a> {
    /// The node of `schema`; none when there are too many.
    fn node(&mut self, schema: &'a Value) -> Option<usize> {
        match schema {
            Value::Bool(true) => Some(ANYTHING),
            Value::Object(keywords) if keywords.is_empty() => Some(ANYTHING),
            Value::Object(keywords) => self.keywords(keywords),
            _ => Some(UNKNOWN),
        }
    }

    fn place(&mut self) -> Option<usize> {
        let id = self.nodes.len();
        self.nodes.push(Node::unknown());
        (id < MOST).then_some(id)
    }

    fn keywords(&mut self, keywords: &'a Map<String, Value>) -> Option<usize> {
        let id = self.place()?;
        self.fill(id, keywords)?;
        Some(id)
    }

    fn fill(&mut self, id: usize, keywords: &'a Map<String, Value>) -> Option<()> {
        self.deep = self.deep.checked_add(1).filter(|deep| *deep <= DEEPEST)?;
        let mut node = Node::anything();
        let mut known = true;
        for (keyword, value) in keywords {
            known &= self.keyword(&mut node, keyword, value)?;
        }
        self.members(&mut node, keywords)?;
        node.possible &= node.types;
        // There a reference hides what stands beside it.
        if self.draft == Draft::Draft7 && keywords.contains_key("$ref") {
            node.possible = ALL;
        }
        known &= node.properties.len() <= 64;
        node.bare = !node.choices.is_empty() && !says_more(keywords);
        if !known {
            node.types = 0;
        }
        self.deep = self.deep.saturating_sub(1);
        *self.nodes.get_mut(id)? = node;
        Some(())
    }

    /// Whether the keyword is known; what is said of maps comes later.
    fn keyword(&mut self, node: &mut Node, keyword: &str, value: &'a Value) -> Option<bool> {
        Some(match keyword {
            "$schema"
            | "$id"
            | "$comment"
            | "$defs"
            | "definitions"
            | "title"
            | "description"
            | "default"
            | "examples"
            | "format"
            | "readOnly"
            | "writeOnly"
            | "deprecated"
            | "properties"
            | "required"
            | "additionalProperties" => true,
            "type" => types(value).map(|types| node.types &= types).is_some(),
            "enum" => value.as_array().is_some_and(|values| list(node, values)),
            "const" => list(node, std::slice::from_ref(value)),
            "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" => {
                node.limits.say(keyword, value)
            }
            "minLength" | "maxLength" => {
                bound(node.length.get_or_insert((0, usize::MAX)), keyword, value)
            }
            "minItems" | "maxItems" => bound(&mut node.items, keyword, value),
            "minProperties" | "maxProperties" => bound(&mut node.members, keyword, value),
            "uniqueItems" => value == &Value::Bool(false),
            "propertyNames" => is_of_strings(value),
            "items" if !value.is_array() => {
                node.rest = self.node(value)?;
                true
            }
            "prefixItems" if self.draft != Draft::Draft7 => {
                node.first = self.nodes_of(value)?;
                true
            }
            "$ref" => self.reference(node, value)?,
            "allOf" => {
                let groups = self.nodes_of(value)?.iter().map(|id| Box::from([*id])).collect();
                choose(node, groups);
                true
            }
            "anyOf" => {
                let group = self.nodes_of(value)?;
                choose(node, vec![group]);
                true
            }
            "oneOf" => {
                let group = self.nodes_of(value)?;
                let apart = self.are_apart(&group);
                choose(node, vec![group]);
                apart
            }
            _ => false,
        })
    }

    fn nodes_of(&mut self, value: &'a Value) -> Option<Box<[usize]>> {
        value.as_array().into_iter().flatten().map(|schema| self.node(schema)).collect()
    }

    /// Whether no value is of a type that two of the nodes may take.
    fn are_apart(&self, group: &[usize]) -> bool {
        let mut before = 0;
        group.iter().all(|id| {
            let possible = self.nodes.get(*id).map_or(ALL, |node| node.possible);
            let apart = before & possible == 0;
            before |= possible;
            apart
        })
    }

    fn reference(&mut self, node: &mut Node, value: &'a Value) -> Option<bool> {
        let Some(reference) = value.as_str() else { return Some(false) };
        let target = match self.targets.get(reference) {
            Some(target) => *target,
            None => {
                let found = reference.strip_prefix('#').and_then(|at| self.document.pointer(at));
                let Some(Value::Object(keywords)) = found else { return Some(false) };
                let target = self.place()?;
                self.targets.insert(reference, target);
                self.fill(target, keywords)?;
                target
            }
        };
        node.possible &= self.nodes.get(target).map_or(ALL, |target| target.possible);
        choose(node, vec![Box::from([target])]);
        Some(true)
    }

    /// Properties, those that are only required, and all others.
    fn members(&mut self, node: &mut Node, keywords: &'a Map<String, Value>) -> Option<()> {
        if let Some(additional) = keywords.get("additionalProperties") {
            node.additional = self.node(additional)?;
        }
        let mut all: Vec<Property> = Vec::new();
        let named = keywords.get("properties").and_then(Value::as_object);
        for (name, schema) in named.into_iter().flatten() {
            all.push((name.as_bytes().into(), self.node(schema)?));
        }
        let required = keywords.get("required").and_then(Value::as_array);
        for name in required.into_iter().flatten().filter_map(Value::as_str) {
            let at = all.iter().position(|(known, _)| **known == *name.as_bytes());
            let at = at.unwrap_or(all.len());
            if at == all.len() {
                all.push((name.as_bytes().into(), node.additional));
            }
            node.required |= 1_u64.checked_shl(u32::try_from(at).ok()?).unwrap_or_default();
        }
        for (name, id) in &mut all {
            // Reading an input refuses it.
            if **name == *b"__proto__" {
                *id = UNKNOWN;
            }
        }
        node.properties = all.into();
        Some(())
    }
}
