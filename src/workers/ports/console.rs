//! The operator's log.

use wasm_bindgen::prelude::wasm_bindgen;

use crate::port::Console;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = console, js_name = log, catch)]
    fn console_log(line: &str) -> Result<(), wasm_bindgen::JsValue>;

    #[wasm_bindgen(js_namespace = console, js_name = warn, catch)]
    fn console_warn(line: &str) -> Result<(), wasm_bindgen::JsValue>;
}

pub(crate) struct PlatformConsole;

impl Console for PlatformConsole {
    fn note(&self, line: &str) {
        // A console that throws leaves nobody to tell.
        let _ = console_log(line);
    }

    fn warn(&self, line: &str) {
        // A console that throws leaves nobody to tell.
        let _ = console_warn(line);
    }
}
