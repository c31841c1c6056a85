//! The build as a program: `cargo xtask help` lists its commands.

#![allow(
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "a command-line program talks to its terminal"
)]

mod bench;
mod build;
mod check;
mod chromium;
mod clean;
mod clients;
mod conformance;
mod demo;
mod dev;
mod digest;
mod failure;
mod fuzz;
mod measure;
mod mutants;
mod newcomer;
mod openapi;
mod process;
mod progress;
mod server;
mod setup;
mod soak;
mod test;
mod toolchain;
mod workspace;

use std::{env, process::ExitCode};

use failure::Failure;
use process::interrupt;
use workspace::Workspace;

/// One command: its name, what it does, and how.
struct Command {
    name: &'static str,
    purpose: &'static str,
    run: fn(&Workspace, &[String]) -> Result<(), Failure>,
}

const COMMANDS: &[Command] = &[
    Command {
        name: "demo",
        purpose: "run a program in the Worker and print its answer; CODE='return {n: 6*7}' URL=a running one's",
        run: |workspace, _| demo::run(workspace),
    },
    Command {
        name: "dev",
        purpose: "keep the Worker running on this machine; PORT=8787",
        run: |workspace, _| dev::run(workspace),
    },
    Command {
        name: "test",
        purpose: "run every test, or the suites named: native, guest, workerd, clients, types",
        run: test::run,
    },
    Command {
        name: "clients",
        purpose: "bring the real clients that the tests drive",
        run: |workspace, _| clients::bring(workspace, &setup::run(workspace)?),
    },
    Command {
        name: "conformance",
        purpose: "run the protocol's official suite for both sets of requirements",
        run: |workspace, _| conformance::run(workspace),
    },
    Command {
        name: "check",
        purpose: "hold form, lints, docs, dependencies, deployment, size and start",
        run: |workspace, _| check::run(workspace),
    },
    Command {
        name: "deploy-check",
        purpose: "put together what each environment would deploy, and send nothing",
        run: |workspace, _| check::deploy::run(workspace),
    },
    Command {
        name: "mutants",
        purpose: "break the sources on purpose, and see the test fail that holds each law",
        run: mutants::run,
    },
    Command {
        name: "bench",
        purpose: "measure size, start, executions beside codemode and a bare loader, and the runtime",
        run: |workspace, _| bench::run(workspace),
    },
    Command {
        name: "openapi",
        purpose: "show what a document offers; FILE=… SELECT='GET /a;POST /b' NAME=a makes tables/a.json",
        run: openapi::show,
    },
    Command {
        name: "fuzz",
        purpose: "fuzz every reader of outside bytes, or those named; SECONDS=60 each",
        run: fuzz::run,
    },
    Command {
        name: "soak",
        purpose: "run 10000 programs in one Worker, or so many as named, 8 x 1000 on connections, and a mixed load with restarts; MINUTES=30 SEED=…",
        run: soak::run,
    },
    Command {
        name: "newcomer",
        purpose: "follow the README's quick start in an empty home, with a clock",
        run: |workspace, _| newcomer::run(workspace),
    },
    Command {
        name: "setup",
        purpose: "bring what is missing: wasm target, Node, npm packages",
        run: |workspace, _| setup::run(workspace).map(drop),
    },
    Command {
        name: "build",
        purpose: "build the Worker: [--profile worker-test|release] [--out DIR] [--faults|--bench|--library DIR]",
        run: |workspace, arguments| {
            build::run(workspace, &build::Plan::parse(workspace, arguments)?)
        },
    },
    Command {
        name: "clean",
        purpose: "delete everything that was built or brought",
        run: |workspace, _| clean::run(workspace),
    },
    Command { name: "help", purpose: "say this", run: |_, _| help() },
];

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match interrupt::watch().and_then(|()| dispatch(&arguments)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("xtask: {failure}");
            failure.exit_code().into()
        }
    }
}

fn dispatch(arguments: &[String]) -> Result<(), Failure> {
    let Some((name, rest)) = arguments.split_first() else { return help() };
    let command = COMMANDS.iter().find(|command| command.name == name).ok_or_else(|| {
        Failure::usage(format!("no command `{name}`: `cargo xtask help` lists them"))
    })?;
    (command.run)(&Workspace::current(), rest)
}

fn help() -> Result<(), Failure> {
    println!("make COMMAND, or cargo xtask COMMAND:\n");
    for command in COMMANDS {
        println!("  {:<12} {}", command.name, command.purpose);
    }
    Ok(())
}
