//! What runs on a connection, by the request that asked for it.

use std::{cell::RefCell, collections::BTreeMap, rc::Rc};

use super::super::stream::Stream;
use crate::{
    failure::{Failure, Party},
    mcp::wire::Id,
    operation::Cancellation,
    port::Ports,
};

/// The table of what runs.
#[derive(Clone, Default)]
pub(super) struct Running {
    calls: Rc<RefCell<BTreeMap<Id, Call>>>,
}

#[derive(Clone)]
struct Call {
    cancellation: Cancellation,
    stream: Option<Rc<Stream>>,
}

/// One call's place in the table; leaving is its drop.
pub(super) struct Place {
    running: Running,
    id: Id,
    cancellation: Cancellation,
}

impl Running {
    /// How many run.
    pub(super) fn count(&self) -> usize {
        self.calls.borrow().len()
    }

    /// Enters a call, unless one of this id runs.
    pub(super) fn enter(&self, id: &Id, ports: &Ports) -> Option<Place> {
        let mut calls = self.calls.borrow_mut();
        if calls.contains_key(id) {
            return None;
        }
        let cancellation = Cancellation::new(Rc::clone(&ports.handoff));
        calls.insert(id.clone(), Call { cancellation: cancellation.clone(), stream: None });
        Some(Place { running: self.clone(), id: id.clone(), cancellation })
    }

    /// The stream of this name, while its call runs.
    pub(super) fn stream(&self, name: &str) -> Option<Rc<Stream>> {
        let calls = self.calls.borrow();
        let streams = calls.values().filter_map(|call| call.stream.as_ref());
        streams.clone().find(|stream| stream.name() == name).map(Rc::clone)
    }

    /// Cancels the call as its caller. What is cancelled isn't answered.
    pub(super) fn cancel(&self, id: &Id) {
        let call = self.calls.borrow().get(id).cloned();
        if let Some(call) = call {
            call.end(Failure::Cancelled { by: Party::Caller });
        }
    }

    /// Cancels every call.
    pub(super) fn end(&self, cause: &Failure) {
        let calls: Vec<Call> = self.calls.borrow().values().cloned().collect();
        for call in calls {
            call.end(cause.clone());
        }
    }

    /// Ends the connections to every stream.
    pub(super) fn cut(&self) {
        let calls: Vec<Call> = self.calls.borrow().values().cloned().collect();
        for stream in calls.iter().filter_map(|call| call.stream.as_ref()) {
            stream.detach();
        }
    }
}

impl Call {
    fn end(self, cause: Failure) {
        if let Some(stream) = self.stream {
            stream.end();
        }
        self.cancellation.cancel(cause);
    }
}

impl Place {
    /// What cancels it.
    pub(super) fn cancellation(&self) -> &Cancellation {
        &self.cancellation
    }

    /// Says what it is answered on.
    pub(super) fn streamed_on(&self, stream: Option<Rc<Stream>>) {
        if let Some(call) = self.running.calls.borrow_mut().get_mut(&self.id) {
            call.stream = stream;
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let call = self.running.calls.borrow_mut().remove(&self.id);
        drop(call);
    }
}
