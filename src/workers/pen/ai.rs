//! Workers AI as a writer.

use futures::{FutureExt, future::LocalBoxFuture};
use js_sys::{JSON, Promise, Reflect};
use serde_json::json;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

use super::super::ports::RemoteFunction;
use crate::{
    failure::bounded,
    limits::{WRITER_BYTES, WRITER_TOKENS},
    pen::{Asked, Writer, WriterError, read_reply},
};

/// The most bytes of what the platform says about a failure.
const EVIDENCE_BYTES: usize = 512;

/// A model of the Workers AI binding.
#[derive(Clone)]
pub(crate) struct AiWriter {
    binding: JsValue,
    model: String,
}

impl AiWriter {
    /// The model `model` of the binding.
    pub(crate) fn new(binding: JsValue, model: &str) -> Self {
        Self { binding, model: model.to_owned() }
    }

    async fn asked(&self, asked: &Asked) -> Result<String, JsValue> {
        let input = json!({
            "messages": asked.messages,
            "stream": false,
            "temperature": 0,
            "max_tokens": WRITER_TOKENS,
        });
        let input = JSON::parse(&input.to_string())?;
        let run = RemoteFunction::member(&self.binding, "run")?;
        let promise: Promise = run.call(&[self.model.as_str().into(), input])?.unchecked_into();
        let answer = JsFuture::from(promise).await?;
        // Models of the binding differ: some answer with a text, some as the chat API does.
        if let Some(text) = Reflect::get(&answer, &"response".into())?.as_string() {
            let choice = json!({"choices": [{"message": {"content": text}}]});
            return Ok(choice.to_string());
        }
        let text = JSON::stringify(&answer)?;
        Ok(text.as_string().unwrap_or_default())
    }
}

impl Writer for AiWriter {
    fn answer(&self, asked: Asked) -> LocalBoxFuture<'static, Result<String, WriterError>> {
        let writer = self.clone();
        async move {
            let answer = writer.asked(&asked).await.map_err(|cause| {
                WriterError::new("Workers AI failed; try again later")
                    .with_evidence(bounded(&format!("{cause:?}"), EVIDENCE_BYTES))
            })?;
            if answer.len() > WRITER_BYTES {
                let problem =
                    format!("the model's answer has more than {WRITER_BYTES} bytes; ask for less");
                return Err(WriterError::new(problem));
            }
            read_reply(answer.as_bytes())
        }
        .boxed_local()
    }
}
