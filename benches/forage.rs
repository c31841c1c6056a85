//! How long discovery takes with 100 to 10 000 operations.
//!
//! `cargo bench --bench forage` prints a table; with `--test` it only runs each once. The
//! operations are the tools of `corpora/mcp-tools` over and over, each told apart by a word of
//! its own; where the corpus isn't, they are made up.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::cast_precision_loss,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a bench that fails is one that panics"
)]

use std::{fs, hint::black_box, path::Path, time::Instant};

use mycelium::{
    Module, Operation,
    forage::{Catalog, ListQuery, SearchQuery},
    operation,
};
use serde_json::{Value, json};

const SIZES: [usize; 6] = [100, 400, 1_000, 3_000, 4_000, 10_000];

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

struct Tool {
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
        let record: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
        for page in record["pages"].as_array().unwrap() {
            tools.extend(page["tools"].as_array().unwrap().iter().map(|tool| Tool {
                name: said(tool["name"].as_str().unwrap()),
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
        name: format!("operation{number}"),
        description: format!("Does the work of number {number} in department {}.", number % 17),
        input: json!({"type": "object", "properties": Value::Object((0..6).map(property).collect())}),
    }
}

/// A runtime's catalog of `count` operations.
fn runtime(tools: &[Tool], count: usize) -> operation::Catalog {
    let mut modules: Vec<Module> = Vec::new();
    for number in 0..count {
        let tool = &tools[number % tools.len()];
        if number % 20 == 0 {
            let name = format!("s{}", modules.len());
            modules.push(Module::new(&name, &name));
        }
        let operation = Operation::new(tool.input.clone(), |_, _| async { Ok(Value::Null) })
            .describe(format!("{} Of office {}.", tool.description, number / tools.len()));
        let module = modules.pop().unwrap();
        modules.push(module.operation(format!("{}{number}", tool.name), operation));
    }
    operation::Catalog::new(modules).unwrap()
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
    let build = median(runs.min(5), first);
    let forage = Catalog::over(&catalog);
    let stamp = median(1, |_| {
        black_box(forage.stamp());
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

fn main() {
    let once = std::env::args().any(|argument| argument == "--test");
    let (sizes, runs) = if once { (&SIZES[..2], 1) } else { (&SIZES[..], 50) };
    let tools = tools();
    println!("milliseconds, median; build and stamp: the first time; the rest: once that is made");
    println!("| operations | build | stamp | search | list | describe |");
    println!("| ---: | ---: | ---: | ---: | ---: | ---: |");
    let mut rows: Vec<(usize, [f64; 5])> = Vec::new();
    for count in sizes {
        let [build, stamp, search, list, describe] = measure(&tools, *count, runs);
        println!("| {count} | {build:.2} | {stamp:.2} | {search:.3} | {list:.3} | {describe:.3} |");
        rows.push((*count, [build, stamp, search, list, describe]));
    }
    for (small, times) in &rows {
        if let Some((large, more)) = rows.iter().find(|(large, _)| *large == small * 4) {
            let growth: Vec<String> =
                times.iter().zip(more).map(|(less, more)| format!("{:.1}", more / less)).collect();
            println!("from {small} to {large}: {} times as long", growth.join(", "));
        }
    }
}
