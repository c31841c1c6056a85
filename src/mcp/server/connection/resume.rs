//! Streams that a GET opens: one lost halfway, or one that no request opened.

use std::rc::Rc;

use futures::{FutureExt, StreamExt, channel::mpsc::unbounded, stream};

use super::{super::call, Connection, Inner, STANDALONE};
use crate::{
    failure::Failure,
    limits::{RETRY_MS, STANDALONE_MS},
    mcp::{
        CallResult, Reply,
        http::{Event, EventId, EventStream, body},
        wire::{Id, coded},
    },
    port::StorageError,
};

impl Connection {
    pub(super) fn resume(&self, from: &EventId) -> Result<Reply, StorageError> {
        let inner = &self.inner;
        let Some(kept) = inner.streams.journal.read(&from.stream)? else {
            return Ok(Reply::refusal(400, "Last-Event-ID is none of this session's"));
        };
        let live = inner.running.stream(&from.stream);
        let mut messages = kept.messages;
        if live.is_none() && !kept.ended {
            messages.push(inner.lost(&from.stream, &kept.request, messages.last())?);
        }
        messages.retain(|(number, _)| *number > from.number);
        let Some(live) = live else {
            // 204 tells a client that there is nothing to come back for.
            let replay = (!messages.is_empty()).then(|| replay(&from.stream, messages));
            return Ok(replay.map_or_else(|| Reply::empty(204), Reply::events));
        };
        let events = live.attach();
        let rest = body(events, inner.keeping(), ());
        Ok(Reply::events(replay(&from.stream, messages).chain(rest).boxed_local()))
    }

    /// A stream for what no request asked for. This server says nothing on it; it keeps
    /// those content that want one, and ends now and again, so that a silent client
    /// doesn't keep its object.
    pub(super) fn standalone(&self) -> Reply {
        let inner = &self.inner;
        let taken = inner.standalone.borrow().as_ref().is_some_and(|sink| {
            // One whose client is gone is noticed by writing only.
            !sink.is_closed()
        });
        if taken {
            return Reply::refusal(409, "this session has a stream of its own already");
        }
        let (sink, events) = unbounded();
        if inner.revision().primes() {
            let id = EventId { stream: STANDALONE.to_owned(), number: 0 };
            // Its receiver is right here.
            let _ = sink.unbounded_send(Event::Prime { id, retry_ms: RETRY_MS });
        }
        inner.standalone.replace(Some(sink));
        let weak = Rc::downgrade(inner);
        let timer = Rc::clone(&inner.parts.ports.timer);
        let ends = async move {
            timer.sleep(STANDALONE_MS).await;
            if let Some(inner) = weak.upgrade() {
                inner.standalone.replace(None);
            }
        };
        let events = body(events, inner.keeping(), ());
        Reply::events(events.take_until(ends.boxed_local()).boxed_local())
    }
}

impl Inner {
    /// The answer of a stream whose execution was lost with its process.
    #[cold]
    #[inline(never)]
    fn lost(
        &self,
        stream: &str,
        request: &Id,
        last: Option<&(u64, String)>,
    ) -> Result<(u64, String), StorageError> {
        let number = last.map_or(0, |(number, _)| *number).saturating_add(1);
        let result = CallResult::failure(coded(&Failure::ExecutionLost {}));
        let text = call::answer(request, Ok(result), None);
        self.streams.journal.keep(stream, number, &text)?;
        self.streams.ended(stream, request, text.len(), self.now_ms())?;
        Ok((number, text))
    }
}

/// Messages that were said already.
fn replay(stream: &str, messages: Vec<(u64, String)>) -> EventStream {
    let stream = stream.to_owned();
    let texts = messages.into_iter().filter_map(move |(number, text)| {
        let id = EventId { stream: stream.clone(), number };
        Event::Message { id: Some(id), text: text.into() }.text()
    });
    stream::iter(texts).boxed_local()
}
