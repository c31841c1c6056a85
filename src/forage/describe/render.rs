//! One operation in TypeScript: its types, its comment, its signature.

use super::super::{ForageError, item::Item, third_party};
use crate::{
    limits::DESCRIBE_BYTES,
    operation::Access,
    schema::{
        Schema,
        typescript::{self, ProjectionError},
    },
};

/// The parts of one operation's declaration, made once.
#[derive(Debug)]
pub(in crate::forage) struct Rendering {
    /// The statements that declare its types.
    pub(super) types: String,
    /// The lines of its comment, none of which can end it.
    pub(super) comment: Vec<String>,
    /// What follows its name: `(input: a$b_Input): Promise<a$b_Output>`.
    pub(super) signature: String,
}

/// `a.b` as `a$b_<role>`: no name has a `$`, so that different paths have different aliases.
pub(in crate::forage) fn alias(path: &str, role: &str) -> String {
    format!("{}_{role}", path.replace('.', "$"))
}

impl Rendering {
    pub(super) fn of(item: &Item) -> Result<Self, ForageError> {
        #[cfg(test)]
        tests::count();
        let input = declare(item, item.input(), "Input")?;
        let output = match item.output() {
            Some(schema) => declare(item, schema, "Output")?,
            None => {
                let alias = alias(item.path(), "Output");
                format!("/** The operation doesn't say what it gives. */\ntype {alias} = unknown;")
            }
        };
        Ok(Self {
            types: format!("{input}\n{output}\n"),
            comment: comment(item),
            signature: signature(item),
        })
    }

    /// Bytes that it adds to a declaration, but for indentation.
    pub(super) fn bytes(&self) -> usize {
        let comment = self.comment.iter().map(|line| line.len().saturating_add(4)).sum::<usize>();
        let signature = self.signature.len();
        [self.types.len(), signature].iter().fold(comment, |sum, bytes| sum.saturating_add(*bytes))
    }
}

fn declare(item: &Item, schema: &Schema, role: &str) -> Result<String, ForageError> {
    let alias = alias(item.path(), role);
    let bound = DESCRIBE_BYTES;
    match typescript::declare(schema, &alias, bound) {
        Ok(declaration) => Ok(declaration.text().to_owned()),
        Err(ProjectionError::TooLarge { .. }) => {
            let (path, bytes) = (item.path().to_owned(), bound.saturating_add(1));
            Err(ForageError::DescriptionTooLarge { path, bytes, bound })
        }
        // Wider than the schema, and says so.
        Err(_) => {
            Ok(format!("/** Too much refers to too much: any value. */\ntype {alias} = unknown;"))
        }
    }
}

fn signature(item: &Item) -> String {
    let (input, output) = (alias(item.path(), "Input"), alias(item.path(), "Output"));
    let refusal = if item.may_refuse() { " | AccessRefusal" } else { "" };
    let optional = if takes_nothing(item.input()) { "?" } else { "" };
    format!("(input{optional}: {input}): Promise<{output}{refusal}>")
}

/// Whether a call without an input, which passes an empty object, is surely taken.
fn takes_nothing(schema: &Schema) -> bool {
    let Some(schema) = schema.document().as_object() else { return false };
    let plain = ["$schema", "type", "title", "description", "properties", "additionalProperties"];
    let is_object = schema.get("type").is_some_and(|kind| kind == "object");
    let demands = schema.get("required").is_some_and(|keys| keys != &serde_json::json!([]));
    is_object
        && !demands
        && schema.keys().all(|key| plain.contains(&key.as_str()) || key == "required")
}

/// The texts of an operation, what it does to the world, and its notes.
fn comment(item: &Item) -> Vec<String> {
    let mut lines = Vec::new();
    if item.is_third_party() {
        lines.push(format!("The quoted lines, and those in its types: {}.", third_party::FRAME));
    }
    add(&mut lines, item, "", item.description());
    lines.push(effect(item));
    for note in item.notes() {
        add(&mut lines, item, "Note: ", note);
    }
    if let Some(instructions) = item.instructions() {
        add(&mut lines, item, "@remarks ", instructions);
    }
    lines
}

fn add(lines: &mut Vec<String>, item: &Item, head: &str, text: &str) {
    let quote = if item.is_third_party() { "> " } else { "" };
    let text = typescript::comment(text.trim());
    for (index, line) in text.lines().enumerate() {
        let head = if index == 0 { head } else { "" };
        // A line that begins with a tag would be one of ours.
        let line = line.trim_end();
        let safe = if line.trim_start().starts_with('@') { "\\" } else { "" };
        lines.push(format!("{quote}{head}{safe}{line}"));
    }
}

fn effect(item: &Item) -> String {
    let labels = item.labels();
    let access = match labels.access {
        Access::Read => "Only reads.",
        Access::Write => "May change something.",
    };
    let confirm = if labels.confirm { " A person is asked before each call." } else { "" };
    format!("{access}{confirm}")
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use serde_json::json;

    use crate::forage::{OperationDefinition, create_catalog};

    thread_local! {
        static MADE: Cell<usize> = const { Cell::new(0) };
    }

    pub(super) fn count() {
        MADE.set(MADE.get() + 1);
    }

    #[test]
    fn each_description_is_made_once_and_when_the_catalog_is() {
        let operation = |number| OperationDefinition::new(format!("a.b{number}"), json!({}));
        MADE.set(0);
        let catalog = create_catalog("1", (0..20).map(operation)).unwrap();
        assert_eq!(MADE.get(), 20);
        for _ in 0..3 {
            let _ = catalog.describe("a").unwrap();
            let _ = catalog.describe("a.b3").unwrap();
            let _ = catalog.clone().describe("a.b4").unwrap();
        }
        assert_eq!(MADE.get(), 20);
    }
}
