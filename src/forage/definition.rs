//! One operation as discovery is told of it, by a host that runs it elsewhere.

use super::ForageError;
use crate::{
    operation::{IntoSchema, Labels, whole_path},
    schema::Schema,
};

/// An operation's path, texts and schemas. It holds nothing that could be run.
#[derive(Clone, Debug)]
pub struct OperationDefinition {
    path: String,
    description: String,
    notes: Vec<String>,
    instructions: Option<String>,
    input: Result<Schema, String>,
    output: Option<Result<Schema, String>>,
    labels: Labels,
    third_party: bool,
}

impl OperationDefinition {
    /// The operation at `path`, names with dots between, which takes what `input` describes.
    pub fn new(path: impl Into<String>, input: impl IntoSchema) -> Self {
        Self {
            path: path.into(),
            description: String::new(),
            notes: Vec::new(),
            instructions: None,
            input: input.into_schema(),
            output: None,
            labels: Labels::default(),
            third_party: false,
        }
    }

    /// Says what the operation does.
    #[must_use]
    pub fn describe(mut self, description: impl Into<String>) -> Self {
        self.description = description.into();
        self
    }

    /// Adds a note on what the capability behind it can and can't do.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// Says how it is used well, at more length than the description.
    #[must_use]
    pub fn instructions(mut self, instructions: impl Into<String>) -> Self {
        self.instructions = Some(instructions.into());
        self
    }

    /// Says what it gives.
    #[must_use]
    pub fn output(mut self, output: impl IntoSchema) -> Self {
        self.output = Some(output.into_schema());
        self
    }

    /// Says what it does to the world.
    #[must_use]
    pub fn labels(mut self, labels: Labels) -> Self {
        self.labels = labels;
        self
    }

    /// Marks its texts as a third party's: they are shown as quoted data.
    #[must_use]
    pub fn third_party(mut self) -> Self {
        self.third_party = true;
        self
    }

    /// Checks it and ends the declaration.
    pub(super) fn finish(self) -> Result<Defined, ForageError> {
        let path = self.path;
        if let Err(rule) = whole_path(&path) {
            return Err(ForageError::Name { path, rule: rule.to_owned() });
        }
        let fault = |which: &str, problem: String| ForageError::Schema {
            path: path.clone(),
            problem: format!("the {which} schema is refused: {problem}"),
        };
        let input = self.input.map_err(|problem| fault("input", problem))?;
        let output = self.output.transpose().map_err(|problem| fault("output", problem))?;
        Ok(Defined {
            path,
            description: self.description,
            notes: self.notes,
            instructions: self.instructions,
            input,
            output,
            labels: self.labels,
            third_party: self.third_party,
        })
    }
}

/// A definition that keeps the rules.
#[derive(Debug)]
pub(super) struct Defined {
    pub(super) path: String,
    pub(super) description: String,
    pub(super) notes: Vec<String>,
    pub(super) instructions: Option<String>,
    pub(super) input: Schema,
    pub(super) output: Option<Schema>,
    pub(super) labels: Labels,
    pub(super) third_party: bool,
}
