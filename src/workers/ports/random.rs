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
        // The generator throws only for arrays over 64 KiB and outside requests.
        let _ = fill(&mut bytes);
        u64::from_le_bytes(bytes)
    }
}
