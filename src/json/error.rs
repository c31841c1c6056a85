//! Why a text is no value, or a value no text.

use std::fmt;

/// Why a text isn't a value we take, or a value can't be printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonError {
    problem: String,
    path: Option<String>,
    place: Option<(usize, usize)>,
}

impl JsonError {
    pub(super) fn new(problem: impl Into<String>) -> Self {
        Self { problem: problem.into(), path: None, place: None }
    }

    pub(super) fn at_path(mut self, path: Option<String>) -> Self {
        self.path = path;
        self
    }

    pub(super) fn at_place(mut self, line: usize, column: usize) -> Self {
        self.place = Some((line, column));
        self
    }

    /// Where in the value, as a JSON Pointer; none when the fault is in no part of it.
    #[must_use]
    pub fn path(&self) -> Option<&str> {
        self.path.as_deref()
    }

    /// Where in the text: the line and the column in bytes, both counted from 1.
    #[must_use]
    pub fn place(&self) -> Option<(usize, usize)> {
        self.place
    }
}

impl fmt::Display for JsonError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.path.as_deref() {
            None => {}
            Some("") => formatter.write_str("at /: ")?,
            Some(path) => write!(formatter, "at {path}: ")?,
        }
        formatter.write_str(&self.problem)?;
        match self.place {
            None => Ok(()),
            Some((line, column)) => write!(formatter, " (line {line}, column {column})"),
        }
    }
}

impl std::error::Error for JsonError {}
