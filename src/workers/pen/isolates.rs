//! Isolates of pens, each with a network of ours.

use std::rc::Rc;

use wasm_bindgen::JsValue;

use super::{
    super::guest::{self, RunnerLoader},
    books::book,
};
use crate::{
    pen::{Isolates, Outbound},
    sandbox::Loader,
};

/// Isolates loaded in one context.
pub(crate) struct RunnerIsolates {
    context: JsValue,
    bucket: String,
}

impl RunnerIsolates {
    /// Over the context of an object or of a stateless request, for the pens of the bucket with
    /// this binding.
    pub(crate) fn new(context: JsValue, bucket: &str) -> Self {
        Self { context, bucket: bucket.to_owned() }
    }
}

impl Isolates for RunnerIsolates {
    fn loader(&self, outbound: Outbound) -> Rc<dyn Loader> {
        let outbound = guest::Outbound {
            book: book(&self.bucket, outbound.pen_id.persona()),
            pen: outbound.pen_id.to_string(),
            allow: outbound.allow,
        };
        Rc::new(RunnerLoader::outbound(self.context.clone(), outbound))
    }
}
