//! From a value that crossed to a request with its functions.

use std::rc::Rc;

use wasm_bindgen::{JsCast, JsValue, prelude::wasm_bindgen};

use super::stub::Stub;
use crate::{
    json::parse_input,
    limits::SERVICE_REQUEST_BYTES,
    service::{Argument, Functions, Remote, RequestError},
};

#[wasm_bindgen(module = "/src/workers/service/plain.js")]
extern "C" {
    /// A value as text, with its functions beside; or why it is none.
    pub(super) type Packed;
    #[wasm_bindgen(method, getter)]
    pub(super) fn refusal(this: &Packed) -> Option<String>;
    #[wasm_bindgen(method, getter)]
    pub(super) fn text(this: &Packed) -> String;
    #[wasm_bindgen(method, getter)]
    fn paths(this: &Packed) -> Vec<JsValue>;
    #[wasm_bindgen(method, getter)]
    fn functions(this: &Packed) -> Vec<JsValue>;

    #[wasm_bindgen(catch)]
    pub(super) fn pack(value: &JsValue, units: u32, keeping: bool) -> Result<Packed, JsValue>;
    pub(super) fn dispose(held: &JsValue);
}

/// Reads a request. Its functions are the host's own from then on.
pub(super) fn read(request: &JsValue) -> Result<Argument, RequestError> {
    let bytes = u32::try_from(SERVICE_REQUEST_BYTES).unwrap_or(u32::MAX);
    let unreadable = |_| RequestError::new("", "it can't be read: give plain data and functions");
    let packed = pack(request, bytes, true).map_err(unreadable)?;
    if let Some(refusal) = packed.refusal() {
        return Err(RequestError::new("", refusal));
    }
    let paths = packed.paths().into_iter().map(|path| path.as_string().unwrap_or_default());
    let stubs = packed.functions().into_iter().map(|stub| {
        let stub: Rc<dyn Remote> = Rc::new(Stub::new(stub.unchecked_into()));
        stub
    });
    // Before the text is read: whatever is wrong with that, they are let go.
    let functions = Functions::new(paths.zip(stubs));
    let value = parse_input(&packed.text(), SERVICE_REQUEST_BYTES);
    let value = value.map_err(|error| RequestError::new("", error.to_string()))?;
    Ok(Argument { value, functions })
}
