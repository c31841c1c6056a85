//! Work that outlives its caller, by a task of its own in this context.

use futures::future::LocalBoxFuture;

use crate::port::Background;

pub(super) struct SpawnedBackground;

impl Background for SpawnedBackground {
    fn spawn(&self, work: LocalBoxFuture<'static, ()>) {
        wasm_bindgen_futures::spawn_local(work);
    }
}
