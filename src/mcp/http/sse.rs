//! Events as text, and the comments that keep a silent stream alive.

use std::{fmt, rc::Rc};

use futures::{
    FutureExt, StreamExt,
    channel::mpsc::UnboundedReceiver,
    future::{Either, select},
    stream::unfold,
};

use super::EventStream;
use crate::port::Timer;

/// An event's id: its stream, and its number there. Numbers begin at 1; 0 is before
/// the first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::mcp) struct EventId {
    /// The stream.
    pub(in crate::mcp) stream: String,
    /// The number.
    pub(in crate::mcp) number: u64,
}

/// The most bytes of a stream's name.
const NAME_BYTES: usize = 64;

impl EventId {
    /// The id that `text` is, if it is one that this server gives.
    #[must_use]
    pub(in crate::mcp) fn read(text: &str) -> Option<Self> {
        let (stream, number) = text.trim().rsplit_once('-')?;
        let named = !stream.is_empty()
            && stream.len() <= NAME_BYTES
            && stream.bytes().all(|byte| byte.is_ascii_alphanumeric());
        let digits = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        let number = number.parse().ok().filter(|_| named && digits)?;
        Some(Self { stream: stream.to_owned(), number })
    }
}

impl fmt::Display for EventId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}-{}", self.stream, self.number)
    }
}

/// One event of a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::mcp) enum Event {
    /// Says the id before the first message, and when to come back after a cut.
    Prime {
        /// The id.
        id: EventId,
        /// Milliseconds until the client comes back.
        retry_ms: u64,
    },
    /// A message.
    Message {
        /// Its id, where the stream can be resumed.
        id: Option<EventId>,
        /// One JSON-RPC message.
        text: Rc<str>,
    },
    /// Ends this connection to the stream; the stream goes on.
    Cut,
}

impl Event {
    /// The event as it is written; none for one that isn't.
    #[must_use]
    pub(in crate::mcp) fn text(&self) -> Option<String> {
        match self {
            Self::Prime { id, retry_ms } => {
                Some(format!("id: {id}\nretry: {retry_ms}\ndata: \n\n"))
            }
            // JSON text has no line ends of its own.
            Self::Message { id: Some(id), text } => {
                Some(format!("id: {id}\nevent: message\ndata: {text}\n\n"))
            }
            Self::Message { id: None, text } => Some(format!("event: message\ndata: {text}\n\n")),
            Self::Cut => None,
        }
    }
}

/// How a silent stream is kept alive.
#[derive(Clone)]
pub(in crate::mcp) struct Keeping {
    /// The timer.
    pub(in crate::mcp) timer: Rc<dyn Timer>,
    /// Milliseconds between comments. A client that is gone is noticed at the next.
    pub(in crate::mcp) every_ms: u64,
}

/// What a client that reads events is sent: one comment at once, so that no proxy
/// waits for the head; then the events, and a comment whenever none came for a while.
///
/// `held` is dropped with the stream, by its end or by the client's.
#[must_use]
pub(in crate::mcp) fn body<H: 'static>(
    events: UnboundedReceiver<Event>,
    keeping: Keeping,
    held: H,
) -> EventStream {
    let opened = futures::stream::once(async { ": open\n\n".to_owned() });
    let state = (events, keeping, held);
    let written = unfold(state, |(mut events, keeping, held)| async move {
        let silence = keeping.timer.sleep(keeping.every_ms);
        let text = match select(events.next(), silence).await {
            Either::Left((event, _)) => event?.text()?,
            Either::Right(_) => ": keepalive\n\n".to_owned(),
        };
        Some((text, (events, keeping, held)))
    });
    opened.chain(written).boxed_local()
}

/// A stream of one answer, for a client that takes no other.
#[must_use]
pub(in crate::mcp) fn single(text: String) -> EventStream {
    let event = Event::Message { id: None, text: text.into() };
    let text = event.text().unwrap_or_default();
    async move { text }.into_stream().boxed_local()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{any, prop_assert_eq, proptest};

    use super::{Event, EventId};

    #[test]
    fn events_are_written_with_their_ids() {
        let id = EventId { stream: "a7".to_owned(), number: 0 };
        let prime = Event::Prime { id: id.clone(), retry_ms: 1_000 };
        assert_eq!(prime.text().as_deref(), Some("id: a7-0\nretry: 1000\ndata: \n\n"));
        let message = Event::Message { id: Some(EventId { number: 1, ..id }), text: "{}".into() };
        assert_eq!(message.text().as_deref(), Some("id: a7-1\nevent: message\ndata: {}\n\n"));
        let bare = Event::Message { id: None, text: "{}".into() };
        assert_eq!(bare.text().as_deref(), Some("event: message\ndata: {}\n\n"));
        assert_eq!(Event::Cut.text(), None);
    }

    #[test]
    fn what_is_no_id_of_ours_is_none() {
        let wrong = [
            "",
            "-",
            "a",
            "a-",
            "-1",
            "a-x",
            "a--1",
            "a/b-1",
            "a-1-2",
            "a-+1",
            "a-18446744073709551616",
        ];
        for wrong in wrong {
            assert_eq!(EventId::read(wrong), None, "{wrong}");
        }
        assert_eq!(EventId::read(&format!("{}-1", "a".repeat(65))), None);
    }

    proptest! {
        #[test]
        fn an_id_is_read_as_it_was_written(stream in "[a-z0-9]{1,64}", number in any::<u64>()) {
            let id = EventId { stream, number };
            prop_assert_eq!(EventId::read(&id.to_string()), Some(id));
        }

        #[test]
        fn no_text_breaks_the_reading(text in ".*") {
            let _ = EventId::read(&text);
        }
    }
}
