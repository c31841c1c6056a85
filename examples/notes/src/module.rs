//! The module `notes`.

use mycelium::{
    Module, Operation,
    operation::{Access, OperationError, Replay},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    shelf::{Note, Order, Shelf},
    topics::Topics,
};

/// A note to keep.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct NewNote {
    /// A word that code can say.
    #[schemars(regex(pattern = r"^[a-z][a-z0-9_]{0,30}$"))]
    topic: String,
    #[schemars(length(min = 1, max = 2_000))]
    text: String,
}

/// The notes of one topic.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct OfTopic {
    topic: String,
}

/// One note.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ById {
    id: u32,
}

#[derive(Serialize, JsonSchema)]
struct Removed {
    removed: bool,
}

/// Operations on the notes of `shelf`; a note may bring a topic that `topics` must hear of.
pub(crate) fn notes(shelf: &Shelf, topics: &Topics) -> Module {
    Module::new("notes", "notes")
        .operation("add", add(shelf.clone(), topics.clone()))
        .operation("list", list(shelf.clone()))
        .operation("remove", remove(shelf.clone(), topics.clone()))
}

fn add(shelf: Shelf, topics: Topics) -> Operation {
    Operation::typed(move |NewNote { topic, text }, _| {
        let (shelf, topics) = (shelf.clone(), topics.clone());
        async move {
            let note: Note = shelf.ask(Order::Add { topic, text }).await?;
            topics.changed();
            Ok(note)
        }
    })
    .describe(
        "Keeps a note under a topic. From the next program on, env.topics.<topic>() reads it.",
    )
}

fn list(shelf: Shelf) -> Operation {
    Operation::typed(move |OfTopic { topic }, _| {
        let shelf = shelf.clone();
        async move { shelf.ask::<Vec<Note>>(Order::List { topic }).await }
    })
    .describe("The notes of a topic.")
    .access(Access::Read)
    .replay(Replay::Safe)
}

fn remove(shelf: Shelf, topics: Topics) -> Operation {
    Operation::typed(move |ById { id }, _| {
        let (shelf, topics) = (shelf.clone(), topics.clone());
        async move {
            match shelf.ask::<u32>(Order::Remove { id }).await? {
                0 => Err(OperationError::new(format!("there is no note {id}: list a topic"))),
                _ => {
                    topics.changed();
                    Ok(Removed { removed: true })
                }
            }
        }
    })
    .describe("Removes a note.")
}
