//! A server described by OpenAPI, by a table of the bundle.

use std::{collections::BTreeMap, rc::Rc};

use worker::Env;

use super::super::ports::{self, HeldSecrets, PlatformFetch};
use crate::{
    config::OpenApi,
    forage::openapi::Table,
    knapsack::openapi::{self, ConnectionOptions, ConnectionPorts},
    operation::Module,
};

/// The module `name`; it holds nothing of a request.
pub(super) fn module(
    name: &str,
    openapi: &OpenApi,
    env: &Env,
    tables: &BTreeMap<String, String>,
) -> Result<Module, String> {
    let text = tables.get(&openapi.table);
    let text = text.ok_or_else(|| format!("the table {} isn't in the bundle", openapi.table))?;
    let table = Table::read(text).map_err(|error| format!("{}: {error}", openapi.table))?;
    let mut options = ConnectionOptions::new(openapi.server.clone());
    options.credential = openapi.credential.clone();
    options.timeout_ms = openapi.timeout_ms;
    options.big_integers = openapi.big_integers;
    let host = ports::ports();
    let ports = ConnectionPorts {
        fetch: Rc::new(PlatformFetch),
        secrets: Rc::new(HeldSecrets::new(env, openapi.credential.secret_name())),
        timer: host.timer,
        clock: host.clock,
    };
    openapi::module(name, name, &table, &options, &ports).map_err(|error| error.to_string())
}
