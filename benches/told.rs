//! What a model is given to read, with 50 to 2 500 operations: every tool of its own, and
//! here.
//!
//! `cargo bench --bench told` prints it as JSON, which `benches/tokens.mjs` counts. The
//! operations are the tools of `corpora/mcp-tools` and what `corpora/openapi` offers.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a bench that fails is one that panics"
)]

use std::{fs, path::Path, rc::Rc};

use futures::{FutureExt, future::LocalBoxFuture};
use mycelium::{
    Module, Mycelium, Operation,
    forage::{
        Helper,
        openapi::{Formats, Options, Serialization, Table, normalize_open_api},
    },
    knapsack::openapi::{ConnectionOptions, ConnectionPorts, Server, module},
    limits::OPENAPI_TABLE_OPERATIONS,
    port::{
        Secrets,
        fetch::{Answer, Fetch, FetchError, Request},
    },
    runtime::ExecuteTool,
    testing::{Host, direct_sandbox},
};
use serde_json::{Value, json};

const SIZES: [usize; 3] = [50, 500, 2_500];

/// What a model looks for before its first call.
const TASK: &str = "create an issue in a repository";

/// Nobody is asked.
struct Nowhere;

impl Fetch for Nowhere {
    fn fetch(&self, _: Request) -> LocalBoxFuture<'static, Result<Answer, FetchError>> {
        async { Err(FetchError::Unsendable { evidence: String::new() }) }.boxed_local()
    }
}

impl Secrets for Nowhere {
    fn secret(&self, _: &str) -> Option<String> {
        None
    }
}

fn main() {
    let modules = modules();
    let told: Vec<Value> = SIZES.iter().map(|size| told(&modules, *size)).collect();
    println!("{}", Value::from(told));
}

/// The texts with `size` operations: of each as a tool, of the one tool here, and of what a
/// search and a description answer.
fn told(modules: &[(Module, usize)], size: usize) -> Value {
    let mut left = size;
    let mut taken = Vec::new();
    for (module, operations) in modules {
        if *operations <= left {
            left -= operations;
            taken.push(module.clone());
        }
    }
    let host = Host::new();
    let sandbox = direct_sandbox(|_, _| async { Ok(Value::Null) });
    let runtime = Mycelium::open(host.options(taken, sandbox)).unwrap();
    let lease = host.run(async move { runtime.acquire(None).await }).unwrap().unwrap();
    let flat: Vec<Value> = lease
        .catalog()
        .entries()
        .iter()
        .map(|entry| {
            let operation = entry.operation();
            json!({
                "name": entry.path(),
                "description": operation.description(),
                "inputSchema": operation.input_schema().document(),
            })
        })
        .collect();
    let here = json!([{
        "name": ExecuteTool::NAME,
        "description": lease.execute_tool().description(),
        "inputSchema": ExecuteTool::input_schema(),
    }]);
    let ask = |helper: &str, input: Value| {
        lease.forage().answer(Helper::named(helper).unwrap(), &input).unwrap()
    };
    let found = ask("search", json!({"query": TASK}));
    let first = found.pointer("/results/0/path").and_then(Value::as_str).unwrap();
    let described = ask("describe", json!({"path": first}));
    json!({
        "operations": flat.len(),
        "flat": Value::from(flat).to_string(),
        "execute": here.to_string(),
        "search": found.to_string(),
        "describe": described.to_string(),
    })
}

/// All there are, with how many operations each has.
fn modules() -> Vec<(Module, usize)> {
    let corpora = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpora");
    let (servers, documents) = (texts(&corpora.join("mcp-tools")), texts(&corpora.join("openapi")));
    let mut modules = Vec::new();
    // There are fewer than the most that is asked for: they come again by other names.
    for again in ["", "_b", "_c"] {
        modules.extend(servers.iter().map(|(name, text)| server(&format!("{name}{again}"), text)));
        for (name, text) in &documents {
            modules.extend(described(&format!("{name}{again}"), text));
        }
    }
    // Large ones first, so that every size is met exactly or nearly.
    modules.sort_by_key(|(_, operations)| std::cmp::Reverse(*operations));
    modules
}

fn texts(folder: &Path) -> Vec<(String, String)> {
    let mut paths: Vec<_> = walked(folder);
    paths.sort();
    paths
        .into_iter()
        .filter_map(|path| {
            let name = said(&path.file_stem()?.to_string_lossy());
            Some((name, fs::read_to_string(&path).ok()?))
        })
        .collect()
}

fn walked(folder: &Path) -> Vec<std::path::PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { walked(&path) } else { vec![path] }).collect()
}

fn said(name: &str) -> String {
    let name = name.replace(|letter: char| !letter.is_ascii_alphanumeric(), "_");
    format!("m_{name}")
}

/// A server's tools.
fn server(name: &str, text: &str) -> (Module, usize) {
    let record: Value = serde_json::from_str(text).unwrap();
    let pages = record.get("pages").and_then(Value::as_array).unwrap();
    let tools = pages.iter().flat_map(|page| page.get("tools").unwrap().as_array().unwrap());
    let mut module = Module::new(name, name);
    let mut count = 0_usize;
    for tool in tools {
        let text = |key: &str| tool.get(key).and_then(Value::as_str).unwrap_or_default();
        let input = tool.get("inputSchema").cloned().unwrap_or(json!({"type": "object"}));
        let operation =
            Operation::new(input, |_, _| async { Ok(Value::Null) }).describe(text("description"));
        module = module.operation(format!("t_{}", said(text("name"))), operation);
        count += 1;
    }
    (module, count)
}

/// A document's operations, a table's worth to a module.
fn described(name: &str, text: &str) -> Vec<(Module, usize)> {
    let mut options = Options::default();
    options.formats = Formats::Annotate;
    options.serialization = Serialization::Full;
    let Ok(preview) = normalize_open_api(text, options) else { return Vec::new() };
    let selectors: Vec<&str> =
        preview.offered().iter().map(|offered| offered.selector.as_str()).collect();
    let host = Host::new();
    let ports = ConnectionPorts {
        fetch: Rc::new(Nowhere),
        secrets: Rc::new(Nowhere),
        timer: host.ports().timer,
        clock: host.ports().clock,
    };
    let server = ConnectionOptions::new(Server::new("https://server.example").unwrap());
    let table = |selectors: &[&str]| -> Option<Table> { preview.select(selectors).ok() };
    let parts = selectors.chunks(OPENAPI_TABLE_OPERATIONS).enumerate();
    parts
        .filter_map(|(part, selectors)| {
            let (name, table) = (format!("{name}_{part}"), table(selectors)?);
            Some((module(&name, &name, &table, &server, &ports).ok()?, selectors.len()))
        })
        .collect()
}
