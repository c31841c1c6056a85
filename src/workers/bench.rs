//! For benches only: an execution without MCP and without an object, and what it may call.

use std::panic::AssertUnwindSafe;

use js_sys::Promise;
use serde_json::json as value;
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};
use wasm_bindgen_futures::future_to_promise;
use worker::Env;

use super::{http, runtime};
use crate::{
    json,
    operation::{Module, NoInput, Operation},
    runtime::{ToolCall, last_part},
    schema::Schema,
};

/// The module `bench`, which the other sides of the benches have too.
pub(super) fn module() -> Module {
    let ping = Operation::typed(|_: NoInput, _| async { Ok(Pong { value: "pong" }) });
    let echo = Operation::new(value!({"type": "object"}), |input, _| async { Ok(input) });
    Module::new("bench", "bench").operation("ping", ping).operation("echo", echo)
}

#[derive(serde::Serialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
struct Pong {
    value: &'static str,
}

/// Runs `code` in a runtime of this request's own; its answer or its failure as text.
#[wasm_bindgen(js_name = benchExecute)]
pub fn bench_execute(context: JsValue, env: Env, code: String) -> Promise {
    future_to_promise(AssertUnwindSafe(async move {
        let settings = runtime::settings(&env).map_err(|errors| http::config_text(&errors))?;
        let runtime = runtime::runtime(&settings, &env, context, Vec::new())?;
        let lease = runtime.acquire(None).await.map_err(told)?;
        let call = ToolCall {
            id: "bench".to_owned(),
            name: "execute".to_owned(),
            arguments: value!({ "code": code }),
        };
        let prepared = lease.execute_tool().prepare(&call).map_err(told)?;
        let last = last_part(prepared.execute(runtime.cancellation()), |_| ()).await;
        let text = last.and_then(|last| last.result.content.into_iter().next());
        Ok(text.unwrap_or_default().into())
    }))
}

/// A schema that texts are held to, as a call's input is.
#[wasm_bindgen]
pub struct BenchSchema(AssertUnwindSafe<Schema>);

#[wasm_bindgen]
impl BenchSchema {
    /// The schema of this text.
    ///
    /// # Errors
    ///
    /// What is wrong with it.
    #[wasm_bindgen(constructor)]
    pub fn new(schema: &str) -> Result<BenchSchema, JsValue> {
        let schema = json::parse(schema).map_err(told)?;
        Ok(Self(AssertUnwindSafe(Schema::new(schema).map_err(told)?)))
    }

    /// Whether it takes the value of this text.
    pub fn takes(&self, text: &str) -> bool {
        self.0.certainly_takes(text) || self.reads_whole(text)
    }

    /// The same, and the value is read, as that of a call's input is.
    pub fn reads(&self, text: &str) -> bool {
        match self.0.certainly_takes(text) {
            true => json::parse_known(text).is_ok(),
            false => self.reads_whole(text),
        }
    }

    /// Looks at how the text begins: what crossing takes.
    pub fn crosses(&self, text: &str) -> bool {
        text.starts_with('{')
    }
}

impl BenchSchema {
    fn reads_whole(&self, text: &str) -> bool {
        json::parse_input(text, usize::MAX).is_ok_and(|input| self.0.validate(&input).is_ok())
    }
}

fn told(error: impl std::fmt::Display) -> JsValue {
    JsValue::from(error.to_string())
}
