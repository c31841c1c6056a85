//! Looking at OpenAPI documents, and spoiling them.

use std::{env, process::Command};

use crate::{failure::Failure, process, workspace::Workspace};

/// Seconds that documents are spoiled for, unless SECONDS says.
const FUZZ_SECONDS: &str = "60";

/// Shows what the document FILE offers, and prints the table of what SELECT names.
pub(crate) fn show(workspace: &Workspace, arguments: &[String]) -> Result<(), Failure> {
    let mut all = Vec::new();
    for (name, option) in [
        ("FILE", None),
        ("SELECT", Some("--select")),
        ("SERIALIZATION", Some("--serialization")),
        ("FORMATS", Some("--formats")),
        ("AUTH_PARAMETER", Some("--auth-parameter")),
    ] {
        if let Ok(value) = env::var(name) {
            all.extend(option.map(str::to_owned));
            all.push(value);
        }
    }
    all.extend_from_slice(arguments);
    let mut cargo = example("openapi", &[]);
    // The table goes to standard output.
    let status = process::Running::start(
        cargo
            .args(all)
            .current_dir(env::current_dir().unwrap_or_else(|_| workspace.root().to_owned())),
    )?
    .wait()?;
    if status.success() {
        return Ok(());
    }
    Err(Failure::step("take the document in", &"see above"))
}

/// Takes in spoiled documents for SECONDS.
pub(crate) fn fuzz(workspace: &Workspace) -> Result<(), Failure> {
    let seconds = env::var("SECONDS").unwrap_or_else(|_| FUZZ_SECONDS.to_owned());
    let corpus = workspace.root().join("../shared/corpora/openapi");
    let mut cargo = example("openapi_fuzz", &["--profile", "fuzz"]);
    process::run(cargo.arg(seconds).arg(corpus).current_dir(workspace.root()))
}

fn example(name: &str, options: &[&str]) -> Command {
    let mut cargo = Command::new(process::cargo());
    cargo.args(["run", "--quiet", "--locked", "--features", "intake-openapi", "--example", name]);
    cargo.args(options).arg("--");
    cargo
}
