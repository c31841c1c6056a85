//! A page's stream, as it is written.

use std::rc::Rc;

use futures::{
    StreamExt,
    channel::mpsc::UnboundedReceiver,
    future::{Either, FutureExt, select},
    stream::{LocalBoxStream, unfold},
};

use super::{host::BrowserHost, wire::Event};
use crate::{
    limits::{BROWSER_KEEPALIVE_MS, STANDALONE_MS},
    port::Timer,
};

/// An open stream. Dropping it is the page's disconnect.
pub(super) struct Open {
    pub(super) host: Rc<BrowserHost>,
    pub(super) client: String,
    pub(super) stream: u64,
}

impl Drop for Open {
    fn drop(&mut self) {
        self.host.cut(&self.client, self.stream);
    }
}

/// The events as they are written, until a page has to show its credential again, and a comment whenever none came for a while: a page
/// that is gone is noticed at the next.
pub(super) fn body(
    unread: UnboundedReceiver<Event>,
    timer: Rc<dyn Timer>,
    open: Open,
) -> LocalBoxStream<'static, String> {
    let end = timer.sleep(STANDALONE_MS).shared();
    unfold((unread, timer, open, end), |(mut unread, timer, open, end)| async move {
        if end.peek().is_some() {
            return None;
        }
        let silence = timer.sleep(BROWSER_KEEPALIVE_MS);
        let text = match select(select(unread.next(), silence), end.clone()).await {
            Either::Left((Either::Left((event, _)), _)) => event?.text(),
            Either::Left((Either::Right(_), _)) => ": keepalive\n\n".to_owned(),
            Either::Right(_) => return None,
        };
        Some((text, (unread, timer, open, end)))
    })
    .boxed_local()
}
