//! The messages of a session's streams, stored before they are written.
//!
//! A stream is one row, and one row or several for each of its messages. What a
//! client can have seen is therefore always here, whatever happened to the process.

use std::{cell::RefCell, collections::BTreeMap, rc::Rc};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::super::wire::Id;
use crate::{
    limits::{ROW_BYTES, STREAM_BYTES_KEPT, STREAM_KEPT_MS, STREAMS_KEPT},
    port::{Storage, StorageError},
};

/// A stream's row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Stream {
    request: Value,
    /// When it was answered, in milliseconds since 1970; not yet when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ended_ms: Option<u64>,
    /// Bytes of its messages, once it was answered.
    #[serde(default)]
    bytes: usize,
}

/// What is kept of a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::mcp) struct Kept {
    /// The request that opened it.
    pub(in crate::mcp) request: Id,
    /// Whether its answer is among the messages, or it will never have one.
    pub(in crate::mcp) ended: bool,
    /// Its messages by number.
    pub(in crate::mcp) messages: Vec<(u64, String)>,
}

/// The journal in one object's storage.
#[derive(Clone)]
pub(in crate::mcp) struct Journal {
    storage: Rc<dyn Storage>,
    /// As the rows say it; nobody else writes them, so they are read once.
    answered: Rc<RefCell<Option<Answered>>>,
}

/// The bytes of the streams that were answered, by when, and by their names.
type Answered = BTreeMap<(u64, String), usize>;

impl Journal {
    pub(in crate::mcp) fn new(storage: Rc<dyn Storage>) -> Self {
        Self { storage, answered: Rc::default() }
    }

    /// Begins a stream that answers `request`.
    pub(in crate::mcp) fn open(&self, stream: &str, request: &Id) -> Result<(), StorageError> {
        self.write(stream, &Stream { request: request.to_value(), ended_ms: None, bytes: 0 })
    }

    /// Keeps a message, in rows that the platform takes.
    pub(in crate::mcp) fn keep(
        &self,
        stream: &str,
        number: u64,
        text: &str,
    ) -> Result<(), StorageError> {
        let parts = parts(text);
        let count = parts.len();
        for (part, text) in parts.into_iter().enumerate() {
            self.storage.put(&message_key(stream, number, part, count), text)?;
        }
        Ok(())
    }

    /// Ends a stream: there will be no more messages.
    pub(in crate::mcp) fn end(
        &self,
        stream: &str,
        request: &Id,
        bytes: usize,
        now_ms: u64,
    ) -> Result<(), StorageError> {
        let row = Stream { request: request.to_value(), ended_ms: Some(now_ms), bytes };
        self.write(stream, &row)?;
        if let Some(answered) = self.answered.borrow_mut().as_mut() {
            answered.insert((now_ms, stream.to_owned()), bytes);
        }
        Ok(())
    }

    /// What is kept of a stream, if anything is.
    pub(in crate::mcp) fn read(&self, stream: &str) -> Result<Option<Kept>, StorageError> {
        let Some(text) = self.storage.get(&stream_key(stream))? else { return Ok(None) };
        let row: Stream = serde_json::from_str(&text).map_err(|_| StorageError)?;
        let request = Id::read(&row.request).ok_or(StorageError)?;
        let messages = whole(self.storage.list(&message_prefix(stream))?);
        let answered = messages.last().is_some_and(|(_, text)| is_answer(text));
        Ok(Some(Kept { request, ended: row.ended_ms.is_some() || answered, messages }))
    }

    /// Forgets streams that were answered long ago, and the oldest beyond what is
    /// kept; gives when the next is to be forgotten.
    pub(in crate::mcp) fn sweep(&self, now_ms: u64) -> Result<Option<u64>, StorageError> {
        loop {
            let Some((at_ms, stream, over)) = self.oldest()? else { return Ok(None) };
            let due_ms = at_ms.saturating_add(STREAM_KEPT_MS);
            if due_ms > now_ms && !over {
                return Ok(Some(due_ms));
            }
            self.forget(&stream)?;
            if let Some(answered) = self.answered.borrow_mut().as_mut() {
                answered.remove(&(at_ms, stream));
            }
        }
    }

