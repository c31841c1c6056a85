//! The build as a program: `cargo xtask build [--profile P] [--out DIR] [--faults]`.

#![allow(
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "a command-line program talks to its terminal"
)]

mod build;
mod failure;
mod process;
mod workspace;

use std::{env, process::ExitCode};

use build::{Plan, Profile};
use failure::Failure;
use workspace::Workspace;

fn main() -> ExitCode {
    let workspace = Workspace::current();
    let arguments: Vec<String> = env::args().skip(1).collect();
    match dispatch(&workspace, &arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("xtask: {failure}");
            ExitCode::FAILURE
        }
    }
}

fn dispatch(workspace: &Workspace, arguments: &[String]) -> Result<(), Failure> {
    match arguments.split_first() {
        Some((command, rest)) if command == "build" => {
            build::run(workspace, &plan(workspace, rest)?)
        }
        _ => Err(Failure::usage("use `cargo xtask build`")),
    }
}

fn plan(workspace: &Workspace, arguments: &[String]) -> Result<Plan, Failure> {
    let mut plan = Plan {
        profile: Profile::parse(
            &env::var("MYCELIUM_PROFILE").unwrap_or_else(|_| "release".into()),
        )?,
        faults: false,
        out: workspace.root().join("build").join("worker"),
    };
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        match (argument.as_str(), rest.as_slice().first()) {
            ("--faults", _) => plan.faults = true,
            ("--profile", Some(name)) => {
                plan.profile = Profile::parse(name)?;
                rest.next();
            }
            ("--out", Some(folder)) => {
                plan.out = workspace.root().join(folder);
                rest.next();
            }
            (other, _) => {
                return Err(Failure::usage(format!("unknown or incomplete option `{other}`")));
            }
        }
    }
    Ok(plan)
}
