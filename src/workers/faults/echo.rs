//! A server described by OpenAPI, where a test has one: the variable `ECHO_SERVER` says
//! where, `ECHO_TABLE` what it offers, and `ECHO_TOKEN` is its credential.

use std::rc::Rc;

use wasm_bindgen::JsValue;
use worker::Env;

use super::super::ports::{self, BoundSecrets, PlatformConsole, PlatformFetch};
use crate::{
    forage::openapi::Table,
    knapsack::openapi::{ConnectionOptions, ConnectionPorts, Credential, Server, module},
    operation::Module,
    port::{Console, Secrets},
};

/// Milliseconds that the server has.
const TIMEOUT_MS: u64 = 5_000;

/// The module `echo`, if the variables say where its server is.
pub(super) fn echo(env: &Env) -> Option<Module> {
    let bindings: &JsValue = env.as_ref();
    let secrets: Rc<dyn Secrets> = Rc::new(BoundSecrets::new(bindings.clone()));
    let (server, table) = secrets.secret("ECHO_SERVER").zip(secrets.secret("ECHO_TABLE"))?;
    let opened = open(&server, &table, secrets);
    opened.map_err(|problem| PlatformConsole.warn(&format!("no echo: {problem}"))).ok()
}

fn open(server: &str, table: &str, secrets: Rc<dyn Secrets>) -> Result<Module, String> {
    let table = Table::read(table).map_err(|error| error.to_string())?;
    let server = Server::new(server).map_err(|error| error.to_string())?;
    let mut options = ConnectionOptions::new(server);
    options.credential = Credential::Bearer { secret: "ECHO_TOKEN".to_owned() };
    options.timeout_ms = TIMEOUT_MS;
    let host = ports::ports();
    let ports = ConnectionPorts {
        fetch: Rc::new(PlatformFetch),
        secrets,
        timer: host.timer,
        clock: host.clock,
    };
    module("test-echo", "echo", &table, &options, &ports).map_err(|error| error.to_string())
}