    /// Takes note that every row is gone.
    pub(in crate::mcp) fn cleared(&self) {
        self.answered.replace(None);
    }

    /// When the oldest of the answered streams was answered, its name, and whether there are
    /// more than are kept.
    fn oldest(&self) -> Result<Option<(u64, String, bool)>, StorageError> {
        let mut answered = self.answered.borrow_mut();
        let answered = match answered.as_mut() {
            Some(answered) => answered,
            None => answered.insert(self.read_answered()?),
        };
        let bytes = answered.values().fold(0, |sum: usize, size| sum.saturating_add(*size));
        let over = answered.len() > STREAMS_KEPT || bytes > STREAM_BYTES_KEPT;
        let first = answered.first_key_value();
        Ok(first.map(|((at_ms, stream), _)| (*at_ms, stream.clone(), over)))
    }

    fn read_answered(&self) -> Result<Answered, StorageError> {
        let mut answered = Answered::new();
        for (key, text) in self.storage.list(STREAMS)? {
            let row: Stream = serde_json::from_str(&text).map_err(|_| StorageError)?;
            if let Some(at_ms) = row.ended_ms {
                let stream = key.strip_prefix(STREAMS).unwrap_or_default();
                answered.insert((at_ms, stream.to_owned()), row.bytes);
            }
        }
        Ok(answered)
    }

    fn forget(&self, stream: &str) -> Result<(), StorageError> {
        for (key, _) in self.storage.list(&message_prefix(stream))? {
            self.storage.delete(&key)?;
        }
        self.storage.delete(&stream_key(stream))
    }

    fn write(&self, stream: &str, row: &Stream) -> Result<(), StorageError> {
        let text = serde_json::to_string(row).map_err(|_| StorageError)?;
        self.storage.put(&stream_key(stream), &text)
    }
}

const STREAMS: &str = "stream/";

fn stream_key(stream: &str) -> String {
    format!("{STREAMS}{stream}")
}

fn message_prefix(stream: &str) -> String {
    format!("message/{stream}/")
}

fn message_key(stream: &str, number: u64, part: usize, count: usize) -> String {
    format!("message/{stream}/{number:012}/{part:04}/{count:04}")
}

/// A text in pieces of at most a row.
fn parts(mut text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    while text.len() > ROW_BYTES {
        let (part, rest) = text.split_at(text.floor_char_boundary(ROW_BYTES));
        parts.push(part);
        text = rest;
    }
    parts.push(text);
    parts
}

/// The messages that are there whole: one that isn't was never written to anybody.
fn whole(rows: Vec<(String, String)>) -> Vec<(u64, String)> {
    let mut messages: Vec<(u64, usize, usize, String)> = Vec::new();
    for (key, text) in rows {
        let mut facts = key.rsplit('/').map(|fact| fact.parse::<u64>().unwrap_or_default());
        let (count, _part, number) =
            (facts.next().unwrap_or_default(), facts.next(), facts.next().unwrap_or_default());
        let count = usize::try_from(count).unwrap_or(usize::MAX);
        match messages.last_mut() {
            Some((last, found, _, whole)) if *last == number => {
                *found = found.saturating_add(1);
                whole.push_str(&text);
            }
            _ => messages.push((number, 1, count, text)),
        }
    }
    let complete = |(number, found, count, text)| (found == count).then_some((number, text));
    messages.into_iter().filter_map(complete).collect()
}

