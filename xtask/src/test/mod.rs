//! Runs every test there is, whatever fails, and ends with one table of what ran.

mod counts;
mod report;
mod suite;

pub(crate) use counts::{CargoOutput, Counts, Output};
use report::Report;
use suite::{SUITES, Suite};

use crate::{
    failure::Failure,
    process::interrupt,
    progress::{Watch, note},
    setup,
    workspace::Workspace,
};

/// Runs all suites, or those that are named.
pub(crate) fn run(workspace: &Workspace, names: &[String]) -> Result<(), Failure> {
    let suites = chosen(names)?;
    let node = setup::run(workspace)?;
    let mut report = Report::default();
    for suite in suites {
        note(&format!("test: {}", suite.name));
        let watch = Watch::start();
        let outcome = suite.run(workspace, &node);
        interrupt::check()?;
        report.add(suite.name, outcome, watch.elapsed());
    }
    println!("{report}");
    report.verdict()
}

fn chosen(names: &[String]) -> Result<Vec<&'static Suite>, Failure> {
    if names.is_empty() {
        return Ok(SUITES.iter().collect());
    }
    names
        .iter()
        .map(|name| {
            SUITES.iter().find(|suite| suite.name == name).ok_or_else(|| {
                let known: Vec<&str> = SUITES.iter().map(|suite| suite.name).collect();
                Failure::usage(format!("no suite `{name}`: there are {}", known.join(", ")))
            })
        })
        .collect()
}
