//! Secrets in the Worker's bindings.

use js_sys::Reflect;
use wasm_bindgen::JsValue;

use crate::port::Secrets;

/// The bindings of one context; a secret is a binding that is a text.
pub(crate) struct BoundSecrets(JsValue);

impl BoundSecrets {
    /// Over the bindings that a request or an object was handed.
    pub(crate) fn new(bindings: JsValue) -> Self {
        Self(bindings)
    }
}

impl Secrets for BoundSecrets {
    fn secret(&self, name: &str) -> Option<String> {
        Reflect::get(&self.0, &JsValue::from(name)).ok()?.as_string()
    }
}
