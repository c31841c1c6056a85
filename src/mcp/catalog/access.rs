//! What one call may do: its caller, its person, its grants, for as long as it runs.

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};

use futures::{FutureExt, future::LocalBoxFuture};
use serde_json::{Value, json};

use super::{Asked, Authority, McpCatalogProvider, Peer, Question};
use crate::{
    mcp::{Authenticate, Caller, Principal},
    operation::{Cancellation, Context, Trace},
    runtime::access::{
        AccessPolicy, Answer, Authentication, Confirm, ConfirmRequest, Grants, Moment,
        SessionGrants, Unnamed, Unreadable,
    },
};

/// Why writes are refused to a client of which nothing is known.
const UNKNOWN_CLIENT: &str = "this connection was resumed and what its client can do is not \
     known. Delete this connection and initialise again.";

/// The access of one call. It goes into whatever the call executes, direct tools
/// included, and admits nothing once the call has ended.
#[derive(Clone)]
pub struct McpAccess {
    authentication: Rc<dyn Authentication>,
    grants: Option<Rc<dyn SessionGrants>>,
    confirm: Option<Rc<dyn Confirm>>,
    writes_refused: bool,
    live: Rc<Cell<bool>>,
}

impl McpAccess {
    /// The host's policy under this access: its grants stay the ceiling where the
    /// catalog grants nothing itself.
    #[must_use]
    pub fn over(&self, policy: &AccessPolicy) -> AccessPolicy {
        let mut policy = policy.clone().authentication(Rc::clone(&self.authentication));
        if let Some(grants) = &self.grants {
            policy = policy.session_grants(Rc::clone(grants)).unnamed(Unnamed::Refused);
        }
        if let Some(confirm) = &self.confirm {
            policy = policy.confirm(Rc::clone(confirm));
        }
        if self.writes_refused {
            policy = policy.refuse_writes(UNKNOWN_CLIENT);
        }
        policy
    }

    /// Whether its call still runs.
    #[must_use]
    pub fn is_live(&self) -> bool {
        self.live.get()
    }
}

/// What a call is executed with.
#[derive(Clone)]
pub struct McpExecutionContext {
    /// What it may do.
    pub access: McpAccess,
    /// What the principal had when it began.
    pub authority: Rc<Authority>,
    /// Which trace its request is part of.
    pub trace: Option<Trace>,
    /// Ends it.
    pub cancellation: Cancellation,
    /// Its client.
    pub peer: Rc<dyn Peer>,
}

/// What an access is made of.
pub(in crate::mcp) struct Access {
    pub(in crate::mcp) provider: Rc<dyn McpCatalogProvider>,
    pub(in crate::mcp) authenticate: Rc<dyn Authenticate>,
    pub(in crate::mcp) caller: Caller,
    pub(in crate::mcp) authority: Rc<Authority>,
    /// Whether a person can be asked; nothing when nobody knows.
    pub(in crate::mcp) asks: Option<bool>,
    pub(in crate::mcp) peer: Rc<dyn Peer>,
}

/// An access, and what keeps it alive.
pub(in crate::mcp) fn access(of: Access) -> (McpAccess, Live) {
    let live = Rc::new(Cell::new(true));
    let principal = of.caller.principal.clone();
    let grants = of.authority.grants.is_some().then(|| {
        let current = Current {
            provider: of.provider,
            principal,
            authority: Rc::new(RefCell::new(of.authority)),
            live: Rc::clone(&live),
        };
        Rc::new(current) as Rc<dyn SessionGrants>
    });
    let form = FormConfirm { peer: of.peer, live: Rc::clone(&live), asked: Cell::new(0) };
    let access = McpAccess {
        authentication: Rc::new(StillAdmitted {
            authenticate: of.authenticate,
            caller: of.caller,
            live: Rc::clone(&live),
        }),
        grants,
        confirm: (of.asks == Some(true)).then(|| Rc::new(form) as Rc<dyn Confirm>),
        writes_refused: of.asks.is_none(),
        live: Rc::clone(&live),
    };
    (access, Live(live))
}

/// A call that runs; its access ends when this is dropped.
pub(in crate::mcp) struct Live(Rc<Cell<bool>>);

impl Drop for Live {
    fn drop(&mut self) {
        self.0.set(false);
    }
}

/// The caller's credential, asked about before each operation.
struct StillAdmitted {
    authenticate: Rc<dyn Authenticate>,
    caller: Caller,
    live: Rc<Cell<bool>>,
}

impl Authentication for StillAdmitted {
    fn is_admitted(&self, _: Moment) -> LocalBoxFuture<'static, bool> {
        if !self.live.get() {
            return async { false }.boxed_local();
        }
        self.authenticate.is_admitted(&self.caller)
    }
}

