//! Measures the release build, by the scripts in `benches/`.

use std::{fmt, process::Stdio};

use serde_json::Value;

use crate::{failure::Failure, process::Running, setup::Node, workspace::Workspace};

/// A module's bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Size {
    /// As it is.
    pub(crate) raw: u64,
    /// As it is uploaded.
    pub(crate) gzip: u64,
}

/// The bytes of both modules.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sizes {
    /// The host module.
    pub(crate) host: Size,
    /// The intake module.
    pub(crate) intake: Size,
}

/// What the Worker adds to workerd's own start: medians, in milliseconds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Start {
    /// Processor time, where the system tells it.
    cpu: Option<f64>,
    /// By the clock.
    wall: f64,
    samples: u64,
}

impl Start {
    /// The one of its times that a bound is held against: another program that is
    /// busy meanwhile changes the clock's and not the processor's.
    pub(crate) fn judged(&self) -> f64 {
        self.cpu.unwrap_or(self.wall)
    }
}

impl fmt::Display for Size {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} bytes raw, {} gzip", self.raw, self.gzip)
    }
}

impl fmt::Display for Start {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(cpu) = self.cpu {
            write!(formatter, "{cpu:.0} ms of processor time, ")?;
        }
        write!(
            formatter,
            "{:.0} ms by the clock, beyond workerd's own (medians of {} starts)",
            self.wall, self.samples
        )
    }
}

/// The sizes of the build that wrangler runs.
pub(crate) fn sizes(workspace: &Workspace, node: &Node) -> Result<Sizes, Failure> {
    let told = script(workspace, node, "size.mjs", &["build/worker"])?;
    let size = |module: &str| {
        Some(Size {
            raw: told.get(module)?.get("raw")?.as_u64()?,
            gzip: told.get(module)?.get("gzip")?.as_u64()?,
        })
    };
    size("host")
        .zip(size("intake"))
        .map(|(host, intake)| Sizes { host, intake })
        .ok_or_else(|| misread("size.mjs", &told))
}

/// The start of that build.
pub(crate) fn start(workspace: &Workspace, node: &Node, samples: u32) -> Result<Start, Failure> {
    let told = script(workspace, node, "start.mjs", &["worker", &samples.to_string()])?;
    let start = || {
        Some(Start {
            cpu: told.get("cpu")?.as_f64(),
            wall: told.get("wall")?.as_f64()?,
            samples: told.get("samples")?.as_u64()?,
        })
    };
    start().ok_or_else(|| misread("start.mjs", &told))
}

/// What a script measured: its table, and the figures that are compared from one time to
/// the next.
#[derive(Clone, Debug)]
pub(crate) struct Told {
    /// The table.
    pub(crate) text: String,
    /// The figures, by the names that the script gives them.
    pub(crate) figures: Value,
}

impl Told {
    /// The figure at `path`.
    pub(crate) fn figure(&self, path: &[&str]) -> Option<f64> {
        path.iter().try_fold(&self.figures, |figures, name| figures.get(name))?.as_f64()
    }
}

/// Executions by us and by others, in one workerd.
pub(crate) fn executes(workspace: &Workspace, node: &Node) -> Result<Told, Failure> {
    told(workspace, node, "execute.mjs", "ratios")
}

/// Values held to schemas by us and by others, in one workerd.
pub(crate) fn validations(workspace: &Workspace, node: &Node) -> Result<Told, Failure> {
    told(workspace, node, "validate.mjs", "rates")
}

/// Measures how much a model has to read before its first call.
pub(crate) fn tokens(workspace: &Workspace, node: &Node) -> Result<Told, Failure> {
    told(workspace, node, "tokens.mjs", "counts")
}

/// How cost grows with operations, payload and concurrency; draws `docs/growth.svg`.
pub(crate) fn growth(workspace: &Workspace, node: &Node) -> Result<Told, Failure> {
    told(workspace, node, "growth.mjs", "rows")
}

/// What becomes of arrivals beyond the capacity; draws `docs/overload.svg`.
pub(crate) fn overload(workspace: &Workspace, node: &Node) -> Result<Told, Failure> {
    told(workspace, node, "overload.mjs", "rows")
}

