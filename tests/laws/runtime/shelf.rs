//! A source that a test scripts.

use std::{
    cell::{Cell, RefCell},
    collections::VecDeque,
    rc::Rc,
};

use futures::{FutureExt, channel::oneshot, future::LocalBoxFuture};
use mycelium::{
    Module, Operation,
    runtime::{Invalidation, Snapshot, Source, SourceError},
};
use serde_json::{Value, json};

/// What sources did, in order.
#[derive(Clone, Default)]
pub(crate) struct Trace(Rc<RefCell<Vec<String>>>);

impl Trace {
    pub(crate) fn note(&self, step: String) {
        self.0.borrow_mut().push(step);
    }

    /// The steps since it was asked last.
    pub(crate) fn take(&self) -> Vec<String> {
        self.0.take()
    }
}

/// How a step of a source goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Manner {
    #[default]
    Works,
    Fails,
    Panics,
    PanicsLater,
    /// It waits until the test lets it go on.
    Waits,
}

pub(crate) struct Shelf {
    name: &'static str,
    trace: Trace,
    pub(crate) acquiring: Cell<Manner>,
    pub(crate) releasing: Cell<Manner>,
    pub(crate) operations: Cell<usize>,
    /// The module's name, where it isn't the source's own.
    pub(crate) module: Cell<&'static str>,
    waiting: Rc<RefCell<VecDeque<oneshot::Sender<()>>>>,
    invalidations: RefCell<Vec<Invalidation>>,
    number: Cell<usize>,
}

impl Shelf {
    pub(crate) fn new(name: &'static str, trace: &Trace) -> Rc<Self> {
        Rc::new(Self {
            name,
            trace: trace.clone(),
            acquiring: Cell::default(),
            releasing: Cell::default(),
            operations: Cell::new(1),
            module: Cell::new(name),
            waiting: Rc::default(),
            invalidations: RefCell::default(),
            number: Cell::new(0),
        })
    }

    /// Lets the oldest step go on that waits.
    pub(crate) fn go_on(&self) {
        let waiting = self.waiting.borrow_mut().pop_front().unwrap();
        waiting.send(()).unwrap();
    }

    /// Marks the snapshot of this number stale.
    pub(crate) fn invalidate(&self, number: usize) {
        let invalidation = self.invalidations.borrow()[number].clone();
        invalidation.invalidate();
    }
}

async fn step(
    manner: Manner,
    waiting: Rc<RefCell<VecDeque<oneshot::Sender<()>>>>,
) -> Result<(), SourceError> {
    match manner {
        Manner::Works | Manner::Panics => Ok(()),
        Manner::Fails => Err(SourceError::new("canary of a source")),
        Manner::PanicsLater => panic!("later"),
        Manner::Waits => {
            let (go_on, waits) = oneshot::channel();
            waiting.borrow_mut().push_back(go_on);
            waits.await.map_err(|_| SourceError::new("forgotten"))
        }
    }
}

fn modules(name: &str, number: usize, operations: usize) -> Vec<Module> {
    let answer = move |_: Value, _| async move { Ok(json!(number)) };
    let made = (0..operations).fold(Module::new(format!("test-{name}"), name), |module, at| {
        module.operation(format!("o{at}"), Operation::new(json!({}), answer))
    });
    vec![made]
}

impl Source for Shelf {
    fn name(&self) -> Rc<str> {
        self.name.into()
    }

    fn acquire(
        &self,
        invalidation: Invalidation,
    ) -> LocalBoxFuture<'static, Result<Snapshot, SourceError>> {
        assert!(self.acquiring.get() != Manner::Panics, "at once");
        let number = self.number.replace(self.number.get() + 1);
        self.invalidations.borrow_mut().push(invalidation);
        let (name, trace) = (self.name, self.trace.clone());
        let (acquiring, releasing) = (self.acquiring.get(), self.releasing.get());
        let (waiting, modules) =
            (Rc::clone(&self.waiting), modules(self.module.get(), number, self.operations.get()));
        async move {
            step(acquiring, Rc::clone(&waiting)).await?;
            trace.note(format!("+{name}{number}"));
            let release = move || {
                assert!(releasing != Manner::Panics, "at once");
                async move {
                    let released = step(releasing, waiting).await;
                    trace.note(format!("-{name}{number}"));
                    released
                }
                .boxed_local()
            };
            Ok(Snapshot::new(modules, Box::new(release)))
        }
        .boxed_local()
    }
}
