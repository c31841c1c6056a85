//! Files in an R2 bucket.

use std::rc::Rc;

use wasm_bindgen::JsCast;
use worker::Env;

use super::{super::ports::R2Store, binding};
use crate::{
    config,
    knapsack::files::{Files, StoredFiles},
    operation::Module,
};

/// The module `name`, over the bucket's binding.
pub(super) fn module(name: &str, files: &config::Files, env: &Env) -> Result<Module, String> {
    Ok(Files::new(Rc::new(port(files, env)?)).module(name, name))
}

/// The files themselves.
pub(super) fn port(files: &config::Files, env: &Env) -> Result<StoredFiles, String> {
    let bucket = binding(env, &files.bucket, "r2_buckets")?;
    let store = R2Store::new(bucket.unchecked_into());
    Ok(StoredFiles::new(Rc::new(store), &files.prefix).patches(files.patch))
}
