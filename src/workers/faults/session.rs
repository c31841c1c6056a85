//! A session whose grants its own programs change.

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};

use futures::{FutureExt, future::LocalBoxFuture};
use serde_json::{Value, json};

use crate::{
    operation::{Access, Module, Operation, OperationError},
    runtime::access::{Grants, Moment, SessionGrants, Unreadable},
};

/// One object's stored grants, and how often `vault` was written.
#[derive(Clone, Default)]
pub(super) struct Session {
    grants: Rc<RefCell<Rc<Grants>>>,
    writes: Rc<Cell<u64>>,
}

impl SessionGrants for Session {
    fn read(&self, _: Moment) -> LocalBoxFuture<'static, Result<Rc<Grants>, Unreadable>> {
        let grants = Rc::clone(&self.grants.borrow());
        async move { Ok(grants) }.boxed_local()
    }
}

impl Session {
    /// The modules `vault`, which the session's grants bound, and `session`, which
    /// changes those.
    pub(super) fn modules(&self) -> [Module; 2] {
        let (writer, counted) = (self.clone(), self.clone());
        let write = move |_: Value, _| {
            let count = writer.writes.get().saturating_add(1);
            writer.writes.set(count);
            async move { Ok(json!({"writes": count})) }
        };
        let read = move |_: Value, _| {
            let count = counted.writes.get();
            async move { Ok(json!({"writes": count})) }
        };
        let vault = Module::new("test-vault", "vault")
            .operation("write", Operation::new(json!({}), write))
            .operation("read", Operation::new(json!({}), read).access(Access::Read));
        let session = Module::new("test-session", "session")
            .operation("grant", self.grant())
            .operation("writes", self.count());
        [vault, session]
    }

    /// Stores the grants that the input says.
    fn grant(&self) -> Operation {
        let session = self.clone();
        Operation::new(json!({}), move |input, _| {
            let grants = Grants::parse(&input);
            let session = session.clone();
            async move {
                let grants = grants.map_err(|error| OperationError::new(error.to_string()))?;
                session.grants.replace(Rc::new(grants));
                Ok(Value::Null)
            }
        })
    }

    fn count(&self) -> Operation {
        let session = self.clone();
        Operation::new(json!({}), move |_, _| {
            let writes = session.writes.get();
            async move { Ok(json!(writes)) }
        })
        .access(Access::Read)
    }
}
