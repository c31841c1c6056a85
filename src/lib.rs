//! spike
#[cfg(target_arch = "wasm32")]
#[allow(unreachable_pub,missing_docs)]
pub mod spike {
    use wasm_bindgen::prelude::*;
    #[wasm_bindgen]
    #[allow(missing_docs)] pub async fn hello(request: web_sys::Request) -> Result<JsValue, JsValue> {
        let v = jsonschema::validator_for(&serde_json::json!({"type":"object"})).map_err(|e| e.to_string())?;
        Ok(format!("{} {}", request.url(), v.is_valid(&serde_json::json!({}))).into())
    }
    #[wasm_bindgen]
    #[allow(missing_docs)] pub fn boom() { let v: Vec<u8> = vec![]; let i = std::hint::black_box(3); let _ = std::hint::black_box(v[i]); }
}
