//! What the build bundled beside the code: the configuration, and the tables it may name.

use std::{cell::RefCell, collections::BTreeMap};

use js_sys::{Object, Reflect};
use wasm_bindgen::{JsCast, JsValue};

thread_local! {
    // The object that the bundle has, as it stands: it is read once, at the first request.
    static BUNDLE: RefCell<JsValue> = const { RefCell::new(JsValue::UNDEFINED) };
}

/// The configuration's text and the tables' texts by their names.
#[derive(Default)]
pub(super) struct Bundle {
    pub(super) toml: String,
    pub(super) tables: BTreeMap<String, String>,
}

/// Takes `{"toml": text, "tables": {name: text}}`.
pub(super) fn install(bundle: JsValue) {
    BUNDLE.set(bundle);
}

/// What was installed; without it nothing is configured.
pub(super) fn read() -> Bundle {
    let bundle = BUNDLE.with_borrow(Clone::clone);
    let member = |name: &str| Reflect::get(&bundle, &JsValue::from(name)).ok();
    let tables = member("tables").and_then(|tables| tables.dyn_into::<Object>().ok());
    let entries = tables.iter().flat_map(|tables| Object::entries(tables).to_vec());
    let entry = |entry: JsValue| {
        let entry: js_sys::Array = entry.dyn_into().ok()?;
        Some((entry.get(0).as_string()?, entry.get(1).as_string()?))
    };
    Bundle {
        toml: member("toml").and_then(|toml| toml.as_string()).unwrap_or_default(),
        tables: entries.filter_map(entry).collect(),
    }
}
