//! An object's rows, in its own SQLite database.

use js_sys::{Array, Promise};
use wasm_bindgen::{JsCast, JsValue, prelude::wasm_bindgen};
use wasm_bindgen_futures::JsFuture;

use super::console::PlatformConsole;
use crate::port::{Console, Storage, StorageError};

#[wasm_bindgen]
extern "C" {
    /// An object's context.
    pub(crate) type ObjectContext;
    type Rows;
    type KeyValue;
    type ListOptions;

    #[wasm_bindgen(method, getter, catch)]
    fn storage(this: &ObjectContext) -> Result<Rows, JsValue>;
    #[wasm_bindgen(method, getter, catch)]
    fn kv(this: &Rows) -> Result<KeyValue, JsValue>;
    #[wasm_bindgen(method, js_name = setAlarm, catch)]
    fn set_alarm(this: &Rows, at_ms: f64) -> Result<Promise, JsValue>;
    #[wasm_bindgen(method, js_name = deleteAlarm, catch)]
    fn delete_alarm(this: &Rows) -> Result<Promise, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn get(this: &KeyValue, key: &str) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn put(this: &KeyValue, key: &str, value: &str) -> Result<(), JsValue>;
    #[wasm_bindgen(method, catch)]
    fn delete(this: &KeyValue, key: &str) -> Result<bool, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn list(this: &KeyValue, options: &JsValue) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(js_namespace = Array, js_name = from, catch)]
    fn array_from(iterable: &JsValue) -> Result<Array, JsValue>;
}

/// The rows of the object whose context this is.
pub(crate) struct ObjectStorage {
    context: ObjectContext,
}

impl ObjectStorage {
    pub(crate) fn new(context: ObjectContext) -> Self {
        Self { context }
    }

    fn rows(&self) -> Result<Rows, StorageError> {
        self.context.storage().map_err(failed)
    }

    fn values(&self) -> Result<KeyValue, StorageError> {
        self.rows()?.kv().map_err(failed)
    }
}

/// Leaves the cause in the operator's log.
#[cold]
#[inline(never)]
fn failed(cause: JsValue) -> StorageError {
    PlatformConsole.warn(&format!("an object's storage can't be reached: {cause:?}"));
    StorageError
}

/// The alarm is set or it isn't: nobody waits for it, but a failure is said.
fn settle(alarm: Promise) {
    wasm_bindgen_futures::spawn_local(async move {
        if let Err(cause) = JsFuture::from(alarm).await {
            failed(cause);
        }
    });
}

impl Storage for ObjectStorage {
    fn get(&self, key: &str) -> Result<Option<String>, StorageError> {
        Ok(self.values()?.get(key).map_err(failed)?.as_string())
    }

    fn put(&self, key: &str, value: &str) -> Result<(), StorageError> {
        self.values()?.put(key, value).map_err(failed)
    }

    fn delete(&self, key: &str) -> Result<(), StorageError> {
        self.values()?.delete(key).map(drop).map_err(failed)
    }

    fn list(&self, prefix: &str) -> Result<Vec<(String, String)>, StorageError> {
        let options = js_sys::Object::new();
        js_sys::Reflect::set(&options, &"prefix".into(), &prefix.into()).map_err(failed)?;
        let listed = self.values()?.list(&options).map_err(failed)?;
        let row = |row: JsValue| {
            let row = row.dyn_into::<Array>().ok()?;
            Some((row.get(0).as_string()?, row.get(1).as_string()?))
        };
        Ok(array_from(&listed).map_err(failed)?.iter().filter_map(row).collect())
    }

    fn clear(&self) -> Result<(), StorageError> {
        for (key, _) in self.list("")? {
            self.delete(&key)?;
        }
        self.wake_at(None)
    }

    fn wake_at(&self, at_ms: Option<u64>) -> Result<(), StorageError> {
        let rows = self.rows()?;
        #[allow(clippy::cast_precision_loss, reason = "milliseconds since 1970 are below 2^53")]
        let alarm = match at_ms {
            Some(at_ms) => rows.set_alarm(at_ms as f64),
            None => rows.delete_alarm(),
        };
        settle(alarm.map_err(failed)?);
        Ok(())
    }
}
