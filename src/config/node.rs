//! What is written, before anybody knows what it means: a tree with the place of each value.
//!
//! Owns reading TOML, and laying variables over it. Doesn't own which keys there are.

use std::{collections::BTreeMap, fmt};

use toml::de::{DeTable, DeValue};

use super::{ConfigError, error::Errors};
use crate::{failure::bounded, limits::CONFIG_BYTES};

/// A value and where it comes from.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) value: Value,
    /// The line in the file, from 1.
    pub(super) line: Option<usize>,
    /// The variable that says it, if one does.
    variable: Option<&'static str>,
}

#[derive(Clone, Debug)]
pub(super) enum Value {
    Flag(bool),
    Whole(u64),
    Text(String),
    List(Vec<Node>),
    Table(BTreeMap<String, Node>),
    /// What no key here accepts: a kind, and what was written.
    Other(&'static str, String),
    /// A variable's text, which may stand for a flag, a number or a list.
    Variable(String),
}

/// Where a value is: its key, and the places that lead to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place<'a> {
    outer: Option<&'a Place<'a>>,
    key: Key<'a>,
}

#[derive(Clone, Copy, Debug)]
enum Key<'a> {
    Name(&'a str),
    Index(usize),
}

impl<'a> Place<'a> {
    pub(super) const ROOT: Place<'static> = Place { outer: None, key: Key::Name("") };

    pub(super) fn of(&'a self, name: &'a str) -> Place<'a> {
        Place { outer: Some(self), key: Key::Name(name) }
    }

    pub(super) fn at(&'a self, index: usize) -> Place<'a> {
        Place { outer: Some(self), key: Key::Index(index) }
    }

    /// The last key on the way here.
    pub(super) fn name(&self) -> &'a str {
        match self.key {
            Key::Name(name) => name,
            Key::Index(_) => "",
        }
    }
}

/// `connections.petstore.server`, `origins.allowed[1]`.
impl fmt::Display for Place<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(outer) = self.outer else { return Ok(()) };
        outer.fmt(formatter)?;
        let dot = if outer.outer.is_some() { "." } else { "" };
        match self.key {
            Key::Index(index) => write!(formatter, "[{index}]"),
            Key::Name(name) if is_bare(name) => write!(formatter, "{dot}{name}"),
            Key::Name(name) => write!(formatter, "{dot}{name:?}"),
        }
    }
}

/// Whether TOML needs no quotes around a key.
fn is_bare(name: &str) -> bool {
    let bare = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    !name.is_empty() && name.bytes().all(bare)
}

impl Node {
    fn table() -> Self {
        Self { value: Value::Table(BTreeMap::new()), line: None, variable: None }
    }

    /// Reads a text; nothing of one that isn't TOML, for what follows an error is noise.
    pub(super) fn read(text: &str, errors: &mut Errors) -> Self {
        if text.len() > CONFIG_BYTES {
            errors.push(ConfigError::too_large(text.len()));
            return Self::table();
        }
        let lines = Lines::of(text);
        let (table, wrong) = DeTable::parse_recoverable(text);
        let sound = wrong.is_empty();
        for error in wrong {
            let line = error.span().map(|span| lines.at(span.start));
            errors.push(ConfigError::unreadable(line, error.message()));
        }
        if sound { table_node(table.get_ref(), None, &lines) } else { Self::table() }
    }

    /// Lays a variable's text over what is at `path`.
    pub(super) fn lay(&mut self, path: &[&str], variable: &'static str, text: String) {
        let Some((name, rest)) = path.split_first() else {
            *self = Self { value: Value::Variable(text), line: None, variable: Some(variable) };
            return;
        };
        if !matches!(self.value, Value::Table(_)) {
            // What is there is wrong, but the variable may make good for it.
            *self = Self::table();
        }
        if let Value::Table(table) = &mut self.value {
            let inner = table.entry((*name).to_owned()).or_insert_with(Self::table);
            inner.lay(rest, variable, text);
        }
    }

    /// How an error names the key: the variable, if it is one's.
    pub(super) fn key(&self, place: &Place<'_>) -> String {
        self.variable.map_or_else(|| place.to_string(), str::to_owned)
    }

    /// What stands under a key that is itself wrong: the key is what was found.
    pub(super) fn named(&self, name: &str) -> Self {
        Self { value: Value::Text(name.to_owned()), line: self.line, variable: None }
    }

    /// The parts of a variable's text that is a list.
    pub(super) fn split(&self, text: &str) -> Vec<Self> {
        let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
        parts.map(|part| Self { value: Value::Variable(part.to_owned()), ..self.clone() }).collect()
    }

    /// What was found, in at most about `limit` bytes.
    pub(super) fn found(&self, limit: usize) -> String {
        match &self.value {
            Value::Flag(flag) => flag.to_string(),
            Value::Whole(number) => number.to_string(),
            Value::Text(text) | Value::Variable(text) => format!("{:?}", bounded(text, limit)),
            Value::List(_) => "a list".to_owned(),
            Value::Table(_) => "a table".to_owned(),
            Value::Other(kind, text) => format!("{kind}, {}", bounded(text, limit)),
        }
    }
}

fn table_node(table: &DeTable<'_>, line: Option<usize>, lines: &Lines) -> Node {
    let entry = |(key, value): (&toml::Spanned<_>, &toml::Spanned<DeValue<'_>>)| {
        let key: &std::borrow::Cow<'_, str> = key.get_ref();
        (key.clone().into_owned(), node(value, lines))
    };
    let value = Value::Table(table.iter().map(entry).collect());
    Node { value, line, variable: None }
}

/// The parser refuses what is deeper than 80 levels, so this may follow it down.
fn node(value: &toml::Spanned<DeValue<'_>>, lines: &Lines) -> Node {
    let line = Some(lines.at(value.span().start));
    let value = match value.get_ref() {
        DeValue::Table(table) => return table_node(table, line, lines),
        DeValue::Array(list) => Value::List(list.iter().map(|one| node(one, lines)).collect()),
        DeValue::Boolean(flag) => Value::Flag(*flag),
        DeValue::String(text) => Value::Text(text.clone().into_owned()),
        DeValue::Integer(number) => match u64::from_str_radix(number.as_str(), number.radix()) {
            Ok(whole) => Value::Whole(whole),
            Err(_) => Value::Other("a number", number.as_str().to_owned()),
        },
        DeValue::Float(number) => Value::Other("a number", number.as_str().to_owned()),
        DeValue::Datetime(_) => Value::Other("a date", "without quotes".to_owned()),
    };
    Node { value, line, variable: None }
}

/// Where each line of a text begins.
struct Lines(Vec<usize>);

impl Lines {
    fn of(text: &str) -> Self {
        let after = |(at, _)| usize::saturating_add(at, 1);
        Self(text.match_indices('\n').map(after).collect())
    }

    /// The line of a byte, from 1.
    fn at(&self, byte: usize) -> usize {
        self.0.partition_point(|begin| *begin <= byte).saturating_add(1)
    }
}
