//! The configured connections, opened: each becomes a module of a runtime, or a source.
//!
//! One file a type. A connection that can't be opened is left out and told; the others
//! serve. What needs nothing of a request is made once an isolate.

mod computer;
mod files;
mod mcp;
mod openapi;
mod pen;
mod rpc;

use std::{collections::BTreeMap, rc::Rc};

use wasm_bindgen::JsValue;
use worker::Env;

pub(super) use mcp::{mcp_ports, server as mcp_server};

use super::{
    ports::{self, BoundSecrets},
    ui,
};
use crate::{
    config::{Connection, ConnectionRow, Settings},
    operation::{Catalog, Module},
    port::Secrets,
    runtime::Source,
};

/// The connections of this isolate. Finished values only: what holds a binding is made for
/// each runtime.
pub(super) struct Connections {
    rows: Vec<ConnectionRow>,
    /// Modules that any runtime may have.
    modules: Vec<Module>,
    /// The connections that need a runtime's bindings.
    bound: Vec<(String, Connection)>,
}

/// What a runtime gets of them.
pub(super) struct Opened {
    pub(super) modules: Vec<Module>,
    pub(super) sources: Vec<Rc<dyn Source>>,
}

impl Connections {
    /// Opens what can be opened, with the tables of the bundle by name.
    pub(super) fn new(settings: &Settings, env: &Env, tables: &BTreeMap<String, String>) -> Self {
        let mut all = Self { rows: Vec::new(), modules: Vec::new(), bound: Vec::new() };
        let secrets = BoundSecrets::new(env.into());
        for (name, connection) in &settings.connections {
            let mut row = ConnectionRow::new(name, connection);
            let opened = match missing_secret(connection, &secrets) {
                Some(problem) => Err(problem),
                None => all.open(name, connection, env, tables),
            };
            match opened {
                Ok(operations) => row.operations = operations,
                Err(problem) => row.problem = Some(problem),
            }
            if let Some(problem) = &row.problem {
                let line = format!("connection {name} is left out: {problem}");
                ports::ports().console.warn(&line);
            }
            all.rows.push(row);
        }
        all
    }

    /// How many operations it has, where that is known.
    fn open(
        &mut self,
        name: &str,
        connection: &Connection,
        env: &Env,
        tables: &BTreeMap<String, String>,
    ) -> Result<Option<usize>, String> {
        match connection {
            Connection::OpenApi(openapi) => {
                let module = sound(openapi::module(name, openapi, env, tables)?)?;
                let operations = counted(&module);
                self.modules.push(module);
                return Ok(operations);
            }
            Connection::Files(files) => {
                let module = sound(files::module(name, files, env)?)?;
                self.bound.push((name.to_owned(), connection.clone()));
                return Ok(counted(&module));
            }
            Connection::Computer(computer) => computer::check(computer, env)?,
            // A session's object opens it: `ui.discover` and `ui.execute`.
            Connection::Ui(_) => return Ok(Some(ui::OPERATIONS)),
            // Asked when it is first used.
            Connection::Mcp(_) => {}
            Connection::Pen(pen) => {
                let module = sound(pen::module(name, pen, env, &JsValue::UNDEFINED)?)?;
                self.bound.push((name.to_owned(), connection.clone()));
                return Ok(counted(&module));
            }
        }
        self.bound.push((name.to_owned(), connection.clone()));
        Ok(None)
    }

    /// The modules and sources of one runtime, whose bindings are `env` and whose context is `ctx`.
    pub(super) fn opened(&self, env: &Env, ctx: &JsValue) -> Opened {
        let mut opened = Opened { modules: self.modules.clone(), sources: Vec::new() };
        let (mut computers, mut servers) = (Vec::new(), Vec::new());
        for (name, connection) in &self.bound {
            // Each was opened once already: a binding doesn't go away.
            match connection {
                Connection::Files(files) => opened.modules.extend(files::module(name, files, env)),
                Connection::Computer(computer) => {
                    computers.extend(computer::connection(name, computer, env));
                }
                Connection::Mcp(mcp) => servers.push(mcp.server.clone()),
                Connection::OpenApi(_) | Connection::Ui(_) => {}
                Connection::Pen(pen) => opened.modules.extend(pen::module(name, pen, env, ctx)),
            }
        }
        if !computers.is_empty() {
            opened.sources.push(computer::source(computers));
        }
        if !servers.is_empty() {
            opened.sources.push(mcp::source(servers, env));
        }
        opened
    }

    /// What is known of them by now.
    pub(super) fn rows(&self) -> Vec<ConnectionRow> {
        self.rows.iter().cloned().map(computer::seen).map(mcp::seen).collect()
    }
}

/// A secret that isn't set, named.
fn missing_secret(connection: &Connection, secrets: &dyn Secrets) -> Option<String> {
    let unset = |name: &&str| secrets.secret(name).is_none_or(|secret| secret.is_empty());
    let missing = connection.secrets().into_iter().find(unset)?;
    Some(format!("the secret {missing} isn't set: npx wrangler secret put {missing}"))
}

/// The binding of this name.
fn binding(env: &Env, name: &str, section: &str) -> Result<JsValue, String> {
    let found = js_sys::Reflect::get(env, &JsValue::from(name)).ok();
    found.filter(JsValue::is_object).ok_or_else(|| {
        format!("there is no binding {name}: add it to wrangler.toml under {section}")
    })
}

/// A module that would keep a runtime from being opened is told here.
fn sound(module: Module) -> Result<Module, String> {
    match Catalog::new([module.clone()]) {
        Ok(_) => Ok(module),
        Err(error) => Err(error.to_string()),
    }
}

fn counted(module: &Module) -> Option<usize> {
    let catalog = Catalog::new([module.clone()]).ok()?;
    Some(catalog.entries().len())
}
