//! How long discovery takes with 100 to 10 000 operations.
//!
//! `cargo bench --bench forage` prints a table, and how well the search finds what is meant;
//! with `--test` it only runs each once. The operations are the tools of `corpora/mcp-tools`
//! over and over, each told apart by a word of its own; where the corpus isn't, they are made
//! up. What takes more than five times as long for four times as many fails, and so does a
//! search among 3 000 that takes a millisecond.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::disallowed_methods,
    clippy::cast_precision_loss,
    clippy::exit,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a bench that fails is one that panics"
)]

use std::{collections::BTreeMap, fs, hint::black_box, path::Path, process::exit, time::Instant};

use mycelium::{
    Module, Operation,
    forage::{Catalog, ListQuery, OperationDefinition, SearchQuery, create_catalog},
    operation,
};
use serde_json::{Value, json};

#[allow(dead_code, reason = "the laws read it too")]
#[path = "../tests/laws/forage/questions.rs"]
mod questions;

const SIZES: [usize; 7] = [100, 400, 1_000, 3_000, 4_000, 10_000, 12_000];

/// The most that four times as much may take, in times, where it takes long enough to tell.
const LINEAR: f64 = 5.0;
const NOISE_MS: f64 = 1.0;

/// A search among so many takes less than so many milliseconds.
const SEARCH: (usize, f64) = (3_000, 1.0);

/// What is asked of every catalog.
const QUERIES: [&str; 8] = [
    "take a screenshot of the page",
    "send SQL to the warehouse",
    "create isue on githb",
    "unreliable specs that sometimes fail in CI",
    "rename a column of an airtable sheet",
    "which fields do documents in mongodb have",
    "s3.list_records",
    "delete",
];

#[derive(Clone)]
struct Tool {
    server: String,
    name: String,
    description: String,
    input: Value,
}

fn tools() -> Vec<Tool> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpora/mcp-tools");
    let Ok(files) = fs::read_dir(folder) else { return (0..328).map(made_up).collect() };
    let mut paths: Vec<_> = files.map(|file| file.unwrap().path()).collect();
    paths.sort();
    let mut tools = Vec::new();
    for path in paths {
        let server = path.file_stem().unwrap().to_string_lossy().into_owned();
        let record: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
        for page in record["pages"].as_array().unwrap() {
            tools.extend(page["tools"].as_array().unwrap().iter().map(|tool| Tool {
                server: server.clone(),
                name: tool["name"].as_str().unwrap().to_owned(),
                description: tool["description"].as_str().unwrap_or_default().to_owned(),
                input: tool["inputSchema"].clone(),
            }));
        }
    }
    tools
}

fn said(name: &str) -> String {
    name.replace(|letter: char| !letter.is_ascii_alphanumeric(), "_")
}

fn made_up(number: usize) -> Tool {
    let property =
        |at: usize| (format!("field{}", number * 7 % (at + 3)), json!({"type": "string"}));
    Tool {
        server: "made-up".to_owned(),
        name: format!("operation{number}"),
        description: format!("Does the work of number {number} in department {}.", number % 17),
        input: json!({"type": "object", "properties": Value::Object((0..6).map(property).collect())}),
    }
}

/// A runtime's catalog of `count` operations.
fn runtime(tools: &[Tool], count: usize) -> operation::Catalog {
    let mut modules: Vec<Module> = Vec::new();
    for number in 0..count {
        // A step that has no common divisor with their number: any few are like all.
        let tool = &tools[number * 37 % tools.len()];
        if number % 20 == 0 {
            let name = format!("s{}", modules.len());
            modules.push(Module::new(&name, &name));
        }
        let operation = Operation::new(tool.input.clone(), |_, _| async { Ok(Value::Null) })
            .describe(format!("{} Of office {}.", tool.description, number / tools.len()));
        let module = modules.pop().unwrap();
        modules.push(module.operation(format!("{}{number}", said(&tool.name)), operation));
    }
    operation::Catalog::new(modules).unwrap()
}

/// Milliseconds that `work` takes at least: of processor time where that is long enough for the
/// steps of some milliseconds in which it is told, else by the clock. A busy machine shows little.
fn least(runs: usize, mut work: impl FnMut(usize)) -> f64 {
    let times = (0..runs).map(|run| {
        let (began, before) = (Instant::now(), processor_ms());
        work(run);
        let took = began.elapsed().as_secs_f64() * 1_000.0;
        let spent = before.zip(processor_ms()).map(|(before, after)| after - before);
        spent.filter(|spent| *spent >= STEPS_MS).unwrap_or(took)
    });
    times.fold(f64::INFINITY, f64::min)
}

/// So much processor time is told well.
const STEPS_MS: f64 = 20.0;

