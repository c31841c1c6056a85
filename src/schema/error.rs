//! What is wrong with a schema, or with a value by its schema.

use std::fmt;

use crate::failure::bounded;

/// The most bytes of one fault that are told: a schema's enumeration may be long.
const FAULT_BYTES: usize = 512;

/// What is at fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// The schema itself: whoever declared it has to mend it.
    Schema,
    /// The value: the schema describes another.
    Value,
}

/// A schema that can't be used, or a value that it doesn't describe.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchemaError {
    subject: Subject,
    message: String,
    path: Option<String>,
}

impl SchemaError {
    /// The schema is wrong at `path`, a JSON Pointer.
    pub(super) fn schema(path: &str, problem: &str) -> Self {
        let message = format!("the schema is wrong {}", at(path, problem));
        Self { subject: Subject::Schema, message, path: Some(path.to_owned()) }
    }

    /// The value is wrong, by `faults`: each a JSON Pointer and a problem.
    pub(super) fn value(faults: &[(String, String)]) -> Self {
        let faults: Vec<_> = faults.iter().map(|(path, problem)| at(path, problem)).collect();
        Self { subject: Subject::Value, message: faults.join("; "), path: None }
    }

    /// Where a schema is wrong, as a JSON Pointer; none where a value is.
    #[must_use]
    pub fn path(&self) -> Option<&str> {
        self.path.as_deref()
    }

    /// What is at fault.
    #[must_use]
    pub fn subject(&self) -> Subject {
        self.subject
    }
}

fn at(path: &str, problem: &str) -> String {
    let path = if path.is_empty() { "/" } else { path };
    format!("at {}: {}", bounded(path, FAULT_BYTES), bounded(problem, FAULT_BYTES))
}

impl fmt::Display for SchemaError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for SchemaError {}
