//! Everything that is held besides the tests: form, the configuration, lints, documentation, dependencies,
//! what is deployed, how large it is and how fast it starts.
//!
//! All checks run, whatever fails, and end in one table.

mod dependencies;
pub(crate) mod deploy;
mod rust;
mod worker;

use std::{fmt, time::Duration};

use crate::{
    failure::Failure,
    process::interrupt,
    progress::{Watch, note},
    setup::{self, Node},
    workspace::Workspace,
};

/// The workspaces of this checkout: the project, and the Rust client that its tests drive.
const MANIFESTS: [&str; 3] = ["Cargo.toml", "tests/clients/Cargo.toml", "fuzz/Cargo.toml"];

/// One check. What it says when all is well is shown in the table.
struct Check {
    name: &'static str,
    run: fn(&Workspace, &Node) -> Result<String, Failure>,
}

/// In order of what is quickest to know.
const CHECKS: &[Check] = &[
    Check { name: "format", run: |workspace, _| rust::format(workspace) },
    Check { name: "configuration", run: |workspace, _| rust::configuration(workspace) },
    Check { name: "dependencies", run: |workspace, _| dependencies::check(workspace) },
    Check { name: "lints", run: |workspace, _| rust::lints(workspace) },
    Check { name: "wasm lints", run: |workspace, _| rust::wasm_lints(workspace) },
    Check { name: "docs", run: |workspace, _| rust::docs(workspace) },
    Check { name: "deploy", run: deploy::check },
    Check { name: "size", run: worker::size },
    Check { name: "start", run: worker::start },
];

/// Runs all checks.
pub(crate) fn run(workspace: &Workspace) -> Result<(), Failure> {
    let node = setup::run(workspace)?;
    let mut table = Table::default();
    for check in CHECKS {
        note(&format!("check: {}", check.name));
        let watch = Watch::start();
        let result = (check.run)(workspace, &node);
        interrupt::check()?;
        if let Err(failure) = &result {
            eprintln!("    {failure}");
        }
        table.rows.push(Row { name: check.name, took: watch.elapsed(), result });
    }
    println!("{table}");
    table.verdict()
}

#[derive(Default)]
struct Table {
    rows: Vec<Row>,
}

struct Row {
    name: &'static str,
    took: Duration,
    result: Result<String, Failure>,
}

impl Table {
    fn verdict(&self) -> Result<(), Failure> {
        let bad: Vec<&str> =
            self.rows.iter().filter(|row| row.result.is_err()).map(|row| row.name).collect();
        if bad.is_empty() {
            return Ok(());
        }
        Err(Failure::verdict(format!("checks failed: {}", bad.join(", "))))
    }
}

impl fmt::Display for Table {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "\ncheck         seconds")?;
        for Row { name, took, result } in &self.rows {
            let (verdict, said) = match result {
                Ok(said) => ("ok", said.clone()),
                Err(failure) => ("FAILED", failure.to_string()),
            };
            let said = said.lines().next().unwrap_or_default();
            write!(formatter, "\n{name:<12} {:>8.1}  {verdict:<6} {said}", took.as_secs_f64())?;
        }
        Ok(())
    }
}
