//! What falls due and when: one table, one alarm.

use crate::port::{Storage, StorageError};

/// What can fall due.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::mcp) enum Due {
    /// The session's end.
    Session,
    /// The end of streams that were answered long ago.
    Streams,
}

impl Due {
    const ALL: [Self; 2] = [Self::Session, Self::Streams];

    fn key(self) -> &'static str {
        match self {
            Self::Session => "due/session",
            Self::Streams => "due/streams",
        }
    }
}

/// An object's schedule, in its storage.
pub(in crate::mcp) struct Schedule<'a>(pub(in crate::mcp) &'a dyn Storage);

impl Schedule<'_> {
    /// When `due` falls due, if it does.
    pub(in crate::mcp) fn at(&self, due: Due) -> Result<Option<u64>, StorageError> {
        Ok(self.0.get(due.key())?.and_then(|text| text.parse().ok()))
    }

    /// Makes `due` fall due at this time, and at no other.
    pub(in crate::mcp) fn set(&self, due: Due, at_ms: u64) -> Result<(), StorageError> {
        self.0.put(due.key(), &at_ms.to_string())?;
        self.wake()
    }

    /// What is due by `now_ms`; it isn't any more.
    pub(in crate::mcp) fn take(&self, now_ms: u64) -> Result<Vec<Due>, StorageError> {
        let mut taken = Vec::new();
        for due in Due::ALL {
            if self.at(due)?.is_some_and(|at_ms| at_ms <= now_ms) {
                self.0.delete(due.key())?;
                taken.push(due);
            }
        }
        self.wake()?;
        Ok(taken)
    }

    /// Sets the alarm to what comes first.
    fn wake(&self) -> Result<(), StorageError> {
        let mut first = None;
        for due in Due::ALL {
            first = first.into_iter().chain(self.at(due)?).min();
        }
        self.0.wake_at(first)
    }
}

#[cfg(test)]
mod tests {
    use super::{super::MemoryStorage, Due, Schedule};

    #[test]
    fn the_alarm_is_set_to_what_comes_first() {
        let storage = MemoryStorage::new();
        let schedule = Schedule(&storage);
        schedule.set(Due::Session, 100).unwrap();
        assert_eq!(storage.alarm_ms(), Some(100));
        schedule.set(Due::Streams, 50).unwrap();
        assert_eq!(storage.alarm_ms(), Some(50));
        assert_eq!(schedule.take(49).unwrap(), []);
        assert_eq!(schedule.take(50).unwrap(), [Due::Streams]);
        assert_eq!(storage.alarm_ms(), Some(100));
        schedule.set(Due::Session, 200).unwrap();
        assert_eq!(schedule.take(150).unwrap(), []);
        assert_eq!(schedule.take(900).unwrap(), [Due::Session]);
        assert_eq!(storage.alarm_ms(), None);
    }
}