fn told(workspace: &Workspace, node: &Node, name: &str, figures: &str) -> Result<Told, Failure> {
    let told = script(workspace, node, name, &[])?;
    let text = told.get("text").and_then(Value::as_str).map(str::to_owned);
    text.zip(told.get(figures).cloned())
        .map(|(text, figures)| Told { text, figures })
        .ok_or_else(|| misread(name, &told))
}

/// What one size of one work takes in an isolate.
#[derive(Clone, Debug)]
pub(crate) struct Work {
    /// What is done.
    pub(crate) name: String,
    /// How large it is, in its own unit.
    pub(crate) size: u64,
    /// Milliseconds of processor time the first time, in a fresh workerd.
    pub(crate) cold_ms: f64,
    /// And afterwards, at best.
    pub(crate) warm_ms: f64,
    /// And afterwards, in the middle.
    pub(crate) p50_ms: f64,
    /// By how many bytes linear memory grows the first time.
    pub(crate) bytes: u64,
}

/// The runtime's own work, in a build that can be asked for it.
pub(crate) fn runtime(
    workspace: &Workspace,
    node: &Node,
    build: &str,
) -> Result<Vec<Work>, Failure> {
    let told = script(workspace, node, "runtime.mjs", &[build])?;
    let work = |row: &Value| {
        Some(Work {
            name: row.get("work")?.as_str()?.to_owned(),
            size: row.get("size")?.as_u64()?,
            cold_ms: row.get("cold")?.as_f64()?,
            warm_ms: row.get("warm")?.as_f64()?,
            p50_ms: row.get("p50")?.as_f64()?,
            bytes: row.get("bytes")?.as_u64()?,
        })
    };
    let rows = told.get("rows").and_then(Value::as_array).cloned().unwrap_or_default();
    let work: Option<Vec<Work>> = rows.iter().map(work).collect();
    work.filter(|work| !work.is_empty()).ok_or_else(|| misread("runtime.mjs", &told))
}

/// What codemode's search takes and finds, a line for each size and one for the questions.
pub(crate) fn rival_search(workspace: &Workspace, node: &Node) -> Result<String, Failure> {
    let told = script(workspace, node, "search.mjs", &[])?;
    if let Some(missing) = told.get("missing") {
        return Ok(format!("not measured: {missing} isn't there"));
    }
    let number = |of: &Value, key: &str| of.get(key).and_then(Value::as_f64);
    let size = |row: &Value| {
        let (build, search) = (number(row, "build")?, number(row, "search")?);
        Some(format!(
            "{:>6} operations: build {build:.1} ms, search {search:.3} ms",
            row.get("size")?
        ))
    };
    let relevance = |told: &Value| {
        let (first, five) = (number(told, "first")?, number(told, "five")?);
        let (count, reciprocal) = (told.get("questions")?, number(told, "reciprocal")?);
        Some(format!(
            "relevance: {count} questions, hit@1 {first:.3} hit@5 {five:.3} MRR {reciprocal:.3}"
        ))
    };
    let rows = told.get("sizes").and_then(Value::as_array).cloned().unwrap_or_default();
    let mut lines: Vec<Option<String>> = rows.iter().map(size).collect();
    lines.push(told.get("relevance").and_then(relevance));
    let lines: Option<Vec<String>> = lines.into_iter().collect();
    lines.map(|lines| lines.join("\n")).ok_or_else(|| misread("search.mjs", &told))
}

/// Runs a script, which prints one line of JSON.
pub(crate) fn script(
    workspace: &Workspace,
    node: &Node,
    name: &str,
    arguments: &[&str],
) -> Result<Value, Failure> {
    let mut script = node.script(workspace.root().join("benches").join(name));
    script.args(arguments).current_dir(workspace.root()).stdout(Stdio::piped());
    let (status, text) = Running::start(&mut script)?.read()?;
    if !status.success() {
        return Err(Failure::step(&format!("measure by {name}"), &status));
    }
    serde_json::from_str(&text).map_err(|error| Failure::step(&format!("read {name}"), &error))
}

fn misread(name: &str, told: &Value) -> Failure {
    Failure::step(&format!("read {name}"), told)
}
