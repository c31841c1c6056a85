//! Random bits from the platform's generator.

use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

use crate::port::Random;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = crypto, js_name = getRandomValues, catch)]
    fn fill(bytes: &mut [u8]) -> Result<JsValue, JsValue>;
}

pub(super) struct PlatformRandom;

impl Random for PlatformRandom {
    fn bits(&self) -> u64 {
        let mut bytes = [0; 8];
        if let Err(error) = fill(&mut bytes) {
            // Names that can be guessed are worse than a request that fails.
            wasm_bindgen::throw_val(error);
        }
        u64::from_le_bytes(bytes)
    }
}
