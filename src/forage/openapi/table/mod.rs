//! The operations an owner has selected, as they are stored.
//!
//! Owns the form of a table, the check of everything in it, and its digest. A table
//! holds schemas and the shapes of calls; never a document, a server or a credential,
//! and it grants nothing.
//!
//! Spec: 001, "OpenAPI intake".

mod check;
mod entry;
mod error;
mod shape;

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use entry::Entry;
#[cfg(feature = "intake-openapi")]
pub(crate) use entry::selector;
pub use error::TableError;
pub use shape::{Answer, Body, Form, Method, Parameter, Part, Place, Style};

use crate::{
    json::{self, Digest},
    limits::{OPENAPI_TABLE_BYTES, OPENAPI_TABLE_OPERATIONS},
};

/// The version of the form.
const VERSION: u32 = 1;

/// Operations that were checked, in the order of path and method.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    entries: Vec<Entry>,
    digest: Digest,
    text: String,
}

/// The form in which a table is stored.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stored {
    version: u32,
    digest: String,
    operations: Vec<Entry>,
}

/// Checks selected operations and makes a table of them.
///
/// # Errors
///
/// There are none or too many, two are one, one of them isn't as intake makes them, or
/// all together are too large.
pub fn parse_open_api_table(operations: &Value) -> Result<Table, TableError> {
    let Some(listed) = operations.as_array() else {
        return Err(TableError::Malformed { problem: "the operations are no list".to_owned() });
    };
    if !(1..=OPENAPI_TABLE_OPERATIONS).contains(&listed.len()) {
        return Err(TableError::Count { count: listed.len() });
    }
    let entries = listed.iter().map(Entry::deserialize).collect::<Result<Vec<_>, _>>();
    let entries = entries.map_err(|error| malformed(&error))?;
    Table::new(entries)
}

impl Table {
    /// A table of these operations.
    ///
    /// # Errors
    ///
    /// As [`parse_open_api_table`].
    pub fn new(mut entries: Vec<Entry>) -> Result<Self, TableError> {
        entries
            .sort_by(|left, right| left.path.cmp(&right.path).then(left.method.cmp(&right.method)));
        check::operations(&entries)?;
        let operations = serde_json::to_value(&entries).map_err(|error| malformed(&error))?;
        let digest = Digest::of(&operations);
        let stored = Stored { version: VERSION, digest: digest.to_string(), operations: entries };
        let text = serde_json::to_string(&stored).map_err(|error| malformed(&error))?;
        if text.len() > OPENAPI_TABLE_BYTES {
            return Err(TableError::TooLarge { bytes: text.len() });
        }
        Ok(Self { entries: stored.operations, digest, text })
    }

    /// Reads a stored table and checks all of it again.
    ///
    /// # Errors
    ///
    /// It isn't as [`to_json`](Self::to_json) wrote it.
    pub fn read(text: &str) -> Result<Self, TableError> {
        if text.len() > OPENAPI_TABLE_BYTES {
            return Err(TableError::TooLarge { bytes: text.len() });
        }
        let value = json::parse(text)
            .map_err(|error| TableError::Malformed { problem: error.to_string() })?;
        let stored = Stored::deserialize(&value).map_err(|error| malformed(&error))?;
        if stored.version != VERSION {
            let problem = format!("its version is {}, and {VERSION} is read", stored.version);
            return Err(TableError::Malformed { problem });
        }
        if !(1..=OPENAPI_TABLE_OPERATIONS).contains(&stored.operations.len()) {
            return Err(TableError::Count { count: stored.operations.len() });
        }
        let table = Self::new(stored.operations)?;
        if table.digest.to_string() != stored.digest {
            return Err(TableError::Tampered {});
        }
        Ok(table)
    }

    /// The operations, in the order of path and method.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The SHA-256 of the operations' canonical form: the same for the same operations,
    /// in whatever order they were selected.
    #[must_use]
    pub fn digest(&self) -> Digest {
        self.digest
    }

    /// The text that is stored.
    #[must_use]
    pub fn to_json(&self) -> &str {
        &self.text
    }
}

fn malformed(error: &serde_json::Error) -> TableError {
    TableError::Malformed { problem: error.to_string() }
}
