//! Calling functions that may be stubs of something remote.

use js_sys::{Array, Function, Reflect};
use wasm_bindgen::{JsCast, JsValue};

/// A JavaScript function, called by `Reflect.apply` only.
///
/// A stub answers to every method name, so `f.call(…)` would reach a remote
/// method named `call`.
#[derive(Clone, Debug)]
pub(crate) struct RemoteFunction {
    function: Function,
    this: JsValue,
}

impl RemoteFunction {
    /// The function itself, called on nothing.
    pub(crate) fn new(function: Function) -> Self {
        Self { function, this: JsValue::UNDEFINED }
    }

    /// The function that is `object`'s member `name`, called on `object`.
    ///
    /// # Errors
    ///
    /// What the member's getter threw, or a text when there is no such function.
    pub(crate) fn member(object: &JsValue, name: &str) -> Result<Self, JsValue> {
        Self::keyed(object, &JsValue::from(name))
    }

    /// The same by any key, such as a symbol.
    ///
    /// # Errors
    ///
    /// As [`member`](Self::member).
    pub(crate) fn keyed(object: &JsValue, key: &JsValue) -> Result<Self, JsValue> {
        let member = Reflect::get(object, key)?;
        if !member.is_function() {
            return Err(JsValue::from(format!("{key:?} is not a function")));
        }
        Ok(Self { function: member.unchecked_into(), this: object.clone() })
    }

    /// The function, to be handed to the platform as a callback.
    pub(crate) fn function(&self) -> &JsValue {
        &self.function
    }

    /// Calls it.
    ///
    /// # Errors
    ///
    /// What the function threw.
    pub(crate) fn call(&self, arguments: &[JsValue]) -> Result<JsValue, JsValue> {
        Reflect::apply(&self.function, &self.this, &arguments.iter().collect::<Array>())
    }
}
