//! An R2 bucket as a store of objects.

use futures::{FutureExt, future::LocalBoxFuture};
use js_sys::{Array, Object as JsObject, Promise, Reflect, Uint8Array};
use wasm_bindgen::{JsCast, JsValue, prelude::wasm_bindgen};
use wasm_bindgen_futures::JsFuture;

use crate::{
    failure::bounded,
    knapsack::files::{ByteRange, Condition, Object, ObjectPage, ObjectStore, Objects, StoreError},
};

#[wasm_bindgen]
extern "C" {
    /// A bucket's binding.
    #[derive(Clone)]
    pub(crate) type R2Bucket;

    #[wasm_bindgen(method, catch)]
    fn get(this: &R2Bucket, key: &str, options: &JsObject) -> Result<Promise, JsValue>;

    #[wasm_bindgen(method, catch)]
    fn head(this: &R2Bucket, key: &str) -> Result<Promise, JsValue>;

    #[wasm_bindgen(method, catch)]
    fn put(
        this: &R2Bucket,
        key: &str,
        content: &Uint8Array,
        options: &JsObject,
    ) -> Result<Promise, JsValue>;

    #[wasm_bindgen(method, catch)]
    fn delete(this: &R2Bucket, key: &str) -> Result<Promise, JsValue>;

    #[wasm_bindgen(method, catch)]
    fn list(this: &R2Bucket, options: &JsObject) -> Result<Promise, JsValue>;

    type R2ObjectBody;

    #[wasm_bindgen(method, catch, js_name = arrayBuffer)]
    fn array_buffer(this: &R2ObjectBody) -> Result<Promise, JsValue>;
}

/// The most bytes of what the platform says about a failure.
const EVIDENCE_BYTES: usize = 512;

/// A bucket.
#[derive(Clone)]
pub(crate) struct R2Store {
    bucket: R2Bucket,
}

impl R2Store {
    /// The bucket of a binding.
    pub(crate) fn new(bucket: R2Bucket) -> Self {
        Self { bucket }
    }

    async fn part(&self, key: &str, range: ByteRange) -> Result<Option<Object>, JsValue> {
        match self.ranged(key, range).await {
            Ok(object) => Ok(object),
            // R2 throws for a range past the end, which is no part of an object and no fault.
            Err(cause) => match self.past_the_end(key, range.offset).await? {
                Some(object) => Ok(Some(object)),
                None => Err(cause),
            },
        }
    }

    async fn ranged(&self, key: &str, range: ByteRange) -> Result<Option<Object>, JsValue> {
        let bounds = object(&[
            ("offset", number(range.offset)),
            (
                "length",
                JsValue::from_f64(f64::from(u32::try_from(range.length).unwrap_or(u32::MAX))),
            ),
        ])?;
        let options = object(&[("range", bounds.into())])?;
        let found = JsFuture::from(self.bucket.get(key, &options)?).await?;
        if found.is_null() {
            return Ok(None);
        }
        let (total, etag) = facts(&found)?;
        let body: R2ObjectBody = found.unchecked_into();
        let buffer = JsFuture::from(body.array_buffer()?).await?;
        Ok(Some(Object { bytes: Uint8Array::new(&buffer).to_vec(), total, etag }))
    }

    /// The empty part of an object that ends before `offset`.
    async fn past_the_end(&self, key: &str, offset: u64) -> Result<Option<Object>, JsValue> {
        let found = JsFuture::from(self.bucket.head(key)?).await?;
        if found.is_null() {
            return Ok(None);
        }
        let (total, etag) = facts(&found)?;
        Ok((total <= offset).then(|| Object { bytes: Vec::new(), total, etag }))
    }

    async fn store(
        &self,
        key: &str,
        content: &[u8],
        condition: Condition,
    ) -> Result<bool, JsValue> {
        let only_if = match condition {
            Condition::Always => JsValue::UNDEFINED,
            Condition::Absent => {
                let headers = web_sys::Headers::new()?;
                headers.append("if-none-match", "*")?;
                headers.into()
            }
            Condition::Etag(etag) => object(&[("etagMatches", etag.into())])?.into(),
        };
        let options = object(&[("onlyIf", only_if)])?;
        let stored = self.bucket.put(key, &Uint8Array::from(content), &options)?;
        // Null says that the condition did not hold.
        Ok(!JsFuture::from(stored).await?.is_null())
    }

