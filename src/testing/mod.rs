//! For tests of a host: a time that stands still, a sandbox that isolates nothing, and
//! the laws that every sandbox keeps.
//!
//! Only with the feature `testing`, which no deployed Worker has. Inside a Worker the
//! time is the platform's own.
//!
//! ```
//! use mycelium::{Mycelium, demo, runtime::{Options, Part, ToolCall}, testing::{Host, direct_sandbox}};
//! use futures::StreamExt;
//! use serde_json::json;
//!
//! let host = Host::new();
//! let sandbox = direct_sandbox(|bindings, _signal| async move {
//!     bindings.call("demo.ping", json!({})).await
//! });
//! let runtime = Mycelium::open(host.options(vec![demo()], sandbox)).unwrap();
//! let text = host.run(async move {
//!     let lease = runtime.acquire(None).await.unwrap();
//!     let call = ToolCall {
//!         id: "example-execute".to_owned(),
//!         name: "execute".to_owned(),
//!         arguments: json!({"code": "return demo.ping({})"}),
//!     };
//!     let prepared = lease.execute_tool().prepare(&call).unwrap();
//!     let mut parts: Vec<_> = prepared.execute(runtime.cancellation()).collect().await;
//!     lease.release().await;
//!     runtime.close().await;
//!     parts.pop().and_then(Part::last).unwrap().result.content[0].clone()
//! });
//! assert_eq!(text.as_deref(), Some(r#"{"value":"pong"}"#));
//! ```
//!
//! Spec: 000, "Quick start without a model".

mod contract;
mod direct;
#[cfg(not(target_arch = "wasm32"))]
mod fetch;
#[cfg(not(target_arch = "wasm32"))]
mod host;
#[cfg(not(target_arch = "wasm32"))]
mod started;
#[cfg(not(target_arch = "wasm32"))]
mod time;
mod workload;

pub use contract::{BrokenLaw, Candidate, Scenario, sandbox_contract};
pub use direct::{DirectBindings, DirectError, DirectSandbox, direct_sandbox};
#[cfg(not(target_arch = "wasm32"))]
pub use fetch::{FakeFetch, Reply};
#[cfg(not(target_arch = "wasm32"))]
pub use host::Host;
#[cfg(not(target_arch = "wasm32"))]
pub use started::Started;
#[cfg(not(target_arch = "wasm32"))]
pub use time::Time;
pub use workload::{Discovery, ReadyGraph, Texts, Workload};
