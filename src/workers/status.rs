//! What this isolate counts, and the status that the Worker shows.

use std::rc::Rc;

use js_sys::Reflect;
use wasm_bindgen::JsValue;
use worker::Env;

use super::{ports, runtime};
use crate::{
    config::{ConnectionRow, Settings},
    runtime::{Bookkeeper, ConnectionStatus, Counters, Status},
};

/// The binding in `wrangler.toml` that tells which deployment this is.
const VERSION: &str = "VERSION";

thread_local! {
    // Numbers alone: nothing in it belongs to a request.
    static COUNTERS: Counters = Counters::default();
}

/// What counts and writes down what the runtimes of this isolate do.
pub(crate) fn bookkeeper() -> Rc<Bookkeeper> {
    let console = ports::ports().console;
    Rc::new(Bookkeeper::new(COUNTERS.with(Clone::clone), console))
}

/// How the Worker is doing.
pub(crate) fn status(settings: &Settings, env: &Env) -> Status {
    let mut status = Status::new(&COUNTERS.with(Clone::clone), &settings.unenforced);
    status.deployment = deployment(env);
    status.connections = runtime::connections(settings, env).into_iter().map(shown).collect();
    status
}

fn shown(row: ConnectionRow) -> ConnectionStatus {
    let ConnectionRow { name, word, operations, problem, .. } = row;
    ConnectionStatus { name, kind: word.to_owned(), operations, problem }
}

/// The id of the deployed version, where the platform tells.
fn deployment(env: &Env) -> Option<String> {
    let metadata = Reflect::get(env, &JsValue::from(VERSION)).ok()?;
    let id = Reflect::get(&metadata, &JsValue::from("id")).ok()?.as_string()?;
    (!id.is_empty()).then_some(id)
}
