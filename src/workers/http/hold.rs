//! Saying that an object is in use beyond its requests.

use wasm_bindgen::JsValue;

use super::super::ports::RemoteFunction;

/// Makes holds on an object; the entry counts them.
#[derive(Clone)]
pub(crate) struct Holds(RemoteFunction);

impl Holds {
    /// Over the function that counts.
    pub(crate) fn new(count: RemoteFunction) -> Self {
        Self(count)
    }

    /// A hold, until it is dropped.
    pub(crate) fn hold(&self) -> Hold {
        // The entry's own function doesn't throw.
        let _ = self.0.call(&[JsValue::from(1)]);
        Hold(self.0.clone())
    }
}

/// One use of an object.
pub(crate) struct Hold(RemoteFunction);

impl Drop for Hold {
    fn drop(&mut self) {
        let _ = self.0.call(&[JsValue::from(-1)]);
    }
}