/// Whether a message of ours answers a request: only those have no method.
fn is_answer(text: &str) -> bool {
    serde_json::from_str::<Value>(text).is_ok_and(|message| message.get("method").is_none())
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use proptest::prelude::{prop_assert, prop_assert_eq, proptest};

    use super::{super::MemoryStorage, Id, Journal, Kept};
    use crate::{
        limits::{ROW_BYTES, STREAM_KEPT_MS, STREAMS_KEPT},
        port::Storage as _,
    };

    fn journal() -> (Rc<MemoryStorage>, Journal) {
        let storage = Rc::new(MemoryStorage::new());
        (storage.clone(), Journal::new(storage))
    }

    #[test]
    fn a_message_of_any_size_comes_back_whole() {
        let (storage, journal) = journal();
        let large = format!("{{\"result\":\"{}\"}}", "é".repeat(ROW_BYTES));
        journal.open("s", &Id::Number(1)).unwrap();
        journal.keep("s", 1, "{\"method\":\"m\"}").unwrap();
        journal.keep("s", 2, &large).unwrap();
        assert!(storage.list("").unwrap().iter().all(|(_, row)| row.len() <= ROW_BYTES));
        let messages = vec![(1, "{\"method\":\"m\"}".to_owned()), (2, large)];
        let kept = Kept { request: Id::Number(1), ended: true, messages };
        assert_eq!(journal.read("s"), Ok(Some(kept)));
    }

    #[test]
    fn a_message_that_was_not_stored_whole_was_never_said() {
        let large = "x".repeat(ROW_BYTES * 2);
        for writes in 0..3 {
            let (storage, journal) = journal();
            journal.open("s", &Id::Number(1)).unwrap();
            storage.fail_after(writes);
            assert!(journal.keep("s", 1, &large).is_err() == (writes < 2));
            storage.recover();
            let kept = journal.read("s").unwrap().unwrap();
            assert_eq!(kept.messages.len(), usize::from(writes >= 2));
        }
    }

    #[test]
    fn an_answer_that_is_stored_ends_its_stream_whatever_came_after() {
        let (_, journal) = journal();
        journal.open("s", &Id::Text("a".to_owned())).unwrap();
        journal.keep("s", 1, r#"{"method":"notifications/progress"}"#).unwrap();
        assert!(!journal.read("s").unwrap().unwrap().ended);
        journal.keep("s", 2, r#"{"id":"a","result":{}}"#).unwrap();
        assert!(journal.read("s").unwrap().unwrap().ended);
    }

    #[test]
    fn what_was_answered_long_ago_is_forgotten_and_what_was_not_stays() {
        let (storage, journal) = journal();
        for stream in ["open", "old", "new"] {
            journal.open(stream, &Id::Number(1)).unwrap();
            journal.keep(stream, 1, "{}").unwrap();
        }
        journal.end("old", &Id::Number(1), 2, 0).unwrap();
        journal.end("new", &Id::Number(1), 2, 1).unwrap();
        assert_eq!(journal.sweep(STREAM_KEPT_MS), Ok(Some(STREAM_KEPT_MS + 1)));
        assert_eq!(journal.read("old"), Ok(None));
        assert!(journal.read("new").unwrap().is_some() && journal.read("open").unwrap().is_some());
        assert_eq!(storage.list("message/old/").unwrap(), []);
    }

    #[test]
    fn what_an_earlier_process_answered_is_forgotten_in_its_time_too() {
        let (storage, before) = journal();
        before.open("old", &Id::Number(1)).unwrap();
        before.end("old", &Id::Number(1), 2, 0).unwrap();
        let journal = Journal::new(storage);
        journal.open("new", &Id::Number(2)).unwrap();
        journal.end("new", &Id::Number(2), 2, 7).unwrap();
        assert_eq!(journal.sweep(STREAM_KEPT_MS), Ok(Some(STREAM_KEPT_MS + 7)));
        assert!(journal.read("old").unwrap().is_none() && journal.read("new").unwrap().is_some());
    }

    proptest! {
        #[test]
        fn however_many_are_answered_the_newest_are_kept(times in 0_u64..200) {
            let (storage, journal) = journal();
            for at in 0..times {
                let name = format!("s{at:04}");
                journal.open(&name, &Id::Number(1)).unwrap();
                journal.end(&name, &Id::Number(1), 10, at).unwrap();
                journal.sweep(at).unwrap();
            }
            let kept = storage.list("stream/").unwrap();
            prop_assert_eq!(kept.len() as u64, times.min(STREAMS_KEPT as u64));
            let newest = format!("stream/s{:04}", times.saturating_sub(1));
            prop_assert!(kept.last().is_none_or(|(key, _)| *key == newest));
        }
    }
}
