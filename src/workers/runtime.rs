//! Puts a runtime together from the platform's parts.

use std::{cell::RefCell, rc::Rc};

use js_sys::Reflect;
use wasm_bindgen::{JsCast, JsValue};
use worker::Env;

use super::{
    app::app,
    bundle,
    connections::{Connections, Opened},
    guest::RunnerLoader,
    http,
    objects::ObjectCatalog,
    ports::{self, WasmIntake},
    status,
};
use crate::{
    config::{ConfigError, ConnectionRow, Given, Settings, start_table},
    limits::APPROVAL_MS,
    mcp::{McpTool, ServerParts},
    operation::Module,
    runtime::{
        Disclosure, Mycelium, Notices, Options, Source, access::AccessPolicy,
        admission::AdmissionOptions,
    },
    sandbox::GuestSandbox,
};

/// How many programs one runtime runs at once, unless the deployment says. Each has a loader budget of its own,
/// through its `Runner`, so the platform's own bound of four isn't divided among them.
const CAPACITY: u64 = 6;

thread_local! {
    // What is built once an isolate; finished values only.
    static SHARED: RefCell<Option<Rc<Shared>>> = const { RefCell::new(None) };
    static SETTINGS: RefCell<Option<Rc<Settings>>> = const { RefCell::new(None) };
}

/// What every runtime in this isolate shares.
struct Shared {
    modules: Vec<Module>,
    connections: Connections,
    notices: Rc<Notices>,
}

/// Reads the deployment's settings from the bundle and its variables.
///
/// # Errors
///
/// Every wrong key.
pub(super) fn settings(env: &Env) -> Result<Rc<Settings>, Vec<ConfigError>> {
    let known = SETTINGS.with_borrow(Clone::clone);
    if let Some(known) = known {
        return Ok(known);
    }
    let settings = Rc::new(read(env)?);
    SETTINGS.set(Some(Rc::clone(&settings)));
    if settings.dev {
        print_start(&settings, env);
    }
    Ok(settings)
}

#[cold]
#[inline(never)]
fn read(env: &Env) -> Result<Settings, Vec<ConfigError>> {
    let variable = |key: &str| {
        let value = Reflect::get(env, &JsValue::from(key)).ok()?;
        // TOML may say 5000 and true; a variable of another kind is read as what it is not.
        let text = value.as_string().or_else(|| value.as_f64().map(|number| number.to_string()));
        text.or_else(|| value.as_bool().map(|flag| flag.to_string()))
            .or_else(|| (!value.is_undefined()).then(|| "an object".to_owned()))
    };
    let bundle = bundle::read();
    let tables: Vec<&str> = bundle.tables.keys().map(String::as_str).collect();
    let app = app(env);
    // Grants may name these, connections may not; what a source will have, nobody knows.
    let tried = modules();
    let built_in: Vec<&str> = app.modules.iter().chain(&tried).map(Module::id).collect();
    Settings::decode(&Given {
        toml: &bundle.toml,
        variable: &variable,
        tables: Some(&tables),
        modules: app.sources.is_empty().then_some(&built_in),
    })
}

/// A runtime for one object or one stateless request, whose context is `ctx`; `own` are
/// the sources of that object alone.
pub(super) fn runtime(
    settings: &Settings,
    env: &Env,
    ctx: JsValue,
    own: Vec<Rc<dyn Source>>,
) -> Result<Mycelium, JsValue> {
    let mut options = options(settings, env, ctx);
    options.sources.extend(own);
    Mycelium::open(options).map_err(|error| JsValue::from(error.to_string()))
}

