//! Asking another host, by the platform's `fetch`.
//!
//! Redirects are never followed, and the request is aborted when the future or the
//! answer is dropped.

use futures::{FutureExt, future::LocalBoxFuture};
use js_sys::{Array, Promise, Reflect, Uint8Array};
use wasm_bindgen::{JsCast, JsValue, prelude::wasm_bindgen};
use wasm_bindgen_futures::JsFuture;

use super::{Abort, RemoteFunction};
use crate::{
    failure::bounded,
    port::fetch::{Answer, Body, Fetch, FetchError, Request},
};

#[wasm_bindgen]
extern "C" {
    type Reader;

    #[wasm_bindgen(method, catch)]
    fn read(this: &Reader) -> Result<Promise, JsValue>;
}

/// The most bytes of what the platform says about a failure.
const EVIDENCE_BYTES: usize = 512;

/// The platform's own `fetch`.
pub(crate) struct PlatformFetch;

impl Fetch for PlatformFetch {
    fn fetch(&self, request: Request) -> LocalBoxFuture<'static, Result<Answer, FetchError>> {
        async move {
            let abort = Abort::new().map_err(unsendable)?;
            let sent = send(&request, &abort).map_err(unsendable)?;
            let response = JsFuture::from(sent).await.map_err(unreachable)?;
            answer(response.unchecked_into(), abort).map_err(broken)
        }
        .boxed_local()
    }
}

fn send(request: &Request, abort: &Abort) -> Result<Promise, JsValue> {
    let headers = web_sys::Headers::new()?;
    for (name, value) in &request.headers {
        headers.append(name, value)?;
    }
    let init = web_sys::RequestInit::new();
    init.set_method(&request.method);
    init.set_headers(&headers);
    init.set_redirect(web_sys::RequestRedirect::Manual);
    init.set_signal(Some(&abort.signal()));
    if let Some(body) = &request.body {
        init.set_body(&Uint8Array::from(body.as_slice()));
    }
    let fetch = RemoteFunction::member(&js_sys::global(), "fetch")?;
    // What can't be sent throws here, before anything leaves.
    let request = web_sys::Request::new_with_str_and_init(&request.url, &init)?;
    fetch.call(&[request.into()])?.dyn_into()
}

fn answer(response: web_sys::Response, abort: Abort) -> Result<Answer, JsValue> {
    let reader = match response.body() {
        Some(body) => Some(RemoteFunction::member(&body, "getReader")?.call(&[])?.unchecked_into()),
        None => None,
    };
    Ok(Answer {
        status: response.status(),
        headers: headers(&response.headers())?,
        body: Box::new(Parts { reader, _abort: abort }),
    })
}

/// The headers; the platform gives their names in small letters.
fn headers(headers: &web_sys::Headers) -> Result<Vec<(String, String)>, JsValue> {
    let mut listed = Vec::new();
    for entry in js_sys::try_iter(headers)?.into_iter().flatten() {
        let entry: Array = entry?.unchecked_into();
        let (name, value) = (entry.get(0).as_string(), entry.get(1).as_string());
        listed.extend(name.zip(value));
    }
    Ok(listed)
}

struct Parts {
    reader: Option<Reader>,
    // Ends the request when the body is dropped before its end.
    _abort: Abort,
}

impl Parts {
    async fn part(&mut self) -> Result<Option<Vec<u8>>, JsValue> {
        let Some(reader) = &self.reader else { return Ok(None) };
        loop {
            let read = JsFuture::from(reader.read()?).await?;
            if Reflect::get(&read, &JsValue::from("done"))?.is_truthy() {
                self.reader = None;
                return Ok(None);
            }
            let part: Uint8Array = Reflect::get(&read, &JsValue::from("value"))?.dyn_into()?;
            if part.length() > 0 {
                return Ok(Some(part.to_vec()));
            }
        }
    }
}

impl Body for Parts {
    fn next(&mut self) -> LocalBoxFuture<'_, Result<Option<Vec<u8>>, FetchError>> {
        async move { self.part().await.map_err(broken) }.boxed_local()
    }
}

fn evidence(cause: &JsValue) -> String {
    bounded(&format!("{cause:?}"), EVIDENCE_BYTES)
}

fn unsendable(cause: JsValue) -> FetchError {
    FetchError::Unsendable { evidence: evidence(&cause) }
}

fn unreachable(cause: JsValue) -> FetchError {
    FetchError::Unreachable { evidence: evidence(&cause) }
}

fn broken(cause: JsValue) -> FetchError {
    FetchError::Broken { evidence: evidence(&cause) }
}
