//! What there is to measure, measured on the release build, printed and written down.
//!
//! What is short of its goal is written down too, with its cause, and fails nothing: only
//! what can't be measured does.

mod goals;
mod machine;
pub(crate) mod mcp;
mod results;

use std::process::{Command, Stdio};

use results::Results;

use crate::{
    build::{self, Plan, Profile},
    failure::Failure,
    measure,
    process::{self, Running},
    progress::note,
    setup::{self, Node},
    workspace::Workspace,
};

/// How many starts are measured.
const STARTS: u32 = 21;

/// The build in `build/` that can be asked for the runtime's own work.
const ASKED: &str = "bench-runtime";

/// The operations that a search is compared over.
const SEARCHED: u64 = 3_000;

/// Measures everything, and writes it down.
pub(crate) fn run(workspace: &Workspace) -> Result<(), Failure> {
    let node = setup::run(workspace)?;
    let mut results = Results::default();
    worker(workspace, &node, &mut results)?;
    sides(workspace, &node, &mut results)?;
    loads(workspace, &node, &mut results)?;
    natively(workspace, &node, &mut results)?;
    isolate(workspace, &node, &mut results)?;
    results.write(workspace)
}

fn worker(workspace: &Workspace, node: &Node, results: &mut Results) -> Result<(), Failure> {
    build::run(workspace, &Plan::worker(workspace, Profile::Release))?;
    note("measure the Worker");
    let sizes = measure::sizes(workspace, node)?;
    let start = measure::start(workspace, node, STARTS)?;
    let text = format!(
        "host module    {}\nintake module  {}\nstart          {start}",
        sizes.host, sizes.intake
    );
    results.section("The Worker", &text);
    Ok(())
}

/// What others do too, each in one workerd with ours.
fn sides(workspace: &Workspace, node: &Node, results: &mut Results) -> Result<(), Failure> {
    build::run(workspace, &Plan::measured(workspace))?;
    note("measure executions beside others");
    let executes = measure::executes(workspace, node)?;
    results.section("One execute, beside @cloudflare/codemode and a bare loader", &executes.text);
    for key in [
        "execute_vs_floor",
        "execute_vs_codemode",
        "call_vs_websocket_echo",
        "concurrent16_vs_codemode",
    ] {
        results.key(key, executes.figure(&[key]));
    }
    note("measure validation beside others");
    let validations = measure::validations(workspace, node)?;
    results.section("Validation, beside @cfworker/json-schema and zod", &validations.text);
    let rate = |side| validations.figure(&["10 KiB", side]);
    let ratio = rate("validation").zip(rate("cfworker")).map(|(ours, theirs)| ours / theirs);
    results.key("validate_vs_cfworker_10k", ratio);
    note("measure MCP beside agents' handler");
    let (rates, profile) = mcp::rates(workspace, node)?;
    let table = format!("{}\n\n{profile}", mcp::table(&rates));
    results.section("MCP, beside createMcpHandler of agents", &table);
    results.key("mcp_tools_list_vs_agents", mcp::tools_list_vs_agents(&rates));
    results.short(mcp::below(&rates));
    Ok(())
}

/// Much at once, and too much, in the builds that there are by now.
fn loads(workspace: &Workspace, node: &Node, results: &mut Results) -> Result<(), Failure> {
    note("measure how cost grows");
    let growth = measure::growth(workspace, node)?;
    results.section("Growth, over MCP", &growth.text);
    results.picture("docs/growth.svg");
    note("send more than can be done");
    let overload = measure::overload(workspace, node)?;
    results.section("Overload, over MCP", &overload.text);
    results.picture("docs/overload.svg");
    Ok(())
}

fn natively(workspace: &Workspace, node: &Node, results: &mut Results) -> Result<(), Failure> {
    note("measure the runtime natively");
    for (bench, title) in [
        ("runtime", "The runtime, natively"),
        ("forage", "Discovery, natively"),
        ("intake", "Taking OpenAPI documents in, natively"),
    ] {
        let (text, linear) = native(workspace, bench)?;
        results.section(title, &text);
        if !linear {
            results.short(vec![format!("{title}: a line is over its own goal")]);
        }
    }
    note("count what a model has to read");
    let tokens = measure::tokens(workspace, node)?;
    results.section("What a model reads before its first call", &tokens.text);
    let rival = measure::rival_search(workspace, node)?;
    results.section("@cloudflare/codemode searches the same, in Node", &rival);
    Ok(())
}

fn isolate(workspace: &Workspace, node: &Node, results: &mut Results) -> Result<(), Failure> {
    note("measure the runtime in an isolate");
    build::run(workspace, &Plan::asked(workspace, Profile::Release, ASKED))?;
    let work = measure::runtime(workspace, node, ASKED)?;
    results
        .section("The runtime in an isolate, processor time of its thread", &goals::table(&work));
    let searched = work.iter().find(|one| one.name == "search" && one.size == SEARCHED);
    results.key("search_3000_p50_ms", searched.map(|one| one.p50_ms));
    results.short(goals::over(&work));
    Ok(())
}

/// What a bench of the library prints, and whether it was within its own goals.
fn native(workspace: &Workspace, bench: &str) -> Result<(String, bool), Failure> {
    let mut cargo = Command::new(process::cargo());
    cargo
        .args(["bench", "--locked", "--features", "intake-openapi", "--bench", bench])
        .current_dir(workspace.root())
        .stdout(Stdio::piped());
    let (status, text) = Running::start(&mut cargo)?.read()?;
    if text.trim().is_empty() {
        return Err(Failure::step(&format!("measure by cargo bench {bench}"), &status));
    }
    Ok((text, status.success()))
}
