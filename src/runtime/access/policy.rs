//! What a host decides about access, as data.

use std::{
    collections::{BTreeMap, BTreeSet},
    panic::AssertUnwindSafe,
    rc::Rc,
};

use futures::{FutureExt, future::LocalBoxFuture};

use super::{
    Authentication, Confirm, Grant, Grants, Moment, RefusalObserver, SessionGrants, Unnamed,
    Unreadable, standing_grant,
};
use crate::limits::APPROVAL_MS;

/// A host's decisions. Without any, every operation is allowed but those that a
/// person must confirm.
///
/// ```
/// use mycelium::runtime::access::{AccessPolicy, Grants};
/// use serde_json::json;
///
/// let grants = Grants::parse(&json!({"notes": "read"}))?;
/// let policy = AccessPolicy::new().grants(grants).require("mail");
/// # Ok::<(), mycelium::runtime::access::GrantError>(())
/// ```
#[derive(Clone)]
pub struct AccessPolicy {
    grants: Grants,
    required: BTreeSet<String>,
    owners: BTreeMap<String, String>,
    unnamed: Unnamed,
    session_grants: Option<Rc<dyn SessionGrants>>,
    pub(super) authentication: Option<Rc<dyn Authentication>>,
    pub(super) confirm: Option<Rc<dyn Confirm>>,
    pub(super) on_refused: Option<Rc<dyn RefusalObserver>>,
    pub(super) approval_ms: u64,
    pub(super) writes_refused: Option<&'static str>,
}

impl Default for AccessPolicy {
    fn default() -> Self {
        Self::new()
    }
}

impl AccessPolicy {
    /// No decisions yet.
    #[must_use]
    pub fn new() -> Self {
        Self {
            grants: Grants::default(),
            required: BTreeSet::new(),
            owners: BTreeMap::new(),
            unnamed: Unnamed::Full,
            session_grants: None,
            authentication: None,
            confirm: None,
            on_refused: None,
            approval_ms: APPROVAL_MS,
            writes_refused: None,
        }
    }

    /// What is granted, by module id or owner's key.
    #[must_use]
    pub fn grants(mut self, grants: Grants) -> Self {
        self.grants = grants;
        self
    }

    /// Makes this key fail closed: when nobody grants it anything, it has nothing.
    #[must_use]
    pub fn require(mut self, key: impl Into<String>) -> Self {
        self.required.insert(key.into());
        self
    }

    /// Looks this module up by `key` alone, a wider owner's; its own id counts no more.
    #[must_use]
    pub fn grant_as(mut self, module: impl Into<String>, key: impl Into<String>) -> Self {
        self.owners.insert(module.into(), key.into());
        self
    }

    /// Says what modules have that nobody names.
    #[must_use]
    pub fn unnamed(mut self, unnamed: Unnamed) -> Self {
        self.unnamed = unnamed;
        self
    }

    /// Where the session's grants are read at each call; they stand over the host's.
    #[must_use]
    pub fn session_grants(mut self, session_grants: Rc<dyn SessionGrants>) -> Self {
        self.session_grants = Some(session_grants);
        self
    }

    /// Whether the session's grants are read beside the host's.
    #[must_use]
    pub fn has_session_grants(&self) -> bool {
        self.session_grants.is_some()
    }

    /// What says, before each call, whether the credential is still good.
    #[must_use]
    pub fn authentication(mut self, authentication: Rc<dyn Authentication>) -> Self {
        self.authentication = Some(authentication);
        self
    }

    /// How a person is asked; without it what needs confirmation is refused.
    #[must_use]
    pub fn confirm(mut self, confirm: Rc<dyn Confirm>) -> Self {
        self.confirm = Some(confirm);
        self
    }

    /// Who sees each refusal.
    #[must_use]
    pub fn on_refused(mut self, observer: Rc<dyn RefusalObserver>) -> Self {
        self.on_refused = Some(observer);
        self
    }

    /// How long one execution waits for people, in milliseconds and all its questions
    /// together; [`APPROVAL_MS`] unless said.
    #[must_use]
    pub fn approval_ms(mut self, approval_ms: u64) -> Self {
        self.approval_ms = approval_ms;
        self
    }

    /// Refuses every write, and says why: whoever calls can't be asked about any.
    #[must_use]
    pub fn refuse_writes(mut self, why: &'static str) -> Self {
        self.writes_refused = Some(why);
        self
    }

    /// Reads what stands at this moment. A panic in the port is a failed read.
    ///
    /// # Errors
    ///
    /// [`Unreadable`] when the session's grants can't be read: then nothing is known
    /// to be granted.
    pub async fn standing(self: &Rc<Self>, moment: Moment) -> Result<Standing, Unreadable> {
        let session = match &self.session_grants {
            None => None,
            Some(port) => {
                let read = unwound(|| port.read(moment)).await;
                Some(read.unwrap_or_else(|| Err(Unreadable::new("the port panicked")))?)
            }
        };
        Ok(Standing { policy: Rc::clone(self), session })
    }
}

impl AccessPolicy {
    /// What a lease shows. It decides nothing: each call reads again, and one whose
    /// session's grants can't be read is refused.
    pub(in crate::runtime) async fn shown(self: &Rc<Self>) -> Standing {
        let hidden = Standing { policy: Rc::clone(self), session: None };
        self.standing(Moment::Call).await.unwrap_or(hidden)
    }
}

/// Runs a port's future, begun inside; none when the port panicked.
pub(super) async fn unwound<T>(begin: impl FnOnce() -> LocalBoxFuture<'static, T>) -> Option<T> {
    AssertUnwindSafe(async { begin().await }).catch_unwind().await.ok()
}

/// The grants at one moment.
///
/// A lease takes it to hide what isn't granted; a call takes a new one and obeys it.
#[derive(Clone)]
pub struct Standing {
    policy: Rc<AccessPolicy>,
    session: Option<Rc<Grants>>,
}

impl Standing {
    /// What the module of this id has.
    #[must_use]
    pub fn grant(&self, module: &str) -> Grant {
        let policy = &self.policy;
        let key = policy.owners.get(module).map_or(module, String::as_str);
        standing_grant(
            self.session.as_ref().and_then(|grants| grants.get(key)),
            policy.grants.get(key),
            policy.required.contains(key),
            policy.unnamed,
        )
    }

    /// Whether the module shows nowhere, since nothing of it may be used.
    #[must_use]
    pub fn hides(&self, module: &str) -> bool {
        self.grant(module) == Grant::None
    }
}
