//! The host's ways in, one after the other.

use std::rc::Rc;

use futures::{FutureExt, future::LocalBoxFuture};

use super::{ApiKeys, Jwt, is_loopback};
use crate::{
    mcp::{Actor, Admission, Authenticate, Caller, Credential, Denial, Head, Principal},
    port::Clock,
};

/// The credential of the developer at this machine.
const DEV: &str = "dev";

/// What a host takes as a credential. With nothing configured it takes none.
#[derive(Clone)]
pub struct Authenticator {
    /// Whether the developer at this machine is let in. The flag alone isn't enough, so
    /// that a deployment with a forgotten flag still refuses; nor is the host's name,
    /// which whoever reaches the Worker chooses. So the flag belongs to a machine that
    /// nobody else can reach, and nowhere else.
    pub dev: bool,
    /// Keys that the host has given out.
    pub keys: Rc<ApiKeys>,
    /// Tokens of an issuer.
    pub jwt: Option<Jwt>,
    /// The time.
    pub clock: Rc<dyn Clock>,
}

impl Authenticator {
    /// Whether anybody can be let in at all.
    #[must_use]
    pub fn is_configured(&self) -> bool {
        self.dev || !self.keys.is_empty() || self.jwt.is_some()
    }

    /// The developer, on a request that nobody handed on. One who sends a credential
    /// wants to be judged by it.
    fn developer(&self, head: &Head) -> Option<Caller> {
        let here = self.dev && is_loopback(head.hostname()) && !head.is_forwarded();
        let unnamed = head.field("authorization").is_none();
        (here && unnamed).then(|| Caller {
            principal: Principal::new(Actor::Member(DEV.to_owned())),
            credential: Credential { id: DEV.to_owned(), expires_ms: None },
            trace: None,
        })
    }

    fn admits(&self, caller: &Caller) -> bool {
        let Credential { id, expires_ms } = &caller.credential;
        if expires_ms.is_some_and(|end_ms| end_ms <= self.clock.now_ms()) {
            return false;
        }
        match id.as_str() {
            DEV => self.dev,
            token if token.starts_with("jwt:") => self.jwt.is_some(),
            key => {
                key.strip_prefix("key:").is_some_and(|name| self.keys.has(name, &caller.principal))
            }
        }
    }
}

impl Authenticate for Authenticator {
    fn authenticate(&self, head: &Head) -> LocalBoxFuture<'static, Admission> {
        if let Some(caller) = self.developer(head) {
            return async { Admission::Admitted(caller) }.boxed_local();
        }
        let Some(secret) = head.bearer().map(str::to_owned) else {
            return async { Admission::Refused(Denial::Unauthenticated) }.boxed_local();
        };
        if let Some(mut caller) = self.keys.find(&secret) {
            caller.credential.id.insert_str(0, "key:");
            return async { Admission::Admitted(caller) }.boxed_local();
        }
        let (jwt, now_ms) = (self.jwt.clone(), self.clock.now_ms());
        async move {
            let caller = match jwt {
                Some(jwt) => jwt.find(&secret, now_ms).await,
                None => None,
            };
            caller.map_or(Admission::Refused(Denial::Unauthenticated), Admission::Admitted)
        }
        .boxed_local()
    }

    fn is_admitted(&self, caller: &Caller) -> LocalBoxFuture<'static, bool> {
        let admits = self.admits(caller);
        async move { admits }.boxed_local()
    }
}