/// What such a runtime is opened with.
pub(super) fn options(settings: &Settings, env: &Env, ctx: JsValue) -> Options {
    let (shared, bookkeeper) = (shared(settings, env), status::bookkeeper());
    let (app, opened) = (app(env), shared.connections.opened(env, &ctx));
    let Opened { modules, sources } = opened;
    let options = Options {
        modules: [app.modules, shared.modules.clone(), modules].concat(),
        sources: [app.sources, sources].concat(),
        tools: Vec::new(),
        intake: Rc::new(WasmIntake),
        sandbox: Rc::new(GuestSandbox::new(Rc::new(RunnerLoader::new(ctx)))),
        access: access(settings).on_refused(bookkeeper.clone()),
        admission: AdmissionOptions {
            sandbox_capacity: Some(settings.admission.sandbox_capacity.unwrap_or(CAPACITY)),
            admission_wait_ms: settings.admission.admission_wait_ms,
        },
        available_cores: None,
        limits: settings.limits.clone(),
        notices: Rc::clone(&shared.notices),
        on_sandbox_failure: Some(bookkeeper.clone()),
        on_execution: Some(bookkeeper),
        disclosure: disclosure(settings, env),
        require_execute_identity: false,
        ports: ports::ports(),
    };
    #[cfg(feature = "faults")]
    let options = super::faults::on_trial(options, env);
    options
}

/// What is shown of code and inputs; the texts of the Worker's bindings never are.
fn disclosure(settings: &Settings, env: &Env) -> Disclosure {
    let disclosure = settings.disclosure.clone();
    if !disclosure.is_any() {
        return disclosure;
    }
    let bound: &js_sys::Object = env.unchecked_ref();
    disclosure.hiding(js_sys::Object::values(bound).iter().filter_map(|value| value.as_string()))
}

/// What an MCP server in this context works with.
pub(super) fn parts(settings: &Settings, env: &Env, ctx: JsValue) -> worker::Result<ServerParts> {
    let runtime = runtime(settings, env, ctx, Vec::new()).map_err(worker::Error::from)?;
    Ok(parts_over(settings, env, runtime))
}

/// The same over a runtime that there is.
pub(super) fn parts_over(settings: &Settings, env: &Env, runtime: Mycelium) -> ServerParts {
    let grants = settings.grants.clone();
    let catalog = ObjectCatalog { env: env.clone(), runtime, tools: tools(), grants };
    let authenticate = http::authenticator(settings, env);
    let parts = ServerParts::new(Rc::new(catalog), authenticate, ports::ports());
    parts.approval_ms(settings.approval_ms.unwrap_or(APPROVAL_MS))
}

/// Tools that speak the protocol themselves: tests have some.
fn tools() -> Vec<Rc<dyn McpTool>> {
    #[cfg(feature = "faults")]
    return super::faults::tools();
    #[cfg(not(feature = "faults"))]
    Vec::new()
}

fn access(settings: &Settings) -> AccessPolicy {
    let policy = AccessPolicy::new();
    match settings.approval_ms {
        Some(approval_ms) => policy.approval_ms(approval_ms),
        None => policy,
    }
}

fn shared(settings: &Settings, env: &Env) -> Rc<Shared> {
    if let Some(shared) = SHARED.with_borrow(Clone::clone) {
        return shared;
    }
    let shared = Rc::new(Shared {
        modules: modules(),
        connections: Connections::new(settings, env, &bundle::read().tables),
        notices: Rc::new(Notices::new(settings.unenforced.clone())),
    });
    SHARED.set(Some(Rc::clone(&shared)));
    shared
}

/// The connections as far as they are known, for a status.
pub(super) fn connections(settings: &Settings, env: &Env) -> Vec<ConnectionRow> {
    shared(settings, env).connections.rows()
}

/// Prints what a developer wants to know at the start.
#[cold]
#[inline(never)]
fn print_start(settings: &Settings, env: &Env) {
    let console = ports::ports().console;
    for line in start_table(settings, &connections(settings, env)) {
        console.note(&line);
    }
}

/// What tests and benches have beside.
fn modules() -> Vec<Module> {
    vec![
        #[cfg(feature = "bench")]
        super::bench::module(),
        #[cfg(feature = "faults")]
        super::faults::module(),
    ]
}
