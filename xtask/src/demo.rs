//! One program, from a fresh checkout to its answer.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Stdio,
};

use crate::{
    build::{self, Plan, Profile},
    failure::Failure,
    process::{Running, interrupt},
    progress::step,
    server::{Options, Server},
    setup::{self, Node},
    workspace::Workspace,
};

/// The most lines of wrangler's output that a failure shows.
const LOG_LINES: usize = 40;

/// Asks the Worker at `URL` if that is said; else builds and starts the Worker, has a real MCP client run `CODE` in it, ends all
/// that and prints the answer on stdout.
pub(crate) fn run(workspace: &Workspace) -> Result<(), Failure> {
    let node = setup::run(workspace)?;
    if let Some(url) = env::var("URL").ok().filter(|url| !url.is_empty()) {
        return told(&call(workspace, &node, &url)?, "the Worker's own log has more");
    }
    build::run(workspace, &Plan::worker(workspace, Profile::Release))?;
    let log = log(workspace)?;
    let answer = ask(workspace, &node, &log).inspect_err(|_| show_end(&log))?;
    told(&answer, &format!("the log is {}", log.display()))
}

/// Prints an answer, and fails with a program that failed.
fn told(answer: &Answer, further: &str) -> Result<(), Failure> {
    println!("{}", answer.text.trim_end());
    if answer.failed {
        return Err(Failure::verdict(format!("the program failed, as said above; {further}")));
    }
    Ok(())
}

/// The text that `execute` answered with.
struct Answer {
    text: String,
    failed: bool,
}

fn ask(workspace: &Workspace, node: &Node, log: &Path) -> Result<Answer, Failure> {
    let options = Options {
        profile: Profile::Release,
        port: None,
        log: Some(log.to_path_buf()),
        state: workspace.wrangler_state().join("demo"),
    };
    let server =
        step("start the Worker in wrangler dev", || Server::start(workspace, node, &options))?;
    let answer = step("connect an MCP client, list the tools, execute the program", || {
        call(workspace, node, &server.mcp())
    });
    step("stop the Worker", || {
        drop(server);
        answer
    })
}

/// Runs the client: 0 and 10 say how the program ended, anything else that it wasn't run.
fn call(workspace: &Workspace, node: &Node, url: &str) -> Result<Answer, Failure> {
    let mut client = node.script(workspace.workerd_scripts().join("demo.mjs"));
    client.arg(url).current_dir(workspace.root()).stdout(Stdio::piped());
    let (status, text) = Running::start(&mut client)?.read()?;
    match status.code() {
        Some(0) => Ok(Answer { text, failed: false }),
        Some(10) => Ok(Answer { text, failed: true }),
        _ => Err(Failure::step("run the demo's MCP client", &status)),
    }
}

fn log(workspace: &Workspace) -> Result<PathBuf, Failure> {
    let folder = workspace.wrangler_state();
    fs::create_dir_all(&folder).map_err(|error| Failure::file(&folder, &error))?;
    Ok(folder.join("demo.log"))
}

/// Shows what wrangler had to say, unless the reader wanted the end.
fn show_end(log: &Path) {
    if interrupt::check().is_err() {
        return;
    }
    let text = fs::read_to_string(log).unwrap_or_default();
    let lines: Vec<&str> = text.lines().collect();
    eprintln!("--- the end of {}", log.display());
    for line in lines.iter().skip(lines.len().saturating_sub(LOG_LINES)) {
        eprintln!("{line}");
    }
    eprintln!("---");
}
