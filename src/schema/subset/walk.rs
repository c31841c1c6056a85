//! The walk through a document: a list of what is left, and no recursion.

use serde_json::{Map, Value};

use super::{
    Reason, SubsetError,
    keyword::{Holds, Rules, holds, is_reserved},
};
use crate::schema::{DEPTH, NODES};

/// What a part of the document is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Schema,
    /// Schemas by name; whether the names are properties.
    Schemas(bool),
    /// A list whose texts are property names.
    Names,
    /// A value.
    Data,
}

/// A part that is left, and how it is reached.
struct Left<'a> {
    value: &'a Value,
    part: Part,
    /// The last step of its path.
    step: usize,
}

/// A step of a path: the one before it, and a name or a position.
struct Step<'a> {
    before: usize,
    name: Name<'a>,
}

enum Name<'a> {
    Root,
    Key(&'a str),
    Index(usize),
}

/// Whether a document is in the subset.
///
/// # Errors
///
/// The first reason that is met why it isn't. Bounds are looked at before all else, so that a
/// document over one is refused for that.
pub(super) fn check(document: &Value, rules: Rules) -> Result<(), SubsetError> {
    let mut walk = Walk { rules, left: Vec::new(), steps: Vec::new(), nodes: 0 };
    walk.bounds(document)?;
    walk.steps.push(Step { before: 0, name: Name::Root });
    walk.left.push(Left { value: document, part: Part::Schema, step: 0 });
    while let Some(left) = walk.left.pop() {
        walk.visit(&left)?;
    }
    Ok(())
}

struct Walk<'a> {
    rules: Rules,
    left: Vec<Left<'a>>,
    steps: Vec<Step<'a>>,
    nodes: usize,
}

impl<'a> Walk<'a> {
    /// Counts levels and nodes. At most as many parts wait as there may be nodes.
    fn bounds(&mut self, document: &'a Value) -> Result<(), SubsetError> {
        let mut waiting = vec![(document, 1_usize)];
        while let Some((value, level)) = waiting.pop() {
            self.nodes = self.nodes.saturating_add(1);
            let inner: usize = match value {
                Value::Array(items) => items.len(),
                Value::Object(map) => map.len(),
                _ => continue,
            };
            let known = self.nodes.saturating_add(waiting.len()).saturating_add(inner);
            if level > DEPTH {
                return Err(SubsetError::new(Reason::Depth, String::new()));
            }
            if known > NODES {
                return Err(SubsetError::new(Reason::Nodes, String::new()));
            }
            let next = level.saturating_add(1);
            match value {
                Value::Array(items) => waiting.extend(items.iter().map(|item| (item, next))),
                Value::Object(map) => waiting.extend(map.values().map(|item| (item, next))),
                _ => {}
            }
        }
        Ok(())
    }

    fn visit(&mut self, left: &Left<'a>) -> Result<(), SubsetError> {
        match (left.value, left.part) {
            (Value::Object(map), Part::Schema) => self.keywords(map, left),
            (Value::Object(map), Part::Schemas(properties)) => {
                self.entries(map, left, properties, Part::Schema)
            }
            (Value::Object(map), Part::Names) => self.entries(map, left, true, Part::Names),
            (Value::Object(map), Part::Data) => self.entries(map, left, true, Part::Data),
            (Value::Array(items), part) => {
                self.items(items, left, part);
                Ok(())
            }
            (Value::String(name), Part::Names) if is_reserved(name) => {
                Err(SubsetError::new(Reason::ReservedName, self.path(left.step)))
            }
            _ => Ok(()),
        }
    }

    fn keywords(
        &mut self,
        map: &'a Map<String, Value>,
        left: &Left<'a>,
    ) -> Result<(), SubsetError> {
        for (name, value) in map {
            let step = self.step(left.step, Name::Key(name));
            let part = match holds(name, self.rules) {
                Ok(Holds::Schemas) => Part::Schema,
                Ok(Holds::Properties) => Part::Schemas(true),
                Ok(Holds::Definitions) => Part::Schemas(false),
                Ok(Holds::Names | Holds::NamesByName) => Part::Names,
                Ok(Holds::Data) => Part::Data,
                Err(_) if is_reserved(name) => {
                    return Err(SubsetError::new(Reason::ReservedName, self.path(step)));
                }
                Err(reason) => return Err(SubsetError::new(reason, self.path(step))),
            };
            self.left.push(Left { value, part, step });
        }
        Ok(())
    }

    /// `named` is whether the keys are names of properties.
    fn entries(
        &mut self,
        map: &'a Map<String, Value>,
        left: &Left<'a>,
        named: bool,
        part: Part,
    ) -> Result<(), SubsetError> {
        for (name, value) in map {
            let step = self.step(left.step, Name::Key(name));
            if named && is_reserved(name) {
                return Err(SubsetError::new(Reason::ReservedName, self.path(step)));
            }
            self.left.push(Left { value, part, step });
        }
        Ok(())
    }

    fn items(&mut self, items: &'a [Value], left: &Left<'a>, part: Part) {
        for (index, item) in items.iter().enumerate() {
            let step = self.step(left.step, Name::Index(index));
            self.left.push(Left { value: item, part, step });
        }
    }

    fn step(&mut self, before: usize, name: Name<'a>) -> usize {
        self.steps.push(Step { before, name });
        self.steps.len().saturating_sub(1)
    }

    /// The JSON Pointer of a step.
    fn path(&self, step: usize) -> String {
        let mut names = Vec::new();
        let mut at = step;
        while let Some(Step { before, name }) = self.steps.get(at) {
            match name {
                Name::Root => break,
                Name::Key(name) => names.push(name.replace('~', "~0").replace('/', "~1")),
                Name::Index(index) => names.push(index.to_string()),
            }
            at = *before;
        }
        names.iter().rev().fold(String::new(), |path, name| path + "/" + name)
    }
}