/// The first number of `schedstat` is nanoseconds.
fn processor_ms() -> Option<f64> {
    let told = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(told.split(' ').next()?.parse::<f64>().ok()? / 1e6)
}

/// Milliseconds that `work` takes: the median of `runs`.
fn median(runs: usize, mut work: impl FnMut(usize)) -> f64 {
    let mut times: Vec<f64> = (0..runs)
        .map(|run| {
            let began = Instant::now();
            work(run);
            began.elapsed().as_secs_f64() * 1_000.0
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Milliseconds of each kind of work over `count` operations.
fn measure(tools: &[Tool], count: usize, runs: usize) -> [f64; 5] {
    let catalog = runtime(tools, count);
    let first = |_| {
        // The index is made for the first question.
        black_box(Catalog::over(&catalog).search(&SearchQuery::new("delete")).unwrap());
    };
    let build = least(runs.min(5), first);
    let forage = Catalog::over(&catalog);
    // The schemas keep their digests: each stamp is of schemas that were never asked.
    let fresh: Vec<Catalog> =
        (0..runs.min(5)).map(|_| Catalog::over(&runtime(tools, count))).collect();
    let stamp = least(fresh.len(), |run| {
        black_box(fresh[run].stamp());
    });
    for query in QUERIES {
        black_box(forage.search(&SearchQuery::new(query)).unwrap());
    }
    let search = median(runs * QUERIES.len(), |run| {
        black_box(forage.search(&SearchQuery::new(QUERIES[run % QUERIES.len()])).unwrap());
    });
    let list = median(runs, |_| {
        black_box(forage.list(&ListQuery::default()).unwrap());
    });
    let paths: Vec<&str> = catalog.entries().iter().map(operation::Entry::path).collect();
    let describe = median(runs, |run| {
        black_box(forage.describe(paths[run * 37 % paths.len()]).unwrap());
    });
    [build, stamp, search, list, describe]
}

/// How well the search finds what is meant among the tools themselves.
fn relevance(tools: &[Tool]) -> questions::Measure {
    let path = |tool: &Tool| format!("{}.{}", said(&tool.server), said(&tool.name));
    let names: BTreeMap<String, String> =
        tools.iter().map(|tool| (path(tool), format!("{} {}", tool.server, tool.name))).collect();
    let defined = |tool: &Tool| {
        OperationDefinition::new(path(tool), tool.input.clone()).describe(&tool.description)
    };
    let catalog = create_catalog("bench", tools.iter().map(defined)).unwrap();
    let search = |text: &str| -> Vec<String> {
        let query = SearchQuery { limit: Some(50), ..SearchQuery::new(text) };
        let found = catalog.search(&query).unwrap().results;
        found.iter().map(|summary| names[&summary.path].clone()).collect()
    };
    questions::measure(&questions::ranks(&questions::questions(), search))
}

fn main() {
    let once = std::env::args().any(|argument| argument == "--test");
    let (sizes, runs) = if once { (&SIZES[..2], 1) } else { (&SIZES[..], 50) };
    let tools = tools();
    println!(
        "milliseconds; build and stamp: the first time, the least; the rest: the median after"
    );
    println!("| operations | build | stamp | search | list | describe |");
    println!("| ---: | ---: | ---: | ---: | ---: | ---: |");
    let mut rows: Vec<(usize, [f64; 5])> = Vec::new();
    for count in sizes {
        let [build, stamp, search, list, describe] = measure(&tools, *count, runs);
        println!("| {count} | {build:.2} | {stamp:.2} | {search:.3} | {list:.3} | {describe:.3} |");
        rows.push((*count, [build, stamp, search, list, describe]));
    }
    let mut over = growth(&rows);
    let (size, ms) = SEARCH;
    let slow = |(count, times): &(usize, [f64; 5])| *count == size && times[2] >= ms;
    if rows.iter().any(slow) {
        over.push(format!("a search among {size} takes {ms} ms or more"));
    }
    println!("relevance: {}", relevance(&tools));
    if !once && !over.is_empty() {
        println!("over: {}", over.join("; "));
        exit(1);
    }
}

/// Prints what four times as many take, and gives what isn't linear.
fn growth(rows: &[(usize, [f64; 5])]) -> Vec<String> {
    let mut over = Vec::new();
    for (small, times) in rows {
        let Some((large, more)) = rows.iter().find(|(large, _)| *large == small * 4) else {
            continue;
        };
        let growth: Vec<f64> = times.iter().zip(more).map(|(less, more)| more / less).collect();
        let told: Vec<String> = growth.iter().map(|times| format!("{times:.1}")).collect();
        println!("from {small} to {large}: {} times as long", told.join(", "));
        if growth.iter().zip(more).any(|(times, ms)| *times > LINEAR && *ms > NOISE_MS) {
            over.push(format!("from {small} to {large} more than {LINEAR} times"));
        }
    }
    over
}
