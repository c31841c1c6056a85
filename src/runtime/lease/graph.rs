//! One graph: a catalog, and what it was made of.

use std::{cell::RefCell, panic::AssertUnwindSafe, rc::Rc};

use futures::FutureExt;

use super::super::source::{Invalidation, Release, Snapshot, Source, SourceError};
use crate::{
    failure::Failure,
    forage,
    operation::{Catalog, Module},
    port::Console,
};

/// A catalog with the snapshots it stands on.
pub(super) struct Graph {
    catalog: Rc<Catalog>,
    forage: forage::Catalog,
    invalidation: Invalidation,
    held: RefCell<Vec<Held>>,
}

/// One snapshot to give back.
struct Held {
    source: Rc<str>,
    release: Release,
}

impl Graph {
    /// Asks every source, in order, and builds the catalog of all there is.
    ///
    /// When one has nothing, or the whole doesn't fit together, what was acquired
    /// is given back in reverse order before the failure is.
    pub(super) async fn build(
        modules: &[Module],
        sources: &[Rc<dyn Source>],
        bound: usize,
        console: &dyn Console,
    ) -> Result<Self, Failure> {
        let invalidation = Invalidation::default();
        let mut held = Vec::new();
        let mut all = modules.to_vec();
        for source in sources {
            match acquire(&**source, invalidation.clone(), bound, console).await {
                Ok(snapshot) => {
                    all.extend(snapshot.modules);
                    let source = source.name();
                    held.extend(snapshot.release.map(|release| Held { source, release }));
                }
                Err(error) => {
                    unwind(held, console).await;
                    return Err(unavailable(&source.name(), &error, console));
                }
            }
        }
        match fit_together(all) {
            Ok((catalog, forage)) => Ok(Self {
                catalog: Rc::new(catalog),
                forage,
                invalidation,
                held: RefCell::new(held),
            }),
            Err(error) => {
                unwind(held, console).await;
                Err(unavailable("the modules together", &error, console))
            }
        }
    }

    pub(super) fn catalog(&self) -> &Rc<Catalog> {
        &self.catalog
    }

    /// The same operations as discovery sees them, made once for all leases.
    pub(super) fn forage(&self) -> &forage::Catalog {
        &self.forage
    }

    pub(super) fn is_stale(&self) -> bool {
        self.invalidation.is_stale()
    }

    /// Whether there is anything to give back.
    pub(super) fn holds_nothing(&self) -> bool {
        self.held.borrow().is_empty()
    }

    /// Gives every snapshot back, last acquired first; a second time there is none.
    pub(super) async fn release(&self, console: &dyn Console) {
        let held = self.held.take();
        unwind(held, console).await;
    }
}

/// The catalog of all modules, and what discovery makes of it.
fn fit_together(modules: Vec<Module>) -> Result<(Catalog, forage::Catalog), SourceError> {
    let catalog = Catalog::new(modules).map_err(|error| SourceError::new(error.to_string()))?;
    let forage = forage::Catalog::over(&catalog);
    forage.check_size().map_err(|error| SourceError::new(error.to_string()))?;
    Ok((catalog, forage))
}

async fn acquire(
    source: &dyn Source,
    invalidation: Invalidation,
    bound: usize,
    console: &dyn Console,
) -> Result<Snapshot, SourceError> {
    let asked = async { source.acquire(invalidation).await };
    let snapshot = AssertUnwindSafe(asked)
        .catch_unwind()
        .await
        .unwrap_or_else(|_panic| Err(SourceError::new("it panicked")))?;
    let operations: usize = snapshot.modules.iter().map(Module::operation_count).sum();
    if operations <= bound {
        return Ok(snapshot);
    }
    let source = source.name();
    let held = snapshot.release.map(|release| Held { source, release });
    unwind(held.into_iter().collect(), console).await;
    Err(SourceError::new(format!("it gave {operations} operations, the bound is {bound}")))
}

/// One that fails doesn't keep the rest from being given back.
async fn unwind(held: Vec<Held>, console: &dyn Console) {
    for Held { source, release } in held.into_iter().rev() {
        let released = async { release().await };
        let error = match AssertUnwindSafe(released).catch_unwind().await {
            Ok(Ok(())) => continue,
            Ok(Err(error)) => error.to_string(),
            Err(_panic) => "it panicked".to_owned(),
        };
        console.warn(&format!("the source {source} failed to release: {error}"));
    }
}

fn unavailable(source: &str, error: &SourceError, console: &dyn Console) -> Failure {
    console.warn(&format!("the source {source} is unavailable: {error}"));
    Failure::SourceUnavailable { source: source.to_owned() }
}
