//! Work that goes on when nobody waits for it any more.

use futures::future::LocalBoxFuture;

/// Runs futures to their end.
///
/// What must be settled or given back can't depend on its caller staying: a
/// caller's future may be dropped at any await.
pub trait Background {
    /// Starts `work`; it ends by itself, and the host stays for it where it can.
    fn spawn(&self, work: LocalBoxFuture<'static, ()>);
}
