//! What a session was opened with, and what is known of its client.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::super::wire::{Revision, asks_by_form};
use crate::{
    failure::bounded,
    port::{Storage, StorageError},
};

const KEY: &str = "record";

/// The most bytes that are kept of a client's name, and of its version.
const NAME_BYTES: usize = 100;

/// One open session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::mcp) struct Record {
    revision: String,
    /// Whose it is, as an owner key.
    pub(in crate::mcp) owner: String,
    client: String,
    /// Whether a person can be asked; nothing when nobody said, as after a session was
    /// taken over without its beginning.
    pub(in crate::mcp) asks: Option<bool>,
    /// Whether the client said that it is ready.
    pub(in crate::mcp) ready: bool,
    /// Whether it lost its place among those at work.
    pub(in crate::mcp) is_parked: bool,
    /// When it ends unless it is used, in milliseconds since 1970.
    pub(in crate::mcp) expires_ms: u64,
}

impl Record {
    /// What `initialize` with `params` opens.
    pub(in crate::mcp) fn opened(
        owner: String,
        revision: Revision,
        params: &Map<String, Value>,
        expires_ms: u64,
    ) -> Self {
        let capabilities = params.get("capabilities").and_then(Value::as_object);
        let client = params.get("clientInfo").and_then(Value::as_object);
        let said = |key: &str| {
            let text = client.and_then(|client| client.get(key)).and_then(Value::as_str);
            bounded(text.unwrap_or_default(), NAME_BYTES)
        };
        Self {
            revision: revision.as_str().to_owned(),
            owner,
            client: format!("{} {}", said("name"), said("version")),
            asks: Some(capabilities.is_some_and(asks_by_form)),
            ready: false,
            is_parked: false,
            expires_ms,
        }
    }

    /// What is known of a session whose beginning was lost with its process.
    pub(in crate::mcp) fn resumed(owner: String, expires_ms: u64) -> Self {
        Self {
            revision: Revision::V2025_11_25.as_str().to_owned(),
            owner,
            client: String::new(),
            asks: None,
            ready: true,
            is_parked: false,
            expires_ms,
        }
    }

    /// With or without a place among those at work.
    pub(in crate::mcp) fn parked(mut self, is_parked: bool) -> Self {
        self.is_parked = is_parked;
        self
    }

    /// Of a client that said that it is ready.
    pub(in crate::mcp) fn made_ready(mut self) -> Self {
        self.ready = true;
        self
    }

    /// The revision that was negotiated.
    pub(in crate::mcp) fn revision(&self) -> Revision {
        Revision::offered(&self.revision)
    }

    /// The record in `storage`, if there is a session.
    pub(in crate::mcp) fn read(storage: &dyn Storage) -> Result<Option<Self>, StorageError> {
        let Some(text) = storage.get(KEY)? else { return Ok(None) };
        serde_json::from_str(&text).map(Some).map_err(|_| StorageError)
    }

    /// Keeps it.
    pub(in crate::mcp) fn write(&self, storage: &dyn Storage) -> Result<(), StorageError> {
        let text = serde_json::to_string(self).map_err(|_| StorageError)?;
        storage.put(KEY, &text)
    }
}
