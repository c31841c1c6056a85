//! The way in: who is it, what is it, which session is it for.

use std::rc::Rc;

use super::{
    super::{
        Admission, Answering, Authenticate, Caller, Denial, Head, Origins, Reply,
        http::{Era, admit, admit_method, admit_revision, classify, needs_body},
        wire::{self, Fault, MODERN, Message},
    },
    Modern,
};
use crate::runtime::Status;

/// What a client without a good credential is told of how to get one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Challenge {
    /// Where the resource's metadata is, when an authorization server is configured.
    pub resource_metadata: Option<String>,
    /// The scope to ask for.
    pub scope: Option<String>,
}

impl Challenge {
    /// The value of `WWW-Authenticate`.
    fn value(&self, error: Option<&str>) -> String {
        let said = [
            ("error", error),
            ("scope", self.scope.as_deref()),
            ("resource_metadata", self.resource_metadata.as_deref()),
        ];
        let said: Vec<String> = said
            .into_iter()
            .filter_map(|(name, value)| Some(format!("{name}=\"{}\"", value?)))
            .collect();
        if said.is_empty() { "Bearer".to_owned() } else { format!("Bearer {}", said.join(", ")) }
    }
}

/// What stands before everything else.
#[derive(Clone)]
pub struct Gate {
    /// The pages that are served.
    pub origins: Origins,
    /// What a refused client is told.
    pub challenge: Challenge,
    /// Who calls.
    pub authenticate: Rc<dyn Authenticate>,
}

impl Gate {
    /// Holds a request's head to the rules, in the protocol's order: origin, sender,
    /// method and representations.
    ///
    /// # Errors
    ///
    /// The answer to give instead, which may be no refusal: browsers ask beforehand.
    pub async fn admit(&self, head: &Head) -> Result<(Caller, Answering), Reply> {
        let caller = self.identify(head).await?;
        Ok((caller, admit(head)?))
    }

    /// Who sends a request, whatever it asks for.
    ///
    /// # Errors
    ///
    /// The answer to give instead.
    pub async fn identify(&self, head: &Head) -> Result<Caller, Reply> {
        if !self.origins.admits(head) {
            return Err(Reply::refusal(403, "pages of this origin aren't served"));
        }
        if head.method() == "OPTIONS" {
            return Err(Origins::preflight());
        }
        match self.authenticate.authenticate(head).await {
            Admission::Admitted(caller) => Ok(Caller { trace: head.trace(), ..caller }),
            Admission::Refused(denial) => Err(self.denied(head, denial)),
        }
    }

    /// Answers a request for the host's status, of anybody who is let in.
    pub async fn status(&self, head: &Head, status: impl FnOnce() -> Status) -> Reply {
        if let Err(reply) = self.identify(head).await {
            return reply;
        }
        match head.method() {
            "GET" => Reply::json(200, status().to_json()),
            _ => Reply::refusal(405, "a status is got: GET").with("allow", "GET"),
        }
    }

    /// What a browser must be told too.
    #[must_use]
    pub fn told(&self, head: &Head, reply: Reply) -> Reply {
        if self.origins.admits(head) { Origins::told(head, reply) } else { reply }
    }

    #[cold]
    #[inline(never)]
    fn denied(&self, head: &Head, denial: Denial) -> Reply {
        let (error, message) = match denial {
            Denial::Forbidden => {
                (Some("insufficient_scope"), "the credential is not enough for this host")
            }
            Denial::Unauthenticated if head.field("authorization").is_some() => {
                (Some("invalid_token"), "the credential is not good: get another")
            }
            Denial::Unauthenticated => {
                (None, "no credential is known: send a bearer token, or configure authentication")
            }
        };
        Reply::refusal(denial.status(), message)
            .with("www-authenticate", self.challenge.value(error))
    }
}

/// Where a request goes.
#[derive(Debug)]
pub enum Routed {
    /// To the session of this name.
    Session {
        /// Its name.
        id: String,
        /// Whether it was made for this request.
        fresh: bool,
    },
    /// Nowhere: it needs no session.
    Stateless(Box<Modern>),
    /// It is answered.
    Answered(Reply),
}

impl Routed {
    /// Where an admitted request goes. `name` makes a session's name.
    #[must_use]
    pub fn of(head: &Head, body: &str, name: impl FnOnce() -> String) -> Self {
        match head.method() {
            "POST" if needs_body(head) || !head.session().is_some_and(is_session_id) => {
                Self::read(head, body, name)
            }
            "POST" => Self::known(head),
            _ if head.session().is_some() => Self::known(head),
            _ => Self::Answered(without_session(head)),
        }
    }

    /// The session that the head names.
    fn known(head: &Head) -> Self {
        if let Err(refusal) = admit_revision(head) {
            return Self::Answered(refusal);
        }
        match head.session() {
            // What can't be a session's name wakes nobody.
            Some(id) if is_session_id(id) => Self::Session { id: id.to_owned(), fresh: false },
            _ => Self::Answered(Reply::no_session()),
        }
    }

    #[inline(never)]
    fn read(head: &Head, body: &str, name: impl FnOnce() -> String) -> Self {
        let message = match Message::read(body) {
            Ok(message) => message,
            Err(fault) => return Self::Answered(faulty(&fault)),
        };
        if classify(head, &message) == Era::Stateless {
            return match Modern::read(head, message) {
                Ok(Some(modern)) => Self::Stateless(Box::new(modern)),
                Ok(None) => Self::Answered(Reply::empty(202)),
                Err(refusal) => Self::Answered(refusal),
            };
        }
        let initialize =
            matches!(&message, Message::Request { method, .. } if method == "initialize");
        match head.session() {
            // The revision is what `initialize` is about; an id that can't be one is stale.
            Some(id) if initialize && !is_session_id(id) => {
                Self::Session { id: name(), fresh: true }
            }
            None if initialize => Self::Session { id: name(), fresh: true },
            None => Self::Answered(admit_revision(head).err().unwrap_or_else(missing)),
            Some(_) => Self::known(head),
        }
    }
}

fn missing() -> Reply {
    Reply::refusal(400, "MCP-Session-Id is missing: initialize first")
}

/// A GET or DELETE that names no session. There is nothing to get without one, and
/// clients that are told so by any other status come again and again.
fn without_session(head: &Head) -> Reply {
    let modern = head.revision().map(str::trim) == Some(MODERN);
    if head.method() == "GET" || modern {
        let method = admit_method(head).err();
        return method.unwrap_or_else(|| {
            Reply::refusal(405, "without a session there is only POST")
                .with("allow", "POST, OPTIONS")
        });
    }
    missing()
}

fn faulty(fault: &Fault) -> Reply {
    Reply::json(400, wire::failure(fault.id.as_ref(), fault.code, &fault.message))
}

/// Whether this can be the name of a session.
#[must_use]
pub fn is_session_id(id: &str) -> bool {
    id.len() == 32 && id.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}
