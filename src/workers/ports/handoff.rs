//! One JavaScript promise a hand-over: its continuation runs where it was awaited.

use futures::{FutureExt, future::LocalBoxFuture};
use js_sys::{Function, Promise};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen_futures::JsFuture;

use super::RemoteFunction;
use crate::port::{Give, Handoff};

pub(super) struct PromiseHandoff;

impl Handoff for PromiseHandoff {
    fn pair(&self) -> (Give, LocalBoxFuture<'static, ()>) {
        let (resolve, given) = promise();
        let give = Give::new(Box::new(move || {
            // A promise's own resolve function doesn't throw.
            let _ = resolve.call(&[]);
        }));
        (give, given)
    }
}

#[wasm_bindgen]
extern "C" {
    type Resolvers;
    #[wasm_bindgen(js_namespace = Promise, js_name = withResolvers)]
    fn with_resolvers() -> Resolvers;
    #[wasm_bindgen(method, getter)]
    fn promise(this: &Resolvers) -> Promise;
    #[wasm_bindgen(method, getter)]
    fn resolve(this: &Resolvers) -> Function;
    #[wasm_bindgen(method, getter)]
    fn reject(this: &Resolvers) -> Function;
}

/// A promise as its resolve function and its future.
///
/// It must be resolved some time: until then the future's callbacks stay alive,
/// also when the future has been dropped.
pub(super) fn promise() -> (RemoteFunction, LocalBoxFuture<'static, ()>) {
    let resolvers = with_resolvers();
    let resolved = JsFuture::from(resolvers.promise()).map(drop).boxed_local();
    (RemoteFunction::new(resolvers.resolve()), resolved)
}

/// A promise and the function that rejects it; nothing resolves it.
pub(crate) fn rejectable() -> (RemoteFunction, Promise) {
    let resolvers = with_resolvers();
    (RemoteFunction::new(resolvers.reject()), resolvers.promise())
}
