//! Rows in memory, as strict as the platform.

use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
};

use crate::port::{Storage, StorageError};

/// The most bytes that the platform takes in one row, its key included.
const PLATFORM_BYTES: usize = 2_000_000;

/// Rows that live as long as the process.
#[derive(Debug, Default)]
pub struct MemoryStorage {
    rows: RefCell<BTreeMap<String, String>>,
    alarm_ms: Cell<Option<u64>>,
    writes: Cell<u64>,
    writes_left: Cell<Option<u64>>,
}

impl MemoryStorage {
    /// No rows.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// When it would wake its object.
    #[must_use]
    pub fn alarm_ms(&self) -> Option<u64> {
        self.alarm_ms.get()
    }

    /// How often it was written.
    #[must_use]
    pub fn writes(&self) -> u64 {
        self.writes.get()
    }

    /// Every key, in order.
    #[must_use]
    pub fn keys(&self) -> Vec<String> {
        self.rows.borrow().keys().cloned().collect()
    }

    /// Fails every write after `writes` more, as a process that ends does.
    pub fn fail_after(&self, writes: u64) {
        self.writes_left.set(Some(writes));
    }

    /// Takes writes again.
    pub fn recover(&self) {
        self.writes_left.set(None);
    }

    fn written(&self) -> Result<(), StorageError> {
        match self.writes_left.get() {
            Some(0) => return Err(StorageError),
            Some(left) => self.writes_left.set(Some(left.saturating_sub(1))),
            None => {}
        }
        self.writes.set(self.writes.get().saturating_add(1));
        Ok(())
    }
}

impl Storage for MemoryStorage {
    fn get(&self, key: &str) -> Result<Option<String>, StorageError> {
        Ok(self.rows.borrow().get(key).cloned())
    }

    fn put(&self, key: &str, value: &str) -> Result<(), StorageError> {
        self.written()?;
        if key.len().saturating_add(value.len()) > PLATFORM_BYTES {
            return Err(StorageError);
        }
        self.rows.borrow_mut().insert(key.to_owned(), value.to_owned());
        Ok(())
    }

    fn delete(&self, key: &str) -> Result<(), StorageError> {
        self.written()?;
        self.rows.borrow_mut().remove(key);
        Ok(())
    }

    fn list(&self, prefix: &str) -> Result<Vec<(String, String)>, StorageError> {
        let rows = self.rows.borrow();
        let from = rows.range(prefix.to_owned()..);
        let named = from.take_while(|(key, _)| key.starts_with(prefix));
        Ok(named.map(|(key, value)| (key.clone(), value.clone())).collect())
    }

    fn clear(&self) -> Result<(), StorageError> {
        self.written()?;
        self.rows.borrow_mut().clear();
        self.alarm_ms.set(None);
        Ok(())
    }

    fn wake_at(&self, at_ms: Option<u64>) -> Result<(), StorageError> {
        self.alarm_ms.set(at_ms);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{MemoryStorage, PLATFORM_BYTES};
    use crate::port::{Storage, StorageError};

    #[test]
    fn a_row_that_the_platform_would_not_take_is_not_taken() {
        let storage = MemoryStorage::new();
        assert_eq!(storage.put("k", &"x".repeat(PLATFORM_BYTES - 1)), Ok(()));
        assert_eq!(storage.put("l", &"x".repeat(PLATFORM_BYTES)), Err(StorageError));
        assert_eq!(storage.keys(), ["k"]);
    }

    #[test]
    fn a_prefix_lists_its_own_rows_in_order() {
        let storage = MemoryStorage::new();
        for key in ["a/2", "a/10", "b/1", "a", "a/1"] {
            storage.put(key, key).unwrap();
        }
        let keys: Vec<_> = storage.list("a/").unwrap().into_iter().map(|(key, _)| key).collect();
        assert_eq!(keys, ["a/1", "a/10", "a/2"]);
    }
}
