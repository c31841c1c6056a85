//! What is wrong in a configuration.

use std::fmt;

use super::node::{Node, Place};
use crate::{
    failure::bounded,
    forage::nearest,
    limits::{CONFIG_BYTES, CONFIG_ERRORS},
};

/// The most bytes of a wrong value or key that its error repeats.
const FOUND_BYTES: usize = 100;

/// One wrong key: which and where, what was found, what is accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError {
    key: String,
    line: Option<usize>,
    problem: Problem,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Problem {
    Wrong { found: String, accepted: String },
    Unknown { accepted: String, nearest: Option<String> },
    Missing { accepted: String },
    Unreadable { problem: String },
    More { count: usize },
}

impl ConfigError {
    /// The variable or secret `key` has a value that isn't accepted.
    pub(super) fn variable(key: &str, found: &str, accepted: &str) -> Self {
        let found = format!("{:?}", bounded(found, FOUND_BYTES));
        let problem = Problem::Wrong { found, accepted: accepted.to_owned() };
        Self { key: key.to_owned(), line: None, problem }
    }

    /// The variable or secret `key` isn't set.
    pub(super) fn unset(key: &str, accepted: &str) -> Self {
        let problem = Problem::Missing { accepted: accepted.to_owned() };
        Self { key: key.to_owned(), line: None, problem }
    }

    /// The text isn't TOML.
    pub(super) fn unreadable(line: Option<usize>, problem: &str) -> Self {
        let problem = Problem::Unreadable { problem: bounded(problem, FOUND_BYTES) };
        Self { key: "mycelium.toml".to_owned(), line, problem }
    }

    /// The text is too long to be one.
    pub(super) fn too_large(bytes: usize) -> Self {
        Self::unreadable(None, &format!("it has {bytes} bytes, the limit is {CONFIG_BYTES}"))
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.key)?;
        if let Some(line) = self.line {
            write!(formatter, " (line {line})")?;
        }
        match &self.problem {
            Problem::Wrong { found, accepted } => {
                write!(formatter, " is {found}: {accepted} is accepted")
            }
            Problem::Unknown { accepted, nearest } => {
                write!(formatter, " is unknown: {accepted} is accepted")?;
                nearest.iter().try_for_each(|near| write!(formatter, "; the nearest is {near}"))
            }
            Problem::Missing { accepted } => {
                write!(formatter, " is missing: {accepted} is needed")
            }
            Problem::Unreadable { problem } => write!(formatter, " can't be read: {problem}"),
            Problem::More { count } => write!(formatter, " has {count} errors more"),
        }
    }
}

impl std::error::Error for ConfigError {}

/// All errors of one reading.
#[derive(Debug, Default)]
pub(super) struct Errors {
    listed: Vec<ConfigError>,
    more: usize,
}

impl Errors {
    /// Keeps one, unless there are too many already.
    pub(super) fn push(&mut self, error: ConfigError) {
        if self.listed.len() < CONFIG_ERRORS {
            self.listed.push(error);
        } else {
            self.more = self.more.saturating_add(1);
        }
    }

    /// The value at a place isn't accepted.
    pub(super) fn wrong(&mut self, place: &Place<'_>, node: &Node, accepted: &str) {
        self.refuse(place, node, node.found(FOUND_BYTES), accepted);
    }

    /// The same of a value that may be a secret, and so isn't repeated.
    pub(super) fn masked(&mut self, place: &Place<'_>, node: &Node, accepted: &str) {
        self.refuse(place, node, "a text, not repeated here".to_owned(), accepted);
    }

    fn refuse(&mut self, place: &Place<'_>, node: &Node, found: String, accepted: &str) {
        let problem = Problem::Wrong { found, accepted: accepted.to_owned() };
        self.push(ConfigError { key: node.key(place), line: node.line, problem });
    }

    /// There is no such key, or nothing of this name; `known` is all there is.
    pub(super) fn unknown<'a>(
        &mut self,
        place: &Place<'_>,
        line: Option<usize>,
        name: &str,
        known: impl IntoIterator<Item = &'a str>,
    ) {
        let known: Vec<&str> = known.into_iter().collect();
        let accepted = match known.as_slice() {
            [] => "nothing".to_owned(),
            [one] => (*one).to_owned(),
            [head @ .., last] => format!("{} or {last}", head.join(", ")),
        };
        let nearest = nearest(name, known).map(str::to_owned);
        let key = bounded(&place.to_string(), FOUND_BYTES);
        self.push(ConfigError { key, line, problem: Problem::Unknown { accepted, nearest } });
    }

    /// The key isn't there.
    pub(super) fn missing(&mut self, place: &Place<'_>, line: Option<usize>, accepted: &str) {
        let problem = Problem::Missing { accepted: accepted.to_owned() };
        self.push(ConfigError { key: place.to_string(), line, problem });
    }

    /// All of them, if there are any.
    pub(super) fn all(mut self) -> Vec<ConfigError> {
        if self.more > 0 {
            let (key, problem) = ("mycelium.toml".to_owned(), Problem::More { count: self.more });
            self.listed.push(ConfigError { key, line: None, problem });
        }
        self.listed
    }
}
