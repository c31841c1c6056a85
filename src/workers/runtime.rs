//! Puts a runtime together from the platform's parts.

use std::{cell::RefCell, rc::Rc};

use wasm_bindgen::JsValue;
use worker::Env;

use super::{
    guest::RunnerLoader,
    ports::{self, WasmIntake},
};
use crate::{
    config::{ConfigError, Settings},
    operation::Catalog,
    runtime::{Mycelium, Notices, Parts},
    sandbox::GuestSandbox,
    schema::SchemaError,
};

thread_local! {
    // What is built once an isolate; finished values only.
    static SHARED: RefCell<Option<Rc<Shared>>> = const { RefCell::new(None) };
}

/// What every runtime in this isolate shares.
struct Shared {
    catalog: Rc<Catalog>,
    notices: Rc<Notices>,
}

/// Reads the deployment's settings from its variables.
///
/// # Errors
///
/// Every wrong key.
pub(super) fn settings(env: &Env) -> Result<Settings, Vec<ConfigError>> {
    Settings::read(|key| env.var(key).ok().map(|text| text.to_string()))
}

/// A runtime for one object or one stateless request, whose context is `ctx`.
pub(super) fn runtime(settings: &Settings, ctx: JsValue) -> Result<Mycelium, JsValue> {
    let shared = shared(settings)?;
    Ok(Mycelium::new(Parts {
        catalog: Rc::clone(&shared.catalog),
        intake: Rc::new(WasmIntake),
        sandbox: Rc::new(GuestSandbox::new(Rc::new(RunnerLoader::new(ctx)))),
        limits: settings.limits.clone(),
        notices: Rc::clone(&shared.notices),
        ports: ports::ports(),
    }))
}

fn shared(settings: &Settings) -> Result<Rc<Shared>, JsValue> {
    if let Some(shared) = SHARED.with_borrow(Clone::clone) {
        return Ok(shared);
    }
    let modules = modules().map_err(|error| JsValue::from(error.to_string()))?;
    let catalog = Catalog::new(modules).map_err(|error| JsValue::from(error.to_string()))?;
    let shared = Rc::new(Shared {
        catalog: Rc::new(catalog),
        notices: Rc::new(Notices::new(settings.unenforced.clone())),
    });
    SHARED.set(Some(Rc::clone(&shared)));
    Ok(shared)
}

fn modules() -> Result<Vec<crate::Module>, SchemaError> {
    Ok(vec![
        crate::demo()?,
        #[cfg(feature = "faults")]
        super::faults::module()?,
    ])
}
