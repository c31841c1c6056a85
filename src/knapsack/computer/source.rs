//! A single computer as a source: without it there is no lease.

use std::rc::Rc;

use futures::{FutureExt, future::LocalBoxFuture};

use super::{Advertisement, Connection};
use crate::{
    knapsack::slots::{Missed, in_slots},
    limits::CONNECT_MS,
    operation::Module,
    port::Timer,
    runtime::{Invalidation, Snapshot, Source, SourceError},
};

/// One computer that the host can't do without. For those that may be missing there is
/// [`Computers`](crate::knapsack::computers::Computers).
#[derive(Clone)]
pub struct ComputerSource {
    connection: Connection,
    timer: Rc<dyn Timer>,
}

impl ComputerSource {
    /// The computer of `connection`.
    #[must_use]
    pub fn new(connection: Connection, timer: Rc<dyn Timer>) -> Self {
        Self { connection, timer }
    }
}

impl Source for ComputerSource {
    fn name(&self) -> Rc<str> {
        self.connection.name().into()
    }

    fn acquire(&self, _: Invalidation) -> LocalBoxFuture<'static, Result<Snapshot, SourceError>> {
        let (connection, timer) = (self.connection.clone(), Rc::clone(&self.timer));
        async move {
            let described = in_slots(timer, CONNECT_MS, vec![described(&connection)]).await;
            match described.into_iter().next() {
                Some(Ok(module)) => Ok(Snapshot::unheld(vec![module.map_err(SourceError::new)?])),
                Some(Err(Missed::TimedOut)) => {
                    Err(SourceError::new("its time to describe is over"))
                }
                Some(Err(Missed::Panicked)) | None => {
                    Err(SourceError::new("its provider panicked"))
                }
            }
        }
        .boxed_local()
    }
}

/// The module of what a computer advertises; else why there is none, for the operator.
pub(in crate::knapsack) fn described(
    connection: &Connection,
) -> LocalBoxFuture<'static, Result<Module, String>> {
    let connection = connection.clone();
    async move {
        let described = connection.computer().describe().await;
        let described = described.map_err(|error| error.evidence().to_owned())?;
        let module = Advertisement::parse(&described).and_then(|read| connection.module(read));
        module.map_err(|error| format!("its advertisement is unusable {error}"))
    }
    .boxed_local()
}
