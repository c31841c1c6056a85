//! The rows of a book.

use std::rc::Rc;

use serde::{Serialize, de::DeserializeOwned};

use super::{Contents, LedgerError};
use crate::{
    pen::PenId,
    port::{Storage, StorageError},
};

/// What a pen holds, each in a row of its own.
pub(super) const CODE: &str = "code";
pub(super) const STDOUT: &str = "stdout";
pub(super) const STDERR: &str = "stderr";
pub(super) const RESULT: &str = "result";
pub(super) const MANIFEST: &str = "manifest";
const HELD: [&str; 5] = [CODE, STDOUT, STDERR, RESULT, MANIFEST];

/// An object's rows, read and written as values.
pub(super) struct Rows(Rc<dyn Storage>);

impl From<StorageError> for LedgerError {
    fn from(error: StorageError) -> Self {
        Self::unavailable(&error)
    }
}

impl Rows {
    pub(super) fn new(rows: Rc<dyn Storage>) -> Self {
        Self(rows)
    }

    pub(super) fn get<T: DeserializeOwned>(&self, key: &str) -> Result<Option<T>, LedgerError> {
        let Some(text) = self.0.get(key)? else { return Ok(None) };
        let read = serde_json::from_str(&text);
        read.map(Some).map_err(|error| LedgerError::unavailable(&format!("row {key}: {error}")))
    }

    pub(super) fn put(&self, key: &str, value: &impl Serialize) -> Result<(), LedgerError> {
        let text = serde_json::to_string(value);
        let text = text.map_err(|error| LedgerError::unavailable(&error))?;
        Ok(self.0.put(key, &text)?)
    }

    /// Writes a text that a pen holds, as it is.
    pub(super) fn hold(&self, pen_id: &PenId, held: &str, text: &str) -> Result<(), LedgerError> {
        Ok(self.0.put(&held_row(pen_id, held), text)?)
    }

    /// All that a pen holds.
    pub(super) fn contents(&self, pen_id: &PenId) -> Result<Contents, LedgerError> {
        let text = |held| {
            let text = self.0.get(&held_row(pen_id, held))?;
            Ok::<_, LedgerError>(text.unwrap_or_default())
        };
        Ok(Contents {
            code: text(CODE)?,
            stdout: text(STDOUT)?,
            stderr: text(STDERR)?,
            result: text(RESULT)?,
            manifest: self.get(&held_row(pen_id, MANIFEST))?,
        })
    }

    /// Takes away all that a pen holds.
    pub(super) fn let_go(&self, pen_id: &PenId) -> Result<(), LedgerError> {
        for held in HELD {
            self.0.delete(&held_row(pen_id, held))?;
        }
        Ok(())
    }
}

pub(super) fn pen_row(pen_id: &PenId) -> String {
    format!("pen/{pen_id}")
}

pub(super) fn held_row(pen_id: &PenId, held: &str) -> String {
    format!("held/{pen_id}/{held}")
}

pub(super) fn audit_row(entry: u64) -> String {
    format!("audit/{entry:016}")
}
