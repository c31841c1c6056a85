//! Rows that outlive the process.

use std::fmt;

/// The storage can't be read or written; the operator's log has the cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StorageError;

impl fmt::Display for StorageError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("the storage can't be reached: try again")
    }
}

impl std::error::Error for StorageError {}

/// One object's rows, by key, and the one alarm that wakes it.
///
/// What is written without an await between is written together or not at all. Every
/// method fails with [`StorageError`] when the storage does; `put` also for a row that
/// is larger than the platform takes.
#[allow(clippy::missing_errors_doc, reason = "said once, above")]
pub trait Storage {
    /// The row under `key`.
    fn get(&self, key: &str) -> Result<Option<String>, StorageError>;
    /// Writes a row.
    fn put(&self, key: &str, value: &str) -> Result<(), StorageError>;
    /// Forgets a row, if there is one.
    fn delete(&self, key: &str) -> Result<(), StorageError>;
    /// The rows whose keys begin with `prefix`, by key.
    fn list(&self, prefix: &str) -> Result<Vec<(String, String)>, StorageError>;
    /// Forgets every row and the alarm.
    fn clear(&self) -> Result<(), StorageError>;
    /// Wakes the object at this time, in milliseconds since 1970, and at no other.
    fn wake_at(&self, at_ms: Option<u64>) -> Result<(), StorageError>;
}
