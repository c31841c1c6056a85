//! An event stream, from bytes to events.
//!
//! Owns the form of the stream alone. Whoever reads bounds its bytes.

/// One event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Event {
    /// Its kind; empty for a message.
    pub(super) kind: String,
    /// Its data, the lines joined.
    pub(super) data: String,
}

/// What has been read of a stream.
#[derive(Debug, Default)]
pub(super) struct Events {
    rest: Vec<u8>,
    /// Where in `rest` the line begins that is read.
    from: usize,
    /// Up to where in `rest` there is no end of line.
    looked_at: usize,
    begun: bool,
    /// Whether a line wasn't UTF-8: nothing after it is read.
    broken: bool,
    event: Event,
    any_data: bool,
    /// The last event's id, by which the stream can be taken up again.
    pub(super) last_id: Option<String>,
    /// Milliseconds before that, where the stream says.
    pub(super) retry_ms: Option<u64>,
}

impl Events {
    /// Takes further bytes; gives the events that end in them.
    pub(super) fn take(&mut self, bytes: &[u8]) -> Vec<Event> {
        self.rest.extend_from_slice(bytes);
        let mut ended = Vec::new();
        while let Some(line) = self.line() {
            ended.extend(self.read(&line));
        }
        // Once for all lines, or many short ones would cost their square.
        self.rest.drain(..self.from);
        self.looked_at = self.looked_at.saturating_sub(self.from);
        self.from = 0;
        ended
    }

    /// Whether what comes isn't UTF-8; the events before it were given.
    pub(super) fn is_broken(&self) -> bool {
        self.broken
    }

    /// Forgets what a cut left of an event.
    pub(super) fn forget_part(&mut self) {
        let (last_id, retry_ms) = (self.last_id.take(), self.retry_ms);
        *self = Self { last_id, retry_ms, ..Self::default() };
    }

    /// The next whole line. A CR at the very end waits: an LF may belong to it.
    fn line(&mut self) -> Option<String> {
        if self.broken {
            return None;
        }
        let unseen = self.rest.get(self.looked_at..)?;
        let Some(found) = unseen.iter().position(|byte| matches!(byte, b'\n' | b'\r')) else {
            self.looked_at = self.rest.len();
            return None;
        };
        let end = self.looked_at.saturating_add(found);
        let after = end.saturating_add(1);
        let crlf = match (self.rest.get(end), self.rest.get(after)) {
            (Some(b'\r'), None) => {
                self.looked_at = end;
                return None;
            }
            (Some(b'\r'), Some(b'\n')) => 1,
            _ => 0,
        };
        let Ok(line) = std::str::from_utf8(self.rest.get(self.from..end)?) else {
            self.broken = true;
            return None;
        };
        let mut line = line.to_owned();
        self.from = after.saturating_add(crlf);
        self.looked_at = self.from;
        if !std::mem::replace(&mut self.begun, true) && line.starts_with('\u{feff}') {
            line.remove(0);
        }
        Some(line)
    }

    fn read(&mut self, line: &str) -> Option<Event> {
        if line.is_empty() {
            let event = std::mem::take(&mut self.event);
            return std::mem::take(&mut self.any_data).then_some(event);
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "event" => value.clone_into(&mut self.event.kind),
            "data" => {
                if std::mem::replace(&mut self.any_data, true) {
                    self.event.data.push('\n');
                }
                self.event.data.push_str(value);
            }
            "id" if !value.contains('\0') => self.last_id = Some(value.to_owned()),
            "retry" => self.retry_ms = value.parse().ok().or(self.retry_ms),
            _ => {}
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Event, Events};

    fn message(data: &str) -> Event {
        Event { kind: String::new(), data: data.to_owned() }
    }

    #[test]
    fn a_stream_is_read_as_the_standard_says() {
        let cases: [(&str, Vec<Event>); 9] = [
            ("data: a\n\n", vec![message("a")]),
            ("\u{feff}data:a\r\n\r\n", vec![message("a")]),
            ("data: a\rdata:  b\r\r\n", vec![message("a\n b")]),
            (": kept alive\n\ndata: a\n\n", vec![message("a")]),
            ("id: 1\ndata:\n\n", vec![message("")]),
            ("id: 1\n\n", vec![]),
            ("data: not ended\n", vec![]),
            ("data: a\n\ndata: b\n\n", vec![message("a"), message("b")]),
            ("event: x\ndata: a\n\n", vec![Event { kind: "x".into(), data: "a".into() }]),
        ];
        for (text, expected) in cases {
            let mut events = Events::default();
            assert_eq!(events.take(text.as_bytes()), expected, "{text:?}");
        }
    }

    #[test]
    fn what_is_no_utf_8_ends_a_stream_and_changes_no_event() {
        let mut events = Events::default();
        let given = events.take(b"data: a\n\ndata: \xff\n\ndata: b\n\n");
        assert_eq!((given, events.is_broken()), (vec![message("a")], true));
        assert_eq!(events.take(b"data: c\n\n"), []);
    }

    #[test]
    fn where_to_go_on_is_kept() {
        let mut events = Events::default();
        events.take(b"id: s::4\nretry: 250\ndata: x\n\nretry: soon\n\nid: a\0b\n\n");
        assert_eq!((events.last_id.as_deref(), events.retry_ms), (Some("s::4"), Some(250)));
    }

    proptest! {
        #[test]
        fn where_a_stream_is_cut_into_parts_changes_nothing(
            text in "((data|id|event|retry|x)?:? ?[a-zé]{0,3}(\n|\r\n|\r)){0,12}",
            cut in 1..9_usize,
        ) {
            let mut whole = Events::default();
            let expected = whole.take(text.as_bytes());
            let mut parts = Events::default();
            let events: Vec<_> =
                text.as_bytes().chunks(cut).flat_map(|part| parts.take(part)).collect();
            prop_assert_eq!(events, expected);
            prop_assert_eq!(parts.last_id, whole.last_id);
        }
    }
}
