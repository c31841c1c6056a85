//! Asking a person.

use std::fmt;

use futures::future::LocalBoxFuture;
use serde::{Serialize, Serializer};

use crate::operation::{Access, Context};

/// What a person is asked about: which operation, and whether it reads or writes.
/// Neither arguments nor credentials are in it, for they may be anybody's words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ConfirmRequest {
    /// The id of the module.
    pub module: String,
    /// The operation's path within it.
    pub operation: String,
    /// The operation's label.
    #[serde(serialize_with = "label")]
    pub access: Access,
}

fn label<S: Serializer>(access: &Access, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(access.as_str())
}

impl fmt::Display for ConfirmRequest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { module, operation, access } = self;
        write!(formatter, "Run {operation} of the module {module} ({access})?")
    }
}

/// What came of the question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// They agreed, or whoever decides for them did.
    Accepted,
    /// They said no.
    Declined,
    /// They closed the question without an answer.
    Cancelled,
    /// Nobody answered within a bound of the port's own.
    TimedOut,
    /// There was no way to ask.
    Unavailable,
}

/// How a host asks a person, and where a durable approval waits.
///
/// It is asked only for operations labelled so, and only after the grant. It may
/// answer at once, wait, or deny; it can't lift a grant.
pub trait Confirm {
    /// Puts the question. Dropping the future withdraws it: an answer that comes
    /// later counts for nothing.
    fn ask(&self, request: ConfirmRequest, context: &Context) -> LocalBoxFuture<'static, Answer>;
}
