//! What may change while an execution runs, and is therefore read at every call.

use std::{fmt, rc::Rc};

use futures::future::LocalBoxFuture;

use super::Grants;

/// When the authority is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// Before a call.
    Call,
    /// After a person agreed to it: what was read before the question counts no more.
    Approved,
}

/// The session's stored grants.
///
/// They are read at every call, so that a revoked grant applies to the next one;
/// an implementation must not answer from what it read for an earlier call.
pub trait SessionGrants {
    /// The grants as they are now.
    fn read(&self, moment: Moment) -> LocalBoxFuture<'static, Result<Rc<Grants>, Unreadable>>;
}

/// Whether the caller's credential is still good.
///
/// It is bound to one credential by whoever admitted the request; nothing here
/// knows whose it is.
pub trait Authentication {
    /// Whether it is admitted now.
    fn is_admitted(&self, moment: Moment) -> LocalBoxFuture<'static, bool>;
}

/// The session's grants couldn't be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    evidence: String,
}

impl Unreadable {
    /// With what the operator should see; a model never does.
    #[must_use]
    pub fn new(evidence: impl Into<String>) -> Self {
        Self { evidence: evidence.into() }
    }
}

impl fmt::Display for Unreadable {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "the session's grants could not be read: {}", self.evidence)
    }
}

impl std::error::Error for Unreadable {}
