//! The suites: what each runs, and how its own output tells what ran.

use std::{
    env,
    process::{Command, Stdio},
};

use super::counts::{CargoOutput, Counts, NodeOutput, Output, TscOutput};
use crate::{
    build::{self, Plan, Profile},
    chromium, clients,
    failure::Failure,
    process::{self, Running},
    progress,
    setup::Node,
    workspace::Workspace,
};

/// Tests that one runner runs.
#[derive(Debug)]
pub(super) struct Suite {
    /// Its name in the table and on the command line.
    pub(super) name: &'static str,
    run: fn(&Workspace, &Node) -> Result<Ran, Failure>,
}

/// What a runner's output said, and whether the runner was content.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Ran {
    /// What it counted.
    pub(super) counts: Counts,
    /// Whether it exited with 0.
    pub(super) succeeded: bool,
}

/// The folders whose JavaScript is type-checked, each with its own settings.
const TYPED: [&str; 9] = [
    "browser",
    "guest-runtime",
    "src/workers",
    "miniflare-tests",
    "benches",
    "benches/sides",
    "tests/typescript",
    "tests/service",
    "examples/service",
];

/// Every suite, the quick ones first.
pub(super) const SUITES: &[Suite] = &[
    Suite { name: "native", run: native },
    Suite { name: "guest", run: guest },
    Suite { name: "workerd", run: workerd },
    Suite { name: "clients", run: real_clients },
    Suite { name: "servers", run: published_servers },
    Suite { name: "types", run: types },
    Suite { name: "projection", run: projection },
];

impl Suite {
    /// Runs it to its end.
    pub(super) fn run(&self, workspace: &Workspace, node: &Node) -> Result<Ran, Failure> {
        (self.run)(workspace, node)
    }
}

/// Where property tests find what their inputs are drawn from, a whole number.
const SEED: &str = "PROPTEST_RNG_SEED";

/// Unit, integration and documentation tests of every package.
///
/// Inputs are the same in every run, so that what fails is what was changed; whoever looks
/// for more names another seed.
fn native(workspace: &Workspace, _: &Node) -> Result<Ran, Failure> {
    let seed = env::var(SEED).unwrap_or_else(|_| "1".to_owned());
    progress::note(&format!("property tests draw by {SEED}={seed}"));
    let mut cargo = Command::new(process::cargo());
    cargo.env(SEED, seed);
    cargo.args(["test", "--locked", "--workspace", "--no-fail-fast"]).current_dir(workspace.root());
    ran(&mut cargo, CargoOutput::default())
}

/// The JavaScript of guests and of apps' pages by itself.
fn guest(workspace: &Workspace, node: &Node) -> Result<Ran, Failure> {
    let guests = node_tests(workspace, node, "guest-runtime/tests/**/*.test.{js,mjs}")?;
    let pages = node_tests(workspace, node, "browser/tests/*.test.mjs")?;
    let counts = guests.counts.plus(pages.counts);
    Ok(Ran { counts, succeeded: guests.succeeded && pages.succeeded })
}

/// Builds of the Worker in the real runtime.
fn workerd(workspace: &Workspace, node: &Node) -> Result<Ran, Failure> {
    for faults in [false, true] {
        build::run(workspace, &Plan::tested(workspace, faults))?;
    }
    let notes = workspace.root().join("examples").join("notes");
    build::run(workspace, &Plan::library(notes, Profile::WorkerTest))?;
    chromium::bring()?;
    node_tests(workspace, node, "miniflare-tests/*.test.{js,mjs}")
}

/// Other people's clients against the build that asks a person.
fn real_clients(workspace: &Workspace, node: &Node) -> Result<Ran, Failure> {
    build::run(workspace, &Plan::tested(workspace, true))?;
    clients::bring(workspace, node)?;
    node_tests(workspace, node, "miniflare-tests/clients/*.test.{js,mjs}")
}

/// Other people's MCP servers, connected to the build that can be put on trial.
fn published_servers(workspace: &Workspace, node: &Node) -> Result<Ran, Failure> {
    build::run(workspace, &Plan::tested(workspace, true))?;
    clients::bring_servers(workspace, node)?;
    node_tests(workspace, node, "miniflare-tests/servers/*.test.{js,mjs}")
}

fn node_tests(workspace: &Workspace, node: &Node, files: &str) -> Result<Ran, Failure> {
    let mut tests = node.script("--test");
    tests.args(["--test-reporter=spec", files]).current_dir(workspace.root());
    ran(&mut tests, NodeOutput::default())
}

/// Every JavaScript file against its JSDoc types; a file counts as a test.
fn types(workspace: &Workspace, node: &Node) -> Result<Ran, Failure> {
    // What the entry imports is in the build that wrangler runs.
    build::run(workspace, &Plan::worker(workspace, Profile::WorkerTest))?;
    let mut all = Ran { counts: Counts::default(), succeeded: true };
    for project in TYPED {
        let mut tsc = node.command(workspace.node_program("tsc"));
        tsc.args(["--pretty", "false", "--listFiles", "--project", project])
            .current_dir(workspace.root());
        let ran = ran(&mut tsc, TscOutput::of(workspace.root()))?;
        all.counts = all.counts.plus(ran.counts);
        all.succeeded &= ran.succeeded && ran.counts.run() > 0;
    }
    Ok(all)
}

/// The types that schemas are projected to, by the compiler itself. The native tests write them.
fn projection(workspace: &Workspace, node: &Node) -> Result<Ran, Failure> {
    let mut written = Command::new(process::cargo());
    written
        .args(["test", "--locked", "--test", "laws", "--", "typescript::corpora", "mcp::tools"])
        .current_dir(workspace.root());
    let written = ran(&mut written, CargoOutput::default())?;
    let asked = node_tests(workspace, node, "tests/typescript/*.test.mjs")?;
    let counts = written.counts.plus(asked.counts);
    Ok(Ran { counts, succeeded: written.succeeded && asked.succeeded })
}

/// Runs a test runner, shows its output, and counts by it.
fn ran(command: &mut Command, mut output: impl Output) -> Result<Ran, Failure> {
    command.stdout(Stdio::piped());
    let status = Running::start(command)?.lines(|line| {
        if output.take(line) {
            eprintln!("{line}");
        }
    })?;
    Ok(Ran { counts: output.counts(), succeeded: status.success() })
}
