//! From a document to the nodes that a pass goes by.

use std::collections::BTreeMap;

use referencing::Draft;
use serde_json::{Map, Value};

use super::number::Limits;

/// The types of JSON, a bit each. A number without a fraction is [`INTEGER`] alone.
pub(super) const NULL: u8 = 1;
pub(super) const BOOLEAN: u8 = 1 << 1;
pub(super) const INTEGER: u8 = 1 << 2;
pub(super) const FRACTION: u8 = 1 << 3;
pub(super) const STRING: u8 = 1 << 4;
pub(super) const ARRAY: u8 = 1 << 5;
pub(super) const OBJECT: u8 = 1 << 6;
const ALL: u8 = 0x7f;

/// The node that takes everything, and the one that is certain of nothing.
const ANYTHING: usize = 0;
const UNKNOWN: usize = 1;

/// The most nodes of a plan: a schema with more is left to the validator.
const MOST: usize = 2_000;

/// How deep the schemas of a plan lie in each other, references followed: each is a few frames
/// of the stack.
const DEEPEST: usize = 64;

/// A property's name and node.
pub(super) type Property = (Box<[u8]>, usize);

/// What is known of one schema.
#[derive(Clone, Debug)]
pub(super) struct Node {
    /// The types that are taken.
    pub(super) types: u8,
    /// Every type that a value may have which the schema takes: never too few.
    possible: u8,
    pub(super) limits: Limits,
    /// Characters of a string.
    pub(super) length: Option<(usize, usize)>,
    /// Items of a list.
    pub(super) items: (usize, usize),
    /// Members of a map.
    pub(super) members: (usize, usize),
    pub(super) first: Box<[usize]>,
    pub(super) rest: usize,
    /// At most 64, those that are required among them.
    pub(super) properties: Box<[Property]>,
    /// The properties that are required, a bit each.
    pub(super) required: u64,
    pub(super) additional: usize,
    pub(super) listed: Option<Listed>,
    /// Groups of schemas: of each group one has to take the value.
    pub(super) choices: Box<[Box<[usize]>]>,
    /// Whether there is nothing but the choices.
    pub(super) bare: bool,
}

/// The values of an enumeration that are compared here.
#[derive(Clone, Debug, Default)]
pub(super) struct Listed {
    pub(super) strings: Box<[Box<[u8]>]>,
    pub(super) integers: Box<[i64]>,
    pub(super) truths: Box<[bool]>,
    pub(super) null: bool,
}

impl Node {
    fn anything() -> Self {
        Self {
            types: ALL,
            possible: ALL,
            limits: Limits::default(),
            length: None,
            items: (0, usize::MAX),
            members: (0, usize::MAX),
            first: Box::default(),
            rest: ANYTHING,
            properties: Box::default(),
            required: 0,
            additional: ANYTHING,
            listed: None,
            choices: Box::default(),
            bare: false,
        }
    }

    fn unknown() -> Self {
        Self { types: 0, ..Self::anything() }
    }
}

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

/// Whether there is more than annotations and what makes choices.
fn says_more(keywords: &Map<String, Value>) -> bool {
    keywords.keys().any(|keyword| {
        !matches!(
            keyword.as_str(),
            "$ref"
                | "allOf"
                | "anyOf"
                | "oneOf"
                | "title"
                | "description"
                | "default"
                | "examples"
                | "$schema"
                | "$defs"
                | "definitions"
                | "$comment"
        )
    })
}

fn choose(node: &mut Node, groups: Vec<Box<[usize]>>) {
    node.choices = node.choices.iter().cloned().chain(groups).collect();
}

fn types(value: &Value) -> Option<u8> {
    let one = |name: &Value| {
        Some(match name.as_str()? {
            "null" => NULL,
            "boolean" => BOOLEAN,
            "integer" => INTEGER,
            "number" => INTEGER | FRACTION,
            "string" => STRING,
            "array" => ARRAY,
            "object" => OBJECT,
            _ => return None,
        })
    };
    match value {
        Value::Array(names) => {
            names.iter().try_fold(0, |types: u8, name| one(name).map(|next| types | next))
        }
        name => one(name),
    }
}

/// Takes what is compared here; the others are never certain.
fn list(node: &mut Node, values: &[Value]) -> bool {
    // Two enumerations for one value: too rare to be worth an intersection.
    if node.listed.is_some() {
        return false;
    }
    let of_type = |value: &Value| match value {
        Value::Null => NULL,
        Value::Bool(_) => BOOLEAN,
        Value::Number(_) => INTEGER | FRACTION,
        Value::String(_) => STRING,
        Value::Array(_) => ARRAY,
        Value::Object(_) => OBJECT,
    };
    node.possible &= values.iter().fold(0, |types, value| types | of_type(value));
    let strings = values.iter().filter_map(Value::as_str);
    node.listed = Some(Listed {
        strings: strings.map(|text| text.as_bytes().into()).collect(),
        integers: values.iter().filter_map(Value::as_i64).collect(),
        truths: values.iter().filter_map(Value::as_bool).collect(),
        null: values.contains(&Value::Null),
    });
    true
}

fn bound((least, most): &mut (usize, usize), keyword: &str, value: &Value) -> bool {
    let Some(bound) = value.as_u64().and_then(|bound| u32::try_from(bound).ok()) else {
        return false;
    };
    let held = if keyword.starts_with("min") { least } else { most };
    usize::try_from(bound).map(|bound| *held = bound).is_ok()
}

/// Whether every key is taken, since all are strings.
fn is_of_strings(names: &Value) -> bool {
    let of_strings = |names: &Map<String, Value>| {
        names.len() == 1 && names.get("type").and_then(Value::as_str) == Some("string")
    };
    names == &Value::Bool(true) || names.as_object().is_some_and(of_strings)
}
