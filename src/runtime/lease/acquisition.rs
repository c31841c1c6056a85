//! What a lease is asked for with.

use std::{cell::RefCell, rc::Rc};

use futures::{FutureExt, future::join_all};

use super::Graphs;
use crate::{
    operation::Trace,
    runtime::{access::AccessPolicy, source::Source},
};

/// Graphs kept for sources that aren't the runtime's own, beside those that leases are on.
const KEPT: usize = 8;

/// What a lease is to hold, and what it is allowed. Nothing said is the runtime's own.
#[derive(Clone, Default)]
pub struct Acquisition {
    /// For whom, as an owner key.
    pub principal: Option<Rc<str>>,
    /// What may be done with it.
    pub access: Option<Rc<AccessPolicy>>,
    /// Where its further modules come from. The same sources again are the same
    /// graph, compiled once.
    pub sources: Option<Vec<Rc<dyn Source>>>,
    /// Which trace its executions are part of; each begins one where none is named.
    pub trace: Option<Trace>,
}

/// Graphs over sources that came with a lease, the most recent ones.
#[derive(Default)]
pub(in crate::runtime) struct GraphsBySources {
    kept: RefCell<Vec<Rc<Graphs>>>,
}

impl GraphsBySources {
    /// The graphs over these very sources.
    pub(in crate::runtime) fn over(
        &self,
        sources: Vec<Rc<dyn Source>>,
        own: &Graphs,
    ) -> Rc<Graphs> {
        let mut kept = self.kept.borrow_mut();
        let place = kept.iter().position(|graphs| graphs.is_over(&sources));
        let found = match place {
            Some(place) => kept.remove(place),
            None => Rc::new(own.over(sources)),
        };
        kept.push(Rc::clone(&found));
        let spare = kept.iter().position(|graphs| !Rc::ptr_eq(graphs, &found) && graphs.is_idle());
        let oldest = spare.filter(|_| kept.len() > KEPT).map(|place| kept.remove(place));
        drop(kept);
        if let Some(oldest) = oldest {
            let background = Rc::clone(oldest.background());
            background.spawn(async move { oldest.forget().await }.boxed_local());
        }
        found
    }

    pub(in crate::runtime) async fn close(&self) {
        let kept = self.kept.take();
        join_all(kept.iter().map(|graphs| graphs.close())).await;
    }
}
