//! What a caller may do: its own modules by its own grants, the host's by the owner's.

use std::{collections::BTreeSet, fmt, rc::Rc};

use futures::{FutureExt, future::LocalBoxFuture};
use serde_json::{Value, json};

use super::{Remote, module::told};
use crate::{
    operation::Context,
    runtime::access::{
        Answer, Confirm, ConfirmRequest, Grant, Grants, Moment, SessionGrants, Unreadable,
    },
};

/// What stands before every id that a caller gives a module, so that it is nobody else's.
pub const AUTHORITY: &str = "caller:";

/// The id under which the caller's module `id` is known to access.
pub(super) fn authority(id: &str) -> String {
    format!("{AUTHORITY}{id}")
}

/// The ids that a caller may say, and what they stand for. A module of its own comes
/// before one of the host's.
#[derive(Clone)]
pub(super) struct Known {
    own: Rc<BTreeSet<String>>,
    host: Rc<Grants>,
}

impl Known {
    /// `own` as the caller says them; `host` is what the owner grants to services.
    pub(super) fn new(own: BTreeSet<String>, host: Grants) -> Self {
        Self { own: Rc::new(own), host: Rc::new(host) }
    }

    /// The key of the module that the caller calls `id`, and the most it may have.
    fn place(&self, id: &str) -> (String, Grant) {
        match self.host.get(id) {
            Some(ceiling) if !self.own.contains(id) => (id.to_owned(), ceiling),
            _ => (authority(id), Grant::Write),
        }
    }

    /// The key of the module that the caller calls `id`.
    pub(super) fn key(&self, id: &str) -> String {
        self.place(id).0
    }

    /// The grants that the caller says, by key and never above what the owner grants.
    pub(super) fn keyed(&self, said: &Grants) -> Grants {
        let keyed = said.iter().map(|(id, grant)| {
            let (key, ceiling) = self.place(id);
            (key, grant.min(ceiling))
        });
        keyed.collect()
    }

    /// What every module has by the caller's word, and where it says nothing by default:
    /// what is required has nothing, what is its own everything, what is the host's as
    /// much as the owner grants. One of the host's whose id the caller gives to its own has
    /// nothing: the caller couldn't say anything of it. No other module has anything.
    pub(super) fn standing(&self, said: &Grants, required: &[String]) -> Grants {
        let own = self.own.iter().map(|id| {
            let unsaid = if required.contains(id) { Grant::None } else { Grant::Write };
            (authority(id), said.get(id).unwrap_or(unsaid))
        });
        let host = self.host.iter().map(|(id, ceiling)| {
            let shadowed = self.own.contains(id);
            let unsaid = if required.iter().any(|key| key == id) { Grant::None } else { ceiling };
            let grant = said.get(id).unwrap_or(unsaid).min(ceiling);
            (id.to_owned(), if shadowed { Grant::None } else { grant })
        });
        own.chain(host).collect()
    }
}

/// The grants of a caller's session: they are the same for as long as the request, or a
/// function of the caller's says them at each call.
pub(super) enum Session {
    Fixed(Grants),
    Read(Rc<dyn Remote>),
}

/// Reads a caller's session.
pub(super) struct CallerSession {
    pub(super) session: Session,
    pub(super) known: Known,
}

impl SessionGrants for CallerSession {
    fn read(&self, _: Moment) -> LocalBoxFuture<'static, Result<Rc<Grants>, Unreadable>> {
        let known = self.known.clone();
        let function = match &self.session {
            Session::Fixed(grants) => {
                let grants = Rc::new(known.keyed(grants));
                return async move { Ok(grants) }.boxed_local();
            }
            Session::Read(function) => function.call(Vec::new()),
        };
        async move {
            let unreadable = |error: &dyn fmt::Display| Unreadable::new(error.to_string());
            let said = function.await.map_err(|error| unreadable(&error))?;
            let grants = Grants::parse(&said).map_err(|error| unreadable(&error))?;
            Ok(Rc::new(known.keyed(&grants)))
        }
        .boxed_local()
    }
}

/// Asks a person through the caller's function.
pub(super) struct CallerConfirm(pub(super) Rc<dyn Remote>);

impl Confirm for CallerConfirm {
    fn ask(&self, request: ConfirmRequest, context: &Context) -> LocalBoxFuture<'static, Answer> {
        let question = json!({
            "module": request.module,
            "operation": request.operation,
            "access": request.access.as_str(),
        });
        let answer = self.0.call(vec![question, told(context)]);
        // One that fails has asked nobody.
        async move { answer.await.map_or(Answer::Unavailable, |said| heard(&said)) }.boxed_local()
    }
}

/// Nothing but `true` and `"accepted"` is agreement.
fn heard(said: &Value) -> Answer {
    match said {
        Value::Bool(true) => Answer::Accepted,
        Value::Bool(false) => Answer::Declined,
        Value::String(word) => match word.as_str() {
            "accepted" => Answer::Accepted,
            "declined" => Answer::Declined,
            "cancelled" => Answer::Cancelled,
            "timed-out" => Answer::TimedOut,
            _ => Answer::Unavailable,
        },
        _ => Answer::Unavailable,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Answer, Grant, Grants, Known, heard};

    fn grants(said: serde_json::Value) -> Grants {
        Grants::parse(&said).unwrap()
    }

    fn known() -> Known {
        let own = ["crm", "both"].map(str::to_owned).into_iter().collect();
        Known::new(own, grants(json!({"files": "read", "both": "read"})))
    }

    #[test]
    fn a_caller_says_nothing_about_another_s_authority() {
        let keyed = known().keyed(&grants(json!({
            "crm": "read", "both": "write", "files": "write", "caller:crm": "write", "other": "write",
        })));
        let expected = json!({
            "caller:crm": "read", "caller:both": "write", "files": "read",
            "caller:caller:crm": "write", "caller:other": "write",
        });
        assert_eq!(keyed, grants(expected));
    }

    #[test]
    fn what_is_required_or_shadowed_has_nothing_and_the_owner_s_grant_is_a_ceiling() {
        let required = ["crm".to_owned(), "files".to_owned()];
        let cases = [
            (json!({}), &[][..], ["write", "read", "write", "none"]),
            (json!({}), &required[..], ["none", "none", "write", "none"]),
            (
                json!({"crm": "read", "files": "write"}),
                &required[..],
                ["read", "read", "write", "none"],
            ),
            (json!({"both": "none", "files": "none"}), &[][..], ["write", "none", "none", "none"]),
        ];
        for (said, required, expected) in cases {
            let standing = known().standing(&grants(said.clone()), required);
            let found = ["caller:crm", "files", "caller:both", "both"].map(|key| standing.get(key));
            assert_eq!(found, expected.map(Grant::named), "{said}");
        }
    }

    #[test]
    fn only_a_plain_yes_is_agreement() {
        for yes in [json!(true), json!("accepted")] {
            assert_eq!(heard(&yes), Answer::Accepted);
        }
        assert_eq!(heard(&json!(false)), Answer::Declined);
        assert_eq!(heard(&json!("declined")), Answer::Declined);
        assert_eq!(heard(&json!("cancelled")), Answer::Cancelled);
        for other in [json!(1), json!("true"), json!("yes"), json!(null), json!({"ok": true})] {
            assert_eq!(heard(&other), Answer::Unavailable, "{other}");
        }
    }
}
