//! Who is let in: whoever says the passphrase is the member they name.

use futures::{FutureExt, future::LocalBoxFuture};
use mycelium::mcp::{Actor, Admission, Authenticate, Caller, Credential, Denial, Head, Principal};
use worker::Env;

/// The secret in the Worker's bindings.
const SECRET: &str = "NOTES_PASSPHRASE";

/// What the credential's id begins with.
const KIND: &str = "passphrase:";

/// `Authorization: Bearer NAME.PASSPHRASE`
pub(crate) struct Passphrase {
    env: Env,
}

impl Passphrase {
    pub(crate) fn new(env: Env) -> Self {
        Self { env }
    }

    fn secret(&self) -> Option<String> {
        let secret = self.env.secret(SECRET).ok()?.to_string();
        (!secret.is_empty()).then_some(secret)
    }

    fn member(&self, head: &Head) -> Option<Caller> {
        let token = head.field("authorization")?.strip_prefix("Bearer ")?;
        let (name, said) = token.split_once('.')?;
        if !same(said, &self.secret()?) {
            return None;
        }
        Some(Caller {
            principal: Principal::new(Actor::of("member", name)?),
            credential: Credential { id: format!("{KIND}{name}"), expires_ms: None },
            trace: None,
        })
    }
}

impl Authenticate for Passphrase {
    fn authenticate(&self, head: &Head) -> LocalBoxFuture<'static, Admission> {
        let admission = match self.member(head) {
            Some(caller) => Admission::Admitted(caller),
            None => Admission::Refused(Denial::Unauthenticated),
        };
        async move { admission }.boxed_local()
    }

    fn is_admitted(&self, caller: &Caller) -> LocalBoxFuture<'static, bool> {
        let admitted = caller.credential.id.starts_with(KIND) && self.secret().is_some();
        async move { admitted }.boxed_local()
    }
}

/// Compares in a time that says nothing of where the texts differ.
fn same(said: &str, secret: &str) -> bool {
    let differences = said.bytes().zip(secret.bytes()).fold(0, |all, (a, b)| all | (a ^ b));
    said.len() == secret.len() && differences == 0
}
