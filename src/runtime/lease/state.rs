//! One lease: what it holds, what runs on it, and its end.

use std::{
    cell::{Cell, LazyCell, RefCell},
    rc::Rc,
};

use futures::FutureExt;

use super::HeldGraph;
use crate::{
    failure::Failure,
    forage,
    operation::{Cancellation, Catalog, Trace},
    runtime::{
        Outcome,
        access::{AccessPolicy, Standing},
        custody::{Entered, Latch, Tally},
        execution::Order,
        mycelium::Shared,
        progress::Teller,
    },
};

/// What a lease shows to discovery. It is looked through for the first question.
pub(crate) type Discovery = Rc<LazyCell<forage::Catalog, Box<dyn FnOnce() -> forage::Catalog>>>;

fn discovery(forage: forage::Catalog, standing: Standing) -> Discovery {
    let view = move || forage.filtered(|module| !standing.hides(module));
    Rc::new(LazyCell::new(Box::new(view)))
}

/// On whose behalf a lease was taken.
pub(crate) struct Asked {
    pub(crate) principal: Option<Rc<str>>,
    pub(crate) trace: Option<Trace>,
}

/// The state that a lease, its tools and its prepared calls share.
pub(crate) struct LeaseState {
    runtime: Rc<Shared>,
    catalog: Rc<Catalog>,
    access: Rc<AccessPolicy>,
    standing: Standing,
    discovery: Discovery,
    /// The whole, whatever of it is shown.
    graph: forage::Catalog,
    asked: Asked,
    held: RefCell<Option<HeldGraph>>,
    running: Tally,
    releasing: Cell<bool>,
    released: Rc<Latch>,
}

impl LeaseState {
    pub(crate) fn new(
        runtime: Rc<Shared>,
        held: HeldGraph,
        (access, standing): (Rc<AccessPolicy>, Standing),
        asked: Asked,
    ) -> Self {
        let handoff = &runtime.engine.ports.handoff;
        Self {
            catalog: Rc::clone(held.catalog()),
            graph: held.forage().clone(),
            discovery: discovery(held.forage().clone(), standing.clone()),
            access,
            standing,
            asked,
            held: RefCell::new(Some(held)),
            running: Tally::new(Rc::clone(handoff)),
            releasing: Cell::new(false),
            released: Rc::new(Latch::new(Rc::clone(handoff))),
            runtime,
        }
    }

    pub(crate) fn catalog(&self) -> &Rc<Catalog> {
        &self.catalog
    }

    pub(crate) fn standing(&self) -> &Standing {
        &self.standing
    }

    pub(crate) fn discovery(&self) -> &forage::Catalog {
        &self.discovery
    }

    pub(crate) fn access(&self) -> &Rc<AccessPolicy> {
        &self.access
    }

    pub(crate) fn runtime(&self) -> &Rc<Shared> {
        &self.runtime
    }

    /// Enters the lease and the runtime, unless either is closing.
    pub(crate) fn enter(&self) -> Result<(Entered, Entered), Failure> {
        if self.releasing.get() {
            return Err(Failure::LeaseReleased {});
        }
        let runtime = self.runtime.enter()?;
        Ok((self.running.enter(), runtime))
    }

    pub(crate) async fn execute(
        self: &Rc<Self>,
        code: &str,
        tool_call_id: Option<Rc<str>>,
        cancellation: Cancellation,
        teller: Teller,
    ) -> Outcome {
        let custody = match self.enter() {
            Ok(entered) => entered,
            Err(failure) => return self.runtime.engine.refuse(failure),
        };
        let order = Order {
            catalog: Rc::clone(&self.catalog),
            access: Rc::clone(&self.access),
            standing: self.standing.clone(),
            discovery: Rc::clone(&self.discovery),
            tool_call_id,
            principal: self.asked.principal.clone(),
            trace: self.asked.trace,
            graph: self.graph.clone(),
            cancellation,
            teller,
            // With the lease itself: one that is dropped keeps its sources until then.
            custody: (custody, Rc::clone(self)),
        };
        self.runtime.engine.execute(code, order).await
    }

    /// Refuses new work, waits for what runs, and gives the graph back; the second
    /// release waits for the end of the first.
    pub(crate) async fn release(self: &Rc<Self>) {
        if !self.releasing.replace(true) {
            let state = Rc::clone(self);
            // In the background: a release whose caller goes away still comes to its end.
            let work = async move {
                state.running.emptied().await;
                let held = state.held.take();
                if let Some(held) = held {
                    held.release().await;
                }
                state.released.open();
            };
            self.runtime.engine.ports.background.spawn(work.boxed_local());
        }
        self.released.opened().await;
    }
}
