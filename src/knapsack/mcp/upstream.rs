//! Who owns what a server is spoken to with.

use std::rc::Rc;

use futures::future::LocalBoxFuture;

use super::{Listing, Stale, Standing, UpstreamError};

/// The one owner of a server's session, token and list of tools.
///
/// Many runtimes call one server: each asks the owner how, and sends its requests itself. The
/// owner opens one session, spends a refresh token once, and lists tools for all of them.
pub trait Upstream {
    /// The tools as they were last listed, if that is known here; asks nobody.
    fn kept(&self) -> Option<Rc<Listing>>;

    /// The tools. With `anew` they are listed now; else those do that the owner keeps.
    fn list(&self, anew: bool) -> LocalBoxFuture<'static, Result<Rc<Listing>, UpstreamError>>;

    /// How the server is spoken to now. `stale` is what a request found out that was sent with
    /// the last such answer.
    fn standing(
        &self,
        stale: Option<Stale>,
    ) -> LocalBoxFuture<'static, Result<Standing, UpstreamError>>;
}
