//! Credentials that are taken back while a program runs.

use std::{cell::Cell, rc::Rc};

use futures::{FutureExt, future::LocalBoxFuture};
use serde_json::{Value, json};

use crate::{
    mcp::{Admission, Authenticate, Caller, Denial, Head},
    operation::{Access, Module, Operation},
};

thread_local! {
    static REVOKED: Cell<bool> = const { Cell::new(false) };
    static ASKED: Cell<(u64, u64)> = const { Cell::new((0, 0)) };
}

struct Revocable(Rc<dyn Authenticate>);

/// The same, but that it admits nobody while the credential is revoked; and counts.
pub(crate) fn revocable(authenticate: Rc<dyn Authenticate>) -> Rc<dyn Authenticate> {
    Rc::new(Revocable(authenticate))
}

impl Authenticate for Revocable {
    fn authenticate(&self, head: &Head) -> LocalBoxFuture<'static, Admission> {
        let (requests, operations) = ASKED.get();
        ASKED.set((requests.saturating_add(1), operations));
        let asked = self.0.authenticate(head);
        async move {
            let admission = asked.await;
            // Whoever revoked it may still come to restore it.
            if REVOKED.get() { Admission::Refused(Denial::Forbidden) } else { admission }
        }
        .boxed_local()
    }

    fn is_admitted(&self, caller: &Caller) -> LocalBoxFuture<'static, bool> {
        let (requests, operations) = ASKED.get();
        ASKED.set((requests, operations.saturating_add(1)));
        if REVOKED.get() {
            return async { false }.boxed_local();
        }
        self.0.is_admitted(caller)
    }
}

/// The module `credential`: revokes the one that there is, and says how often it was
/// looked at.
pub(super) fn module() -> Module {
    let revoke = |_: Value, _| async {
        REVOKED.set(true);
        Ok(Value::Null)
    };
    let counts = |_: Value, _| async {
        let (requests, operations) = ASKED.get();
        Ok(json!({ "requests": requests, "operations": operations }))
    };
    Module::new("test-credential", "credential")
        .operation("revoke", Operation::new(json!({}), revoke))
        .operation("counts", Operation::new(json!({}), counts).access(Access::Read))
}
