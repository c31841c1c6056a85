//! Checking signatures and fetching keys, by the platform's own functions.

use futures::{
    FutureExt,
    future::{Either, LocalBoxFuture, select},
};
use js_sys::{Array, Promise, Uint8Array};
use serde_json::{Map, Value, json};
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};
use wasm_bindgen_futures::JsFuture;
use worker::{Fetch, RequestInit, RequestRedirect};

use super::{console::PlatformConsole, timer::PlatformTimer};
use crate::{
    auth::{Algorithm, Jwks, Signatures},
    port::{Console, Timer},
};

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = ["crypto", "subtle"], js_name = importKey, catch)]
    fn import_key(
        format: &str,
        key: &JsValue,
        algorithm: &JsValue,
        extractable: bool,
        usages: &JsValue,
    ) -> Result<Promise, JsValue>;
    #[wasm_bindgen(js_namespace = ["crypto", "subtle"], js_name = verify, catch)]
    fn verify(
        algorithm: &JsValue,
        key: &JsValue,
        signature: &Uint8Array,
        signed: &Uint8Array,
    ) -> Result<Promise, JsValue>;
}

/// The members of a key that say it; the others say what it is for.
const MEMBERS: [&str; 6] = ["kty", "crv", "x", "y", "n", "e"];

/// Bytes of a key set.
const SET_BYTES: usize = 256 * 1_024;

/// Milliseconds that an issuer has to answer.
const FETCH_MS: u64 = 5_000;

pub(crate) struct PlatformSignatures;

fn parameters(algorithm: Algorithm) -> Value {
    match algorithm {
        Algorithm::Es256 => json!({ "name": "ECDSA", "namedCurve": "P-256", "hash": "SHA-256" }),
        Algorithm::Rs256 => json!({ "name": "RSASSA-PKCS1-v1_5", "hash": "SHA-256" }),
    }
}

fn object(value: &Value) -> Result<JsValue, JsValue> {
    js_sys::JSON::parse(&value.to_string())
}

async fn verified(
    algorithm: Algorithm,
    jwk: Map<String, Value>,
    signed: &[u8],
    signature: &[u8],
) -> Result<bool, JsValue> {
    let key: Map<String, Value> =
        jwk.into_iter().filter(|(name, _)| MEMBERS.contains(&name.as_str())).collect();
    let parameters = object(&parameters(algorithm))?;
    let usages = Array::of1(&"verify".into());
    let key = import_key("jwk", &object(&Value::Object(key))?, &parameters, false, &usages)?;
    let key = JsFuture::from(key).await?;
    let (signature, signed) = (Uint8Array::from(signature), Uint8Array::from(signed));
    let verified = verify(&parameters, &key, &signature, &signed)?;
    Ok(JsFuture::from(verified).await?.as_bool().unwrap_or(false))
}

impl Signatures for PlatformSignatures {
    fn verify(
        &self,
        algorithm: Algorithm,
        jwk: Map<String, Value>,
        signed: Vec<u8>,
        signature: Vec<u8>,
    ) -> LocalBoxFuture<'static, bool> {
        async move {
            verified(algorithm, jwk, &signed, &signature).await.unwrap_or_else(|cause| {
                PlatformConsole.warn(&format!("a signature can't be checked: {cause:?}"));
                false
            })
        }
        .boxed_local()
    }
}

pub(crate) struct PlatformJwks;

async fn fetched(url: &str) -> worker::Result<Option<String>> {
    let mut init = RequestInit::new();
    // Keys come from where they are said to be, and from nowhere else.
    init.with_redirect(RequestRedirect::Manual);
    let request = worker::Request::new_with_init(url, &init)?;
    let mut response = Fetch::Request(request).send().await?;
    if response.status_code() != 200 {
        return Ok(None);
    }
    let text = response.text().await?;
    Ok((text.len() <= SET_BYTES).then_some(text))
}

impl Jwks for PlatformJwks {
    fn fetch(&self, url: &str) -> LocalBoxFuture<'static, Option<String>> {
        let url = url.to_owned();
        async move {
            let fetching = fetched(&url).boxed_local();
            match select(fetching, PlatformTimer.sleep(FETCH_MS)).await {
                Either::Left((Ok(found), _)) => found,
                Either::Left((Err(cause), _)) => {
                    PlatformConsole.warn(&format!("an issuer's keys can't be fetched: {cause}"));
                    None
                }
                Either::Right(_) => {
                    PlatformConsole.warn("an issuer's keys can't be fetched: it takes too long");
                    None
                }
            }
        }
        .boxed_local()
    }
}
