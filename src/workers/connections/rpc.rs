//! Asking another Worker through a service binding, in JSON and nothing else.

use futures::{FutureExt, future::LocalBoxFuture};
use js_sys::{Promise, Reflect};
use serde_json::Value;
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};
use wasm_bindgen_futures::JsFuture;

use super::super::ports::RemoteFunction;
use crate::{failure::bounded, json};

#[wasm_bindgen(inline_js = "
const PLAIN = new Set(['string', 'boolean', 'number', 'object', 'undefined']);
/** The JSON of what came; what JSON would change silently is refused. */
export function plainJson(value) {
    return JSON.stringify(value, function (key) {
        // Before any toJSON, which a stub would send for.
        const said = this[key];
        const type = typeof said;
        const prototype = type === 'object' && said !== null ? Object.getPrototypeOf(said) : null;
        const plain = prototype === null || prototype === Object.prototype || Array.isArray(said);
        if (!PLAIN.has(type) || !plain || (type === 'number' && !Number.isFinite(said))) {
            throw new TypeError(`the answer isn't JSON at ${JSON.stringify(key)}: ${type}`);
        }
        return said;
    });
}")]
extern "C" {
    #[wasm_bindgen(js_name = plainJson, catch)]
    fn plain_json(value: &JsValue) -> Result<JsValue, JsValue>;
}

/// The most bytes of what another Worker says about a failure.
const EVIDENCE_BYTES: usize = 512;

/// Another Worker's entrypoint. It belongs to one runtime, and is in no static.
#[derive(Clone)]
pub(super) struct Remote(JsValue);

impl Remote {
    /// Over a service binding.
    pub(super) fn new(binding: JsValue) -> Self {
        Self(binding)
    }

    /// Calls a method with one argument, given as JSON, or none; the answer has at most
    /// `limit` bytes as JSON. Dropping the future gives the call up.
    ///
    /// What can't be asked or answered is told for the operator.
    pub(super) fn ask(
        &self,
        method: &'static str,
        argument: Option<String>,
        limit: usize,
    ) -> LocalBoxFuture<'static, Result<Value, String>> {
        let binding = self.0.clone();
        async move {
            let begun = begin(&binding, method, argument).map_err(evidence)?;
            let answered = JsFuture::from(Promise::resolve(&begun.0)).await.map_err(evidence)?;
            let answered = Disposed(answered);
            let text = plain_json(&answered.0).map_err(evidence)?.as_string();
            let text = text.ok_or("the answer isn't JSON")?;
            if text.len() > limit {
                return Err(format!("the answer has more than {limit} bytes"));
            }
            json::parse(&text).map_err(|error| format!("the answer is no JSON: {error}"))
        }
        .boxed_local()
    }
}

fn begin(binding: &JsValue, method: &str, argument: Option<String>) -> Result<Disposed, JsValue> {
    let argument = argument.map(|text| js_sys::JSON::parse(&text)).transpose()?;
    let arguments: Vec<JsValue> = argument.into_iter().collect();
    RemoteFunction::member(binding, method)?.call(&arguments).map(Disposed)
}

/// What came of another Worker, given back when it is dropped: else it is kept there.
struct Disposed(JsValue);

impl Drop for Disposed {
    fn drop(&mut self) {
        let dispose = || {
            let symbol = Reflect::get(&js_sys::global(), &JsValue::from("Symbol"))?;
            let dispose = Reflect::get(&symbol, &JsValue::from("dispose"))?;
            let function = Reflect::get(&self.0, &dispose)?;
            if function.is_function() {
                RemoteFunction::keyed(&self.0, &dispose)?.call(&[])?;
            }
            Ok::<_, JsValue>(())
        };
        // A value without stubs has nothing to give back, and a primitive no members.
        drop(dispose());
    }
}

fn evidence(cause: JsValue) -> String {
    bounded(&format!("{cause:?}"), EVIDENCE_BYTES)
}
