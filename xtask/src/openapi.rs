//! Looking at OpenAPI documents.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, ExitStatus, Stdio},
};

use crate::{failure::Failure, process, progress::note, workspace::Workspace};

/// Shows what the document FILE offers, and prints the table of what SELECT names, or
/// writes it to `tables/NAME.json`.
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
    cargo.args(all).current_dir(env::current_dir().unwrap_or_else(|_| workspace.root().to_owned()));
    let Some(name) = env::var("NAME").ok().filter(|name| !name.is_empty()) else {
        // The table goes to standard output.
        let status = process::Running::start(&mut cargo)?.wait()?;
        return done(status);
    };
    let path = table(workspace, &name)?;
    cargo.stdout(Stdio::piped());
    let (status, text) = process::Running::start(&mut cargo)?.read()?;
    done(status)?;
    if text.trim().is_empty() {
        return Err(Failure::usage(
            "NAME needs SELECT too: SELECT='GET /a;POST /b', or SELECT='*' for all".to_owned(),
        ));
    }
    keep(&path, &text)?;
    note(&format!("wrote {}. In mycelium.toml:\n\n{}", path.display(), section(&name)));
    Ok(())
}

fn done(status: ExitStatus) -> Result<(), Failure> {
    if status.success() {
        return Ok(());
    }
    Err(Failure::step("take the document in", &"see above"))
}

/// Where the table of a connection lies.
fn table(workspace: &Workspace, name: &str) -> Result<PathBuf, Failure> {
    let word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    if !name.bytes().all(word) || name.starts_with(|first: char| first.is_ascii_digit()) {
        return Err(Failure::usage(format!(
            "NAME is what code will say, of letters, digits and _, not {name:?}"
        )));
    }
    Ok(workspace.root().join("tables").join(format!("{name}.json")))
}

fn keep(path: &Path, text: &str) -> Result<(), Failure> {
    let folder = path.parent().unwrap_or(path);
    fs::create_dir_all(folder).map_err(|error| Failure::file(folder, &error))?;
    fs::write(path, text.trim_end()).map_err(|error| Failure::file(path, &error))
}

/// What makes the table a connection.
fn section(name: &str) -> String {
    let secret = format!("{}_TOKEN", name.to_ascii_uppercase());
    format!(
        "[connections.{name}]\ntype = \"openapi\"\nserver = \"https://…\"\n\
         credential = {{ secret = \"{secret}\" }}  # leave it out if the server needs none\n\n\
         and, below [grants.dev]:\n\n{name} = \"write\""
    )
}

#[cfg(test)]
mod tests {
    use super::{section, table};
    use crate::workspace::Workspace;

    #[test]
    fn a_table_is_named_as_code_says_it() {
        let workspace = Workspace::current();
        let path = table(&workspace, "pet_store2").unwrap();
        assert!(path.ends_with("tables/pet_store2.json"));
        for name in ["../x", "a/b", "a-b", "2a", "a.json", "é"] {
            assert!(table(&workspace, name).is_err(), "{name}");
        }
        assert!(section("petstore").contains("secret = \"PETSTORE_TOKEN\""));
    }
}
