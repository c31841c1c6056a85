//! A page's stream, as it is written.

use std::rc::Rc;

use futures::{
    StreamExt,
    channel::mpsc::UnboundedReceiver,
    future::{Either, select},
    stream::{LocalBoxStream, unfold},
};

use super::{host::BrowserHost, wire::Event};
use crate::{limits::BROWSER_KEEPALIVE_MS, port::Timer};

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

/// The events as they are written, and a comment whenever none came for a while: a page
/// that is gone is noticed at the next.
pub(super) fn body(
    unread: UnboundedReceiver<Event>,
    timer: Rc<dyn Timer>,
    open: Open,
) -> LocalBoxStream<'static, String> {
    unfold((unread, timer, open), |(mut unread, timer, open)| async move {
        let silence = timer.sleep(BROWSER_KEEPALIVE_MS);
        let text = match select(unread.next(), silence).await {
            Either::Left((event, _)) => event?.text(),
            Either::Right(_) => ": keepalive\n\n".to_owned(),
        };
        Some((text, (unread, timer, open)))
    })
    .boxed_local()
}
