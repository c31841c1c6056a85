//! For tests of a host: a time that stands still, and a sandbox that isolates nothing.
//!
//! Only with the feature `testing`, which no deployed Worker has.
//!
//! ```
//! use mycelium::{Mycelium, demo, runtime::{Options, ToolCall}, testing::{Host, direct_sandbox}};
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
//!     let parts: Vec<_> = prepared.execute(runtime.cancellation()).collect().await;
//!     lease.release().await;
//!     runtime.close().await;
//!     parts[0].result.content[0].clone()
//! });
//! assert_eq!(text.as_deref(), Some(r#"{"value":"pong"}"#));
//! ```
//!
//! Spec: 000, "Quick start without a model".

mod direct;
mod host;
mod started;
mod time;

pub use direct::{DirectBindings, DirectError, DirectSandbox, direct_sandbox};
pub use host::Host;
pub use started::Started;
pub use time::Time;
