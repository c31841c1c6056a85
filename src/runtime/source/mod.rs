//! Where operations come from that change while the host runs.
//!
//! Owns the contract of a source. Doesn't own when it is asked: that is the
//! business of a [`Lease`](super::Lease).
//!
//! Spec: 000 and 003, "Changing capabilities and lifetime".

mod invalidation;

use std::{fmt, rc::Rc};

use futures::future::LocalBoxFuture;

pub use invalidation::Invalidation;

use crate::operation::Module;

/// Why a source has nothing, or couldn't take back what it gave; for the operator only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceError {
    message: String,
}

impl SourceError {
    /// An error with evidence for the operator.
    #[must_use]
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into() }
    }
}

impl fmt::Display for SourceError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for SourceError {}

/// What takes a snapshot back; it is awaited.
pub type Release = Box<dyn FnOnce() -> LocalBoxFuture<'static, Result<(), SourceError>>>;

/// What a source gives: modules, until they are released.
pub struct Snapshot {
    pub(super) modules: Vec<Module>,
    /// Absent when there is nothing to give back: then its graph may outlive its leases.
    pub(super) release: Option<Release>,
}

impl Snapshot {
    /// A snapshot of `modules` that `release` takes back.
    pub fn new(modules: Vec<Module>, release: Release) -> Self {
        Self { modules, release: Some(release) }
    }

    /// A snapshot that there is nothing to do for when it ends.
    #[must_use]
    pub fn unheld(modules: Vec<Module>) -> Self {
        Self { modules, release: None }
    }
}

/// A source of modules: a computer, a connection, whatever can change.
pub trait Source {
    /// The name by which a failure names it.
    fn name(&self) -> Rc<str>;

    /// Takes a snapshot. `invalidation` marks it stale, at once or later: then the
    /// next lease asks again, and an existing lease keeps what it has.
    fn acquire(
        &self,
        invalidation: Invalidation,
    ) -> LocalBoxFuture<'static, Result<Snapshot, SourceError>>;
}
