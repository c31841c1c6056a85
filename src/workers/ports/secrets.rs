//! Secrets in the Worker's bindings.

use std::collections::BTreeMap;

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

/// Secrets that were read beforehand, for what outlives a request.
pub(crate) struct HeldSecrets(BTreeMap<String, String>);

impl HeldSecrets {
    /// Those of these names that are set.
    pub(crate) fn new<'a>(bindings: &JsValue, names: impl IntoIterator<Item = &'a str>) -> Self {
        let bound = BoundSecrets::new(bindings.clone());
        let read = |name: &'a str| Some((name.to_owned(), bound.secret(name)?));
        Self(names.into_iter().filter_map(read).collect())
    }
}

impl Secrets for HeldSecrets {
    fn secret(&self, name: &str) -> Option<String> {
        self.0.get(name).cloned()
    }
}
