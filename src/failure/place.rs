//! Where in a program something went wrong.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A position in the program as the model sent it; it may be unknown.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// The line, counted from 1; 0 when the position is unknown.
    pub line: u32,
    /// The column in UTF-16 code units, counted from 1; 0 when unknown.
    pub column: u32,
    /// The lines around the position with a caret under it; may be empty.
    #[serde(default)]
    pub frame: String,
}

impl Place {
    /// A position without a code frame.
    #[must_use]
    pub fn at(line: u32, column: u32) -> Self {
        Self { line, column, frame: String::new() }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line == 0 {
            return Ok(());
        }
        write!(formatter, " (line {}, column {})", self.line, self.column)?;
        if self.frame.is_empty() {
            return Ok(());
        }
        write!(formatter, "\n{}", self.frame)
    }
}
