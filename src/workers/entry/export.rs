//! The exports of a Worker, in the crate that is one.
//!
//! A crate that is linked into another would export what it has there too, so that a
//! library exports nothing: whoever makes a Worker writes [`entry!`](crate::entry).

/// What the macro names in the crate that it is written in.
#[doc(hidden)]
pub mod exports {
    pub use ::wasm_bindgen::{self as bindgen, JsValue, prelude::wasm_bindgen};
    pub use js_sys::{Function, Promise, WebAssembly::Module as Intake};
    pub use web_sys::Request;
    pub use worker::Env;
}

/// Makes a crate a Worker: exports what `entry.mjs` calls, over the parts that `build` gives.
///
/// `build` is a function from the bindings of a context to an
/// [`App`](crate::workers::App). The crate depends on this one without the feature
/// `entry`, which is the Worker as it is deployed without any Rust written:
///
/// ```toml
/// [lib]
/// crate-type = ["cdylib"]
///
/// [dependencies]
/// mycelium = { path = "../..", default-features = false }
/// ```
///
/// ```ignore
/// fn build(env: &worker::Env) -> mycelium::workers::App {
///     mycelium::workers::App::new().module(notes())
/// }
///
/// mycelium::entry!(build);
/// ```
///
/// It may have functions and objects of its own beside: a `fetch` that answers what isn't
/// the host's, and hands the rest to `gate`. `examples/notes` is such a Worker, with its
/// `entry.mjs` and its `wrangler.toml`; `cargo xtask build --library examples/notes` builds it.
#[macro_export]
macro_rules! entry {
    ($build:path) => {
        fn mycelium_build(env: &$crate::workers::entry::exports::Env) -> $crate::workers::App {
            $build(env)
        }

        /// What the host's `entry.mjs` calls.
        #[allow(unreachable_pub, reason = "JavaScript reaches it")]
        pub mod mycelium_exports {
            use $crate::workers::entry::{
                self,
                exports::{Env, Function, Intake, JsValue, Promise, Request, wasm_bindgen},
            };

            /// Hands over the compiled intake module and what is bundled, once for each
            /// instance of this one.
            #[wasm_bindgen(wasm_bindgen = $crate::workers::entry::exports::bindgen)]
            pub fn install(intake: Intake, bundled: JsValue) {
                entry::install(intake, bundled, super::mycelium_build);
            }

            /// The body that answers a request whose instance is lost.
            #[wasm_bindgen(wasm_bindgen = $crate::workers::entry::exports::bindgen, js_name = lostReply)]
            pub fn lost_reply() -> String {
                entry::lost_reply()
            }

            /// The body that answers a request which failed in the host.
            #[wasm_bindgen(wasm_bindgen = $crate::workers::entry::exports::bindgen, js_name = failedReply)]
            pub fn failed_reply(reference: &str) -> String {
                entry::failed_reply(reference)
            }

            /// Answers a request from outside.
            #[wasm_bindgen(wasm_bindgen = $crate::workers::entry::exports::bindgen)]
            pub fn gate(request: Request, env: Env, ctx: JsValue) -> Promise {
                entry::gate(request, env, ctx)
            }

            /// The reply of a service's method whose instance is lost.
            #[wasm_bindgen(wasm_bindgen = $crate::workers::entry::exports::bindgen, js_name = lostService)]
            pub fn lost_service() -> String {
                entry::lost_service()
            }

            /// The reference and the reply of a service's method that failed in the host.
            #[wasm_bindgen(wasm_bindgen = $crate::workers::entry::exports::bindgen, js_name = failedService)]
            pub fn failed_service() -> Vec<String> {
                entry::failed_service()
            }

            /// Serves `search`, `list`, `describe`, `invoke` or `status`.
            #[wasm_bindgen(wasm_bindgen = $crate::workers::entry::exports::bindgen)]
            pub fn serve(method: String, request: JsValue, env: Env, ctx: JsValue) -> Promise {
                entry::serve(method, request, env, ctx)
            }

            /// A program that a bound Worker runs.
            #[wasm_bindgen(wasm_bindgen = $crate::workers::entry::exports::bindgen)]
            pub struct Execution {
                part: entry::Execution,
            }

            #[wasm_bindgen(wasm_bindgen = $crate::workers::entry::exports::bindgen)]
            impl Execution {
                /// Begins it. The functions in `request` are taken before this returns.
                #[wasm_bindgen(constructor)]
                pub fn new(request: &JsValue, env: &Env, ctx: JsValue) -> Self {
                    Self { part: entry::Execution::new(request, env, ctx) }
                }

                /// Its reply, to be asked for once.
                pub fn reply(&self) -> Promise {
                    self.part.reply()
                }

                /// Ends it for its caller.
                pub fn cancel(&self, reason: Option<String>) {
                    self.part.cancel(reason);
                }
            }

            /// One connection's object.
            #[wasm_bindgen(wasm_bindgen = $crate::workers::entry::exports::bindgen)]
            pub struct Connection {
                part: entry::Connection,
            }

            #[wasm_bindgen(wasm_bindgen = $crate::workers::entry::exports::bindgen)]
            impl Connection {
                /// The object whose context and bindings these are; `hold` counts the
                /// streams that are open, up and down.
                #[wasm_bindgen(constructor)]
                pub fn new(ctx: JsValue, env: Env, hold: Function) -> Result<Connection, JsValue> {
                    Ok(Self { part: entry::Connection::new(&ctx, &env, hold)? })
                }

                /// Answers a request that the Worker forwarded.
                pub fn fetch(&self, request: Request) -> Promise {
                    self.part.fetch(request)
                }

                /// Does what has fallen due.
                pub fn alarm(&self) -> Promise {
                    self.part.alarm()
                }
            }

            /// One principal's object.
            #[wasm_bindgen(wasm_bindgen = $crate::workers::entry::exports::bindgen)]
            pub struct Principal {
                part: entry::Principal,
            }

            #[wasm_bindgen(wasm_bindgen = $crate::workers::entry::exports::bindgen)]
            impl Principal {
                /// The object whose context and bindings these are.
                #[wasm_bindgen(constructor)]
                pub fn new(ctx: JsValue, env: Env) -> Result<Principal, JsValue> {
                    Ok(Self { part: entry::Principal::new(&ctx, env)? })
                }

                /// Answers a connection's object.
                pub fn fetch(&self, request: Request) -> Promise {
                    self.part.fetch(request)
                }
            }

            /// The owner of what one MCP server is spoken to with.
            #[wasm_bindgen(wasm_bindgen = $crate::workers::entry::exports::bindgen)]
            pub struct Upstream {
                part: entry::Upstream,
            }

            #[wasm_bindgen(wasm_bindgen = $crate::workers::entry::exports::bindgen)]
            impl Upstream {
                /// The object whose context and bindings these are.
                #[wasm_bindgen(constructor)]
                pub fn new(ctx: JsValue, env: Env) -> Self {
                    Self { part: entry::Upstream::new(&ctx, env) }
                }

                /// Answers whoever calls the server.
                pub fn fetch(&self, request: Request) -> Promise {
                    self.part.fetch(request)
                }
            }

            /// One persona's book of pens.
            #[wasm_bindgen(wasm_bindgen = $crate::workers::entry::exports::bindgen)]
            pub struct Pen {
                part: entry::Pen,
            }

            #[wasm_bindgen(wasm_bindgen = $crate::workers::entry::exports::bindgen)]
            impl Pen {
                /// The object whose context this is.
                #[wasm_bindgen(constructor)]
                pub fn new(ctx: JsValue) -> Self {
                    Self { part: entry::Pen::new(ctx) }
                }

                /// Carries out an order of the Worker's.
                pub fn fetch(&self, request: Request) -> Promise {
                    self.part.fetch(request)
                }
            }
        }
    };
}
