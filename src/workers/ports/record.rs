//! A connection's record in its object's storage.

use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

use super::console::PlatformConsole;
use crate::{
    mcp::{RecordError, RecordStore},
    port::Console,
};

#[wasm_bindgen]
extern "C" {
    /// An object's context.
    pub(crate) type ObjectContext;
    type Storage;
    type KeyValue;

    #[wasm_bindgen(method, getter, catch)]
    fn storage(this: &ObjectContext) -> Result<Storage, JsValue>;
    #[wasm_bindgen(method, getter, catch)]
    fn kv(this: &Storage) -> Result<KeyValue, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn get(this: &KeyValue, key: &str) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn put(this: &KeyValue, key: &str, value: &str) -> Result<(), JsValue>;
    #[wasm_bindgen(method, catch)]
    fn delete(this: &KeyValue, key: &str) -> Result<bool, JsValue>;
}

/// The key of the record; its value is the revision that was negotiated.
const REVISION: &str = "revision";

/// The record in the storage of the object whose context this is.
pub(crate) struct ObjectRecord {
    context: ObjectContext,
}

impl ObjectRecord {
    pub(crate) fn new(context: ObjectContext) -> Self {
        Self { context }
    }

    fn values(&self) -> Result<KeyValue, RecordError> {
        self.context.storage().and_then(|storage| storage.kv()).map_err(failed)
    }
}

/// Leaves the cause in the operator's log.
fn failed(cause: JsValue) -> RecordError {
    PlatformConsole.warn(&format!("a connection's record can't be reached: {cause:?}"));
    RecordError
}

impl RecordStore for ObjectRecord {
    fn revision(&self) -> Result<Option<String>, RecordError> {
        let value = self.values()?.get(REVISION).map_err(failed)?;
        Ok(value.as_string())
    }

    fn open(&self, revision: &str) -> Result<(), RecordError> {
        self.values()?.put(REVISION, revision).map_err(failed)
    }

    fn end(&self) -> Result<(), RecordError> {
        self.values()?.delete(REVISION).map(drop).map_err(failed)
    }
}
