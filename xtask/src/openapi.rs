//! Looking at OpenAPI documents.

use std::{env, process::Command};

use crate::{failure::Failure, process, workspace::Workspace};

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
    let mut cargo = Command::new(process::cargo());
    cargo.args(["run", "--quiet", "--locked", "--features", "intake-openapi"]);
    cargo.args(["--example", "openapi", "--"]);
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
