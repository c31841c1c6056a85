//! A source of operations that change: one for each topic there is.

use std::{cell::RefCell, rc::Rc};

use futures::{FutureExt, future::LocalBoxFuture};
use mycelium::{
    Module, Operation,
    operation::{Access, NoInput},
    runtime::{Invalidation, Snapshot, Source, SourceError},
};

use crate::shelf::{Note, Order, Shelf};

/// The module `topics`, as the notebook has it. Clones are the same.
#[derive(Clone)]
pub(crate) struct Topics {
    shelf: Shelf,
    /// What marks the snapshots that were given, until they are stale.
    given: Rc<RefCell<Vec<Invalidation>>>,
}

impl Topics {
    pub(crate) fn new(shelf: Shelf) -> Self {
        Self { shelf, given: Rc::default() }
    }

    /// What was given may not be all there is any more: the next program's is read anew.
    pub(crate) fn changed(&self) {
        self.given.take().iter().for_each(Invalidation::invalidate);
    }

    fn module(&self, topics: Vec<String>) -> Module {
        topics.into_iter().fold(Module::new("topics", "topics"), |module, topic| {
            module.operation(topic.clone(), self.read(topic))
        })
    }

    fn read(&self, topic: String) -> Operation {
        let (shelf, text) = (self.shelf.clone(), format!("The notes on {topic}."));
        Operation::typed(move |_: NoInput, _| {
            let (shelf, topic) = (shelf.clone(), topic.clone());
            async move { shelf.ask::<Vec<Note>>(Order::List { topic }).await }
        })
        .describe(text)
        .access(Access::Read)
    }
}

impl Source for Topics {
    fn name(&self) -> Rc<str> {
        "topics".into()
    }

    fn acquire(
        &self,
        invalidation: Invalidation,
    ) -> LocalBoxFuture<'static, Result<Snapshot, SourceError>> {
        let topics = self.clone();
        async move {
            // Before it is read: what changes meanwhile marks it too.
            topics.given.borrow_mut().push(invalidation);
            let found: Vec<String> = topics
                .shelf
                .ask(Order::Topics)
                .await
                .map_err(|error| SourceError::new(error.to_string()))?;
            Ok(Snapshot::unheld(vec![topics.module(found)]))
        }
        .boxed_local()
    }
}