    async fn page(&self, asked: Objects) -> Result<ObjectPage, JsValue> {
        let limit = f64::from(u32::try_from(asked.limit).unwrap_or(u32::MAX));
        let optional = |text: Option<String>| text.map_or(JsValue::UNDEFINED, JsValue::from);
        let options = object(&[
            ("prefix", asked.prefix.into()),
            ("delimiter", optional(asked.folders.then(|| "/".to_owned()))),
            ("cursor", optional(asked.cursor)),
            ("limit", JsValue::from_f64(limit)),
        ])?;
        let listed = JsFuture::from(self.bucket.list(&options)?).await?;
        let mut page = ObjectPage::default();
        for entry in member(&listed, "objects")?.dyn_into::<Array>()? {
            page.objects.push((text(&entry, "key")?, length(&entry)?));
        }
        for folder in member(&listed, "delimitedPrefixes")?.dyn_into::<Array>()? {
            page.folders.extend(folder.as_string());
        }
        if member(&listed, "truncated")?.is_truthy() {
            page.cursor = Some(text(&listed, "cursor")?);
        }
        Ok(page)
    }
}

fn object(members: &[(&str, JsValue)]) -> Result<JsObject, JsValue> {
    let object = JsObject::new();
    for (name, value) in members {
        Reflect::set(&object, &JsValue::from(*name), value)?;
    }
    Ok(object)
}

fn member(of: &JsValue, name: &str) -> Result<JsValue, JsValue> {
    Reflect::get(of, &JsValue::from(name))
}

fn text(of: &JsValue, name: &str) -> Result<String, JsValue> {
    member(of, name)?.as_string().ok_or_else(|| JsValue::from(format!("R2 gave no {name}")))
}

/// Lengths of objects are whole numbers below 2^53.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the cast saturates, and R2's objects are at most 5 TiB"
)]
fn length(of: &JsValue) -> Result<u64, JsValue> {
    let size = member(of, "size")?.as_f64();
    size.map(|size| size as u64).ok_or_else(|| JsValue::from("R2 gave no size"))
}

#[allow(clippy::cast_precision_loss, reason = "an offset past 2^53 is past every object's end")]
fn number(whole: u64) -> JsValue {
    JsValue::from_f64(whole as f64)
}

fn facts(of: &JsValue) -> Result<(u64, String), JsValue> {
    Ok((length(of)?, text(of, "etag")?))
}

fn failed(cause: JsValue) -> StoreError {
    StoreError { evidence: bounded(&format!("{cause:?}"), EVIDENCE_BYTES) }
}

impl ObjectStore for R2Store {
    fn get(
        &self,
        key: String,
        range: ByteRange,
    ) -> LocalBoxFuture<'static, Result<Option<Object>, StoreError>> {
        let store = self.clone();
        async move { store.part(&key, range).await.map_err(failed) }.boxed_local()
    }

    fn put(
        &self,
        key: String,
        content: Vec<u8>,
        condition: Condition,
    ) -> LocalBoxFuture<'static, Result<bool, StoreError>> {
        let store = self.clone();
        async move { store.store(&key, &content, condition).await.map_err(failed) }.boxed_local()
    }

    fn delete(&self, key: String) -> LocalBoxFuture<'static, Result<(), StoreError>> {
        let store = self.clone();
        async move {
            let deleted = store.bucket.delete(&key).map_err(failed)?;
            JsFuture::from(deleted).await.map(drop).map_err(failed)
        }
        .boxed_local()
    }

    fn list(&self, objects: Objects) -> LocalBoxFuture<'static, Result<ObjectPage, StoreError>> {
        let store = self.clone();
        async move { store.page(objects).await.map_err(failed) }.boxed_local()
    }
}