/// The grants of the last read: one when the call began, one after each approval; and where
/// they may change meanwhile, one for each call.
struct Current {
    provider: Rc<dyn McpCatalogProvider>,
    principal: Principal,
    authority: Rc<RefCell<Rc<Authority>>>,
    live: Rc<Cell<bool>>,
}

impl SessionGrants for Current {
    fn read(&self, moment: Moment) -> LocalBoxFuture<'static, Result<Rc<Grants>, Unreadable>> {
        if !self.live.get() {
            return async { Err(Unreadable::new("the call has ended")) }.boxed_local();
        }
        let authority = Rc::clone(&self.authority);
        let again = (moment == Moment::Approved)
            .then(|| self.provider.refresh(&self.principal, Moment::Approved));
        async move {
            if let Some(again) = again {
                let fresh = again.await?;
                authority.replace(fresh);
            }
            let (grants, live) = {
                let authority = authority.borrow();
                (authority.grants.clone(), authority.live.clone())
            };
            // After an approval all was read just now.
            match live.filter(|_| moment == Moment::Call) {
                Some(live) => live.read(moment).await,
                None => Ok(grants.unwrap_or_default()),
            }
        }
        .boxed_local()
    }
}

/// Asks a person by a form of one box to tick.
struct FormConfirm {
    peer: Rc<dyn Peer>,
    live: Rc<Cell<bool>>,
    asked: Cell<u64>,
}

/// The form that a person is shown. An empty one would hang some clients.
pub(super) fn form(request: &ConfirmRequest) -> Value {
    json!({
        "mode": "form",
        "message": request.to_string(),
        "requestedSchema": {
            "type": "object",
            "properties": { "approve": { "type": "boolean", "title": "Approve" } },
            "required": ["approve"],
        },
    })
}

/// What a person's answer comes to: nothing but a ticked box is agreement.
pub(super) fn heard(asked: &Asked) -> Answer {
    let Asked::Answered(result) = asked else { return Answer::Unavailable };
    let ticked = || result.pointer("/content/approve") == Some(&Value::Bool(true));
    match result.get("action").and_then(Value::as_str) {
        Some("accept") if ticked() => Answer::Accepted,
        Some("accept" | "decline") => Answer::Declined,
        Some("cancel") => Answer::Cancelled,
        _ => Answer::Unavailable,
    }
}

impl Confirm for FormConfirm {
    fn ask(&self, request: ConfirmRequest, context: &Context) -> LocalBoxFuture<'static, Answer> {
        if !self.live.get() {
            return async { Answer::Unavailable }.boxed_local();
        }
        let number = self.asked.replace(self.asked.get().saturating_add(1));
        // The execution's own random name is in it, so that nobody answers beforehand.
        let execution = context.execution_id().or(context.tool_call_id()).unwrap_or_default();
        let key = format!("approval-{execution}-{number}");
        let question = Question { key, method: "elicitation/create", params: form(&request) };
        self.peer.ask(question).map(|asked| heard(&asked)).boxed_local()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Answer, Asked, ConfirmRequest, form, heard};
    use crate::operation::Access;

    #[test]
    fn a_person_is_shown_module_operation_and_label_and_nothing_else() {
        let request = ConfirmRequest {
            module: "notes".to_owned(),
            operation: "remove".to_owned(),
            access: Access::Write,
        };
        let expected = concat!(
            r#"{"message":"Run remove of the module notes (write)?","mode":"form","#,
            r#""requestedSchema":{"properties":{"approve":{"title":"Approve","type":"boolean"}},"#,
            r#""required":["approve"],"type":"object"}}"#,
        );
        assert_eq!(form(&request).to_string(), expected);
    }

    #[test]
    fn only_a_ticked_box_is_agreement() {
        let answered = |value| heard(&Asked::Answered(value));
        assert_eq!(
            answered(json!({"action": "accept", "content": {"approve": true}})),
            Answer::Accepted
        );
        let declined = [
            json!({"action": "accept", "content": {"approve": false}}),
            json!({"action": "accept", "content": {"approve": "true"}}),
            json!({"action": "accept", "content": {"approve": 1}}),
            json!({"action": "accept", "content": {}}),
            json!({"action": "accept", "content": [true]}),
            json!({"action": "accept"}),
            json!({"action": "decline", "content": {"approve": true}}),
        ];
        for value in declined {
            assert_eq!(answered(value.clone()), Answer::Declined, "{value}");
        }
        assert_eq!(answered(json!({"action": "cancel"})), Answer::Cancelled);
        for value in [json!({}), json!(null), json!({"action": "ACCEPT"}), json!({"action": 1})] {
            assert_eq!(answered(value.clone()), Answer::Unavailable, "{value}");
        }
        assert_eq!(heard(&Asked::Failed(json!({}))), Answer::Unavailable);
        assert_eq!(heard(&Asked::Unreachable), Answer::Unavailable);
    }
}
